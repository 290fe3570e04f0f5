import type { State } from '../types';
import { CliError } from './cliError';
import { number, type Input } from './command';
import { readState, saveTo } from './files';

/** What a state has, such as `12 transactions, 3 events`. */
function describeState(state: State): string {
	const { transactions = [], payments = [], events = [], deliveries = [], requests = [] } = state;
	const { clients = [], endpoints = [], virtualAccounts = [], sequences = [] } = state;
	return [
		number(clients.length, 'client'),
		number(endpoints.length, 'endpoint'),
		number(virtualAccounts.length, 'virtual account'),
		number(transactions.length, 'transaction'),
		number(payments.length, 'payment'),
		number(events.length, 'event'),
		number(deliveries.length, 'delivery', 'deliveries'),
		number(requests.length, 'request'),
		number(sequences.length, 'event sequence'),
	].join(', ');
}

export async function save({ positionals: [file], values, sandbox }: Input): Promise<void> {
	if (!file) throw new CliError('Enter the name of a file, such as: save sandbox-state.json');
	const state = await sandbox.saveState({ secrets: values.secrets === true });
	saveTo(file, `${JSON.stringify(state, null, '\t')}\n`);
	console.log(`Saved to ${file}: ${describeState(state)}.`);
	console.log(
		values.secrets
			? 'It has the secrets of clients and endpoints. Keep it to yourself.'
			: 'Secrets are left out, but bodies are as they were sent. Read the file before you share it.',
	);
}

export async function load({ positionals: [file], sandbox }: Input): Promise<void> {
	if (!file) throw new CliError('Enter the name of a file, such as: load sandbox-state.json');
	const state = readState(file);
	const { clients, endpoints } = await sandbox.loadState(state);
	console.log(`Loaded from ${file}: ${describeState(state)}.`);
	for (const { name, clientId, clientSecret } of clients)
		console.log(`${name || 'Client'}: client ID ${clientId}, new client secret ${clientSecret}`);
	for (const id of endpoints) {
		const { secret } = await sandbox.revealSecret(id);
		console.log(`Endpoint ${id}: new signing secret ${secret}`);
	}
}
