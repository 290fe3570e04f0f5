// Validates the examples with n8n-mcp, as a coding agent does over MCP. It knows n8n's own nodes,
// and that the nodes of this package may exist. It needs no network and no n8n.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'payments-n8n-mcp-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

const client = new Client({ name: 'examples', version: '1.0.0' });
await client.connect(
	new StdioClientTransport({
		command: process.execPath,
		args: [join(dirname(fileURLToPath(import.meta.resolve('n8n-mcp'))), 'mcp/stdio-wrapper.js')],
		env: { PATH: process.env.PATH, HOME: home, N8N_MCP_TELEMETRY_DISABLED: 'true' },
		stderr: 'ignore',
	}),
);
const files = readdirSync(examples, { recursive: true })
	.filter((file) => file.endsWith('.json'))
	.sort();
/**
 * The HTML of a form has no prefix, as n8n's own editor stores it. With one, n8n would evaluate it
 * twice, and so what the data says, too.
 */
const FORM_HTML = /'formFields\.values\[\d+\]\.html' Mixed literal text and expression/;
/** n8n derives such a node from each that can ask a person, and n8n-mcp doesn't know it. */
const HUMAN_REVIEW = /Unknown node type: "\S+HitlTool"/;
const IGNORED = [FORM_HTML, HUMAN_REVIEW];

const found = [];
for (const file of files) {
	const { nodes, connections } = JSON.parse(readFileSync(join(examples, file), 'utf8'));
	const result = await client.callTool({
		name: 'validate_workflow',
		arguments: { workflow: { nodes, connections } },
	});
	const { valid, errors = [] } = JSON.parse(result.content[0].text);
	const mistakes = errors.filter(({ message }) => !IGNORED.some((one) => one.test(message)));
	found.push(...mistakes.map(({ node, message }) => `${file}: ${node}: ${message}`));
	if (valid === undefined) found.push(`${file}: not validated: ${result.content[0].text}`);
}
await client.close();

for (const error of found) console.log(error);
console.log(`n8n-mcp's validators on ${files.length} examples: ${found.length} errors`);
process.exitCode = found.length === 0 && files.length > 0 ? 0 : 1;
