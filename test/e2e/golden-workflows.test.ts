import { testGoldenWorkflows } from './goldenWorkflows';
import { sharedN8n, useService } from './shared';

const n8n = sharedN8n();
const service = useService(n8n);

testGoldenWorkflows(() => ({
	n8n,
	...service,
	run: async (workflow) => await n8n.run(workflow, 'Start'),
	setActive: async (workflow, active) =>
		await (active ? n8n.activate(workflow) : n8n.deactivate(workflow)),
}));
