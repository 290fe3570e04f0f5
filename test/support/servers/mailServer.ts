import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface MailServer {
	port: number;
	/** Headers and text of each, without the encoding of the transfer. */
	mails: string[];
	/** While it's true, every mail is refused for now (SMTP 451). */
	isFull: boolean;
	stop: () => Promise<void>;
}

/** A mail server on a free port of 127.0.0.1 that keeps what it gets (RFC 5321, in parts). */
export async function startMailServer(): Promise<MailServer> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
		talk(socket, mailServer);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const mailServer: MailServer = {
		port: (server.address() as AddressInfo).port,
		mails: [],
		isFull: false,
		stop: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return mailServer;
}

/** Removes the transfer encoding "quoted-printable" (RFC 2045, section 6.7). */
const decode = (text: string) =>
	text
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

function talk(socket: Socket, mailServer: MailServer) {
	let received = '';
	let isMail = false;
	const say = (line: string) => socket.write(`${line}\r\n`);
	const answer = (command: string) => {
		if (command === 'QUIT') return socket.end('221 Bye\r\n');
		if (command !== 'DATA') return say('250 OK');
		if (mailServer.isFull) return say('451 Try again later');
		isMail = true;
		return say('354 Go on');
	};
	say('220 ready');
	socket.on('data', (chunk: Buffer) => {
		received += chunk.toString();
		for (;;) {
			const ending = isMail ? '\r\n.\r\n' : '\r\n';
			const end = received.indexOf(ending);
			if (end < 0) return;
			const part = received.slice(0, end);
			received = received.slice(end + ending.length);
			if (!isMail) {
				answer(part.split(' ')[0].toUpperCase());
				continue;
			}
			isMail = false;
			mailServer.mails.push(decode(part));
			say('250 OK');
		}
	});
}
