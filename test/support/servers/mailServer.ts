import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface MailServer {
	port: number;
	stop: () => Promise<void>;
}

/** Removes the transfer encoding "quoted-printable" (RFC 2045, section 6.7). */
const decode = (text: string) =>
	text
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** Speaks as much SMTP (RFC 5321) as a client needs that sends without signing in. */
function serve(socket: Socket, receive: (mail: string) => void): void {
	const say = (line: string) => socket.write(`${line}\r\n`);
	let buffer = '';
	let data: string | undefined;
	const take = (line: string) => {
		if (data !== undefined) {
			if (line === '.') {
				receive(decode(data));
				data = undefined;
				say('250 OK');
			} else {
				data += `${line.replace(/^\./, '')}\r\n`;
			}
			return;
		}
		const command = line.slice(0, 4).toUpperCase();
		if (command === 'DATA') {
			data = '';
			say('354 Go on');
		} else if (command === 'QUIT') {
			say('221 Bye');
			socket.end();
		} else {
			say('250 OK');
		}
	};
	socket.on('error', () => socket.destroy());
	socket.on('data', (chunk) => {
		const lines = (buffer + chunk.toString()).split('\r\n');
		buffer = lines.pop() ?? '';
		lines.forEach(take);
	});
	say('220 mail server of a test');
}

/**
 * Starts a mail server on a free port of 127.0.0.1 that sends nothing on.
 *
 * @param receive gets the headers and the body of each email, without the encoding of the transfer
 */
export async function startMailServer(receive: (mail: string) => void): Promise<MailServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		serve(socket, receive);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		port: (server.address() as AddressInfo).port,
		stop: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
