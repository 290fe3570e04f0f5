import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
	INodeType,
	IRequestOptions,
} from 'n8n-workflow';

/** Which of n8n's helpers sends: the HTTP Request node uses the legacy one, most other nodes and tools the modern one. */
export type HttpHelper = 'requestWithAuthentication' | 'httpRequestWithAuthentication';

export interface RequestResult {
	response?: unknown;
	message?: string;
}

/**
 * Creates a node that makes one request per item with the credential "Payments API", by one of n8n's own helpers.
 *
 * @param requests the options of each item's request, in the shape that the helper takes
 * @param results gets the response or the message of each item
 */
export const requestNode = (
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
