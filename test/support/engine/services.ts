import type { ServerResponse } from 'node:http';
import type { IDataObject, INode } from 'n8n-workflow';
import { startFakeService, type FakeService } from '../servers/fakeService';
import type { ReceivedRequest } from '../servers/httpServer';
import { useBench, type PaymentsBench } from './payments';

/* A list of transactions that is sent through n8n's engine to a service with answers of its own. */

type Answer = (request: ReceivedRequest, response: ServerResponse, count: number) => void;

export const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };

/** Gives the tests of a file a bench, and each of them such a service. */
export function useServices() {
	const tools = {} as { bench: PaymentsBench };
	useBench((one) => (tools.bench = one));
	let service: FakeService | undefined;
	afterEach(async () => {
		await service?.stop();
		service = undefined;
	});
	return {
		tools,
		/**
		 * Starts a service that answers each transaction as `answer` says, and points the credential to
		 * it.
		 */
		serve: async (answer: Answer, credential: IDataObject = {}): Promise<FakeService> => {
			let count = 0;
			service = await startFakeService((request, response) => {
				count++;
				answer(request, response, count);
			});
			const { url } = service;
			await tools.bench.seed({ authUrl: url, baseUrl: url, ...credential });
			return service;
		},
		run: async (items: IDataObject[], options: IDataObject, node = CONTINUE, runs = 1) =>
			await tools.bench.run(items, { specifyTransaction: 'item', options }, node, runs),
	};
}

export const accept = (response: ServerResponse) => void response.writeHead(202).end('{}');
export const after = (ms: number, response: ServerResponse) =>
	void setTimeout(() => accept(response), ms);
export const reject = (response: ServerResponse, status: number, headers = {}) =>
	void response.writeHead(status, headers).end();

export const count = (json: IDataObject[], outcome: string) =>
	json.filter((item) => item.outcome === outcome).length;
export const transactionsOf = ({ received }: FakeService) =>
	received.filter(({ url }) => url === '/api/v1/transactions');
