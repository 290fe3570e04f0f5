import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Credential, N8nClient } from '../../../host/n8n/client';

export interface MailServer {
	/** Headers and text of each, without the encoding of the transfer. */
	mails: string[];
	/** While it's true, every mail is refused for now (SMTP 451). */
	isFull: boolean;
	/** The credential by which n8n sends to it. */
	smtp: Credential;
	stop: () => Promise<void>;
}

/** Starts a mail server on a free port of 127.0.0.1 that keeps what it gets. */
export async function startMailServer(n8n: N8nClient): Promise<MailServer> {
	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onData: (stream, _session, done) => {
			void text(stream).then((mail) => {
				if (mailServer.isFull)
					return done(Object.assign(new Error('Try again later'), { responseCode: 451 }));
				mailServer.mails.push(decode(mail));
				return done();
			});
		},
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.server.address() as AddressInfo;
	const mailServer: MailServer = {
		mails: [],
		isFull: false,
		smtp: await n8n.createCredential('SMTP account', 'smtp', {
			...{ host: '127.0.0.1', port, secure: false, disableStartTls: true, user: '', password: '' },
		}),
		stop: async () => await new Promise((resolve) => void server.close(resolve)),
	};
	return mailServer;
}

/** Removes the transfer encoding "quoted-printable" (RFC 2045, section 6.7). */
const decode = (mail: string) =>
	mail
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
