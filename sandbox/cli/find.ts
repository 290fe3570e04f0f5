import { CliError } from './cliError';
import type { Input } from './command';

/** The first part of a link to each type of record; see page/ui.js. */
const PATHS = {
	transaction: 'transactions',
	payment: 'payments',
	account: 'accounts',
	event: 'events',
	delivery: 'deliveries',
	request: 'requests',
	endpoint: 'endpoints',
	client: 'clients',
	sequence: 'sequences',
};

export async function find({ positionals: [id], sandbox }: Input): Promise<void> {
	if (!id) throw new CliError('Enter an ID, such as: find evt_9n5ev10g6ozjnn681y4azjdkl2');
	const { items } = await sandbox.search(id);
	if (items.length === 0)
		throw new CliError(`Nothing at ${sandbox.url} has the ID ${id}. It may not be kept anymore.`);
	for (const one of items)
		console.log(
			`${one.kind} ${one.id}  ${sandbox.url}/#/${PATHS[one.kind]}/${encodeURIComponent(one.id)}`,
		);
}
