import { PaymentsApi } from '../../../credentials/PaymentsApi.credentials';
import { Payments } from '../../../nodes/Payments/Payments.node';
import { sharedSandbox, type SharedSandbox } from '../servers/sharedSandbox';
import type { IDataObject, INode, INodeExecutionData, INodeType, IRun } from 'n8n-workflow';
import { EngineCredentials, runNode } from './harness';

/** The Payments node in n8n's real engine, with a sandbox at the other end. */
export class PaymentsBench {
	readonly credentials = new EngineCredentials({ paymentsApi: new PaymentsApi() });

	/** The client of the test that is running. */
	client!: { clientId: string; clientSecret: string };

	private constructor(readonly sandbox: SharedSandbox) {}

	static async start(): Promise<PaymentsBench> {
		const bench = new PaymentsBench(await sharedSandbox());
		await bench.createClient();
		return bench;
	}

	/** Creates a client, which has no token yet, and puts it into the credential. */
	async createClient() {
		this.client = await this.sandbox.client.createClient({ name: 'engine' });
		await this.seed();
	}

	/** Puts the credential back as a user would have typed it, with changes. */
	async seed(changes: IDataObject = {}) {
		const { url } = this.sandbox;
		const { clientId, clientSecret } = this.client;
		await this.credentials.seed('c1', 'paymentsApi', {
			authUrl: url,
			baseUrl: url,
			clientId,
			clientSecret,
			scope: 'PAYMENTS',
			...changes,
		} as never);
	}

	begin(
		items: IDataObject[],
		parameters: IDataObject = { specifyTransaction: 'item' },
		node: Partial<INode> = {},
		runs = 1,
		nodeType: Partial<INodeType> = {},
	) {
		return runNode({
			runs,
			node: {
				type: 'n8n-nodes-payments.payments',
				parameters: { resource: 'transaction', operation: 'create', ...parameters } as never,
				credentials: { paymentsApi: { id: 'c1', name: 'Payments' } },
				...node,
			},
			nodeType: Object.assign(nodeTypeOf(node.type), nodeType),
			items: items.map((json, item) => ({ json, pairedItem: { item } })),
			credentials: this.credentials,
		});
	}

	async run(...args: Parameters<PaymentsBench['begin']>): Promise<Outcome> {
		return readRun(await this.begin(...args).finished);
	}
}

/**
 * The node, or the tool that n8n makes of it: the same with another name (`convertNodeToAiTool`).
 */
function nodeTypeOf(type = ''): Payments {
	const nodeType = new Payments();
	if (type.endsWith('Tool')) nodeType.description.name += 'Tool';
	return nodeType;
}

/**
 * Gives the tests of a file a bench: started before them, and as good as new for each.
 */
export function useBench(assign: (bench: PaymentsBench) => void): void {
	let bench: PaymentsBench;
	beforeAll(async () => {
		bench = await PaymentsBench.start();
		assign(bench);
	});
	beforeEach(async () => {
		await bench.sandbox.client.setFaults({});
		await bench.sandbox.client.reset();
		// The package keeps the tokens of a client, also those that an earlier test has revoked.
		await bench.createClient();
	});
}

export interface Outcome {
	run: IRun;
	/** What came out of each output of the node. */
	outputs: INodeExecutionData[][];
	json: IDataObject[];
	error?: {
		message: string;
		description?: string | null;
		context?: { itemIndex?: number; descriptionTemplate?: string };
	};
}

export function readRun(run: IRun): Outcome {
	const [data] = run.data.resultData.runData.Payments ?? [];
	const outputs = (data?.data?.main ?? []).map((items) => items ?? []);
	return {
		run,
		outputs,
		json: (outputs[0] ?? []).map(({ json }) => json),
		error: run.data.resultData.error as Outcome['error'],
	};
}
