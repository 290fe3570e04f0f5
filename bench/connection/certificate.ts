import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';

/** A certificate for this machine's own addresses. */
export interface Certificate {
	key: string;
	cert: string;
	/** Path of the certificate, for programs that trust what NODE_EXTRA_CA_CERTS names. */
	file: string;
}

/** How many addresses of this machine the certificate is for: 127.0.0.1 and those that follow. */
const ADDRESSES = 200;

/**
 * Makes a certificate for localhost and 127.0.0.1 to 127.0.0.200 (2048-bit RSA); its file is
 * removed when this process ends.
 */
export async function makeCertificate(): Promise<Certificate> {
	const names = [
		{ type: 2 as const, value: 'localhost' },
		...Array.from({ length: ADDRESSES }, (_, index) => ({
			type: 7 as const,
			ip: `127.0.0.${index + 1}`,
		})),
	];
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
		keySize: 2048,
		algorithm: 'sha256',
		extensions: [
			{ name: 'basicConstraints', cA: true },
			{ name: 'subjectAltName', altNames: names },
		],
	});
	const folder = mkdtempSync(join(tmpdir(), 'payments-certificate-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, 'certificate.pem');
	writeFileSync(file, cert);
	return { key, cert, file };
}
