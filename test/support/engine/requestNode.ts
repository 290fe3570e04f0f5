import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	IRequestOptions,
} from 'n8n-workflow';

import { runNode, type EngineCredentials } from './harness';

/**
 * Which of n8n's helpers sends: the HTTP Request node uses the legacy one, most other nodes and
 * tools the modern one.
 */
export type HttpHelper = 'requestWithAuthentication' | 'httpRequestWithAuthentication';

interface RequestResult {
	response?: unknown;
	message?: string;
}

/**
 * Runs a node that makes one request after another with the credential "Payments API", by one of
 * n8n's own helpers.
 *
 * @param requests in the shape that the legacy helper takes
 * @param credentials has "Payments API" with the ID c1
 * @returns the response or the message of each request
 */
export async function sendRequests(
	helper: HttpHelper,
	requests: IRequestOptions[],
	credentials: EngineCredentials,
): Promise<RequestResult[]> {
	const shaped =
		helper === 'requestWithAuthentication'
			? requests
			: requests.map(({ uri, ...request }) => ({ ...request, url: uri }) as IRequestOptions);
	const results: RequestResult[] = [];
	await runNode({
		node: { type: 'request', parameters: {}, credentials: { paymentsApi: { id: 'c1', name: '' } } },
		nodeType: requestNode(helper, shaped, results),
		items: [{ json: {} }],
		credentials,
	}).finished;
	return results;
}

const requestNode = (
	helper: HttpHelper,
	requests: Array<IHttpRequestOptions | IRequestOptions>,
	results: RequestResult[],
): INodeType => ({
	description: {
		displayName: 'Request',
		name: 'request',
		group: ['transform'],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'paymentsApi', required: true }],
		properties: [],
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		for (const options of requests) {
			try {
				const response = (await this.helpers[helper].call(
					this,
					'paymentsApi',
					options as never,
				)) as IDataObject;
				results.push({ response });
			} catch (error) {
				results.push({ message: (error as Error).message });
			}
		}
		return [[]];
	},
});
