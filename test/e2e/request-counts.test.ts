import { randomUUID } from 'node:crypto';

import axios from 'axios';

import { testRequestCounts } from './requestCounts';
import { sharedN8n } from './shared';

const n8n = sharedN8n();

testRequestCounts(() => ({
	n8n,
	run: async (workflow) => await n8n.run(workflow, 'Start'),
	chat: async (workflow) => {
		await n8n.activate(workflow);
		const { production } = await n8n.webhookUrls(workflow, 'Chat');
		await axios.post(
			production.replace(/(\/chat)?$/, '/chat'),
			{ action: 'sendMessage', sessionId: randomUUID(), chatInput: 'Send it.' },
			{ proxy: false, validateStatus: null },
		);
		await n8n.deactivate(workflow);
	},
}));
