import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startProcess } from '../../host/processes';
import { requireProgram } from '../../host/programs.mjs';
import type { N8nClient, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsApi, readLiveExample } from '../../host/n8n/credentials';
import { openNode } from '../support/pages/browser';
import { openWorkflow } from './editor';
import { style } from './shots';

const FOLDER = join(__dirname, '..', '..', '.cache', 'recording');
const TARGET = join(__dirname, '..', '..', 'docs', 'images', 'rows.gif');

/** A frame: what a page shows, and below it what that is. */
const frameOf = (shown: Buffer, caption: string) => `<style>
	body { margin: 0; background: #063f43; color: #fff; font: 600 22px/56px sans-serif; text-align: center }
	img { display: block; width: 100% }
</style><img src="data:image/png;base64,${shown.toString('base64')}">${caption}`;

/** The frames of a recording, and for how long each is shown. */
class Recording {
	private readonly frames: Array<{ file: string; seconds: number }> = [];

	/** @param canvas an empty page, on which the frames are made */
	constructor(private readonly canvas: Page) {
		rmSync(FOLDER, { recursive: true, force: true });
		mkdirSync(FOLDER, { recursive: true });
	}

	async add(page: Page, caption: string, seconds: number): Promise<void> {
		await page.mouse.move(0, 0); // what the mouse is over looks different
		await page.waitForTimeout(1000); // n8n's panels slide in
		await this.canvas.setContent(frameOf(await page.screenshot({ style }), caption));
		const file = `${this.frames.length}.png`;
		await this.canvas.screenshot({ path: join(FOLDER, file), fullPage: true });
		this.frames.push({ file, seconds });
	}

	/** @throws with what ffmpeg printed */
	async save(): Promise<void> {
		const lines = this.frames.map(({ file, seconds }) => `file '${file}'\nduration ${seconds}\n`);
		// ffmpeg shows the last one twice, and only if it's there twice.
		writeFileSync(
			join(FOLDER, 'frames.txt'),
			`${lines.join('')}file '${this.frames.at(-1)!.file}'\n`,
		);
		const colors = 'split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none';
		const input = ['-f', 'concat', '-i', 'frames.txt', '-fps_mode', 'vfr'];
		const args = ['-y', '-loglevel', 'error', ...input, '-filter_complex', colors, TARGET];
		const ffmpeg = startProcess('ffmpeg', requireProgram('ffmpeg'), args, { cwd: FOLDER });
		if ((await ffmpeg.exited) !== 0) throw new Error(`ffmpeg failed. ${ffmpeg.lastOutput()}`);
		console.log(TARGET);
	}
}

/** Writes the two rows of the example that are refused as they should be. */
function withCorrectedRows({ name, nodes, ...workflow }: WorkflowJson): WorkflowJson {
	const corrected = JSON.stringify(nodes)
		.replace('\\"1.250,00\\"', '\\"1250.00\\"')
		.replace('\\"EURO\\"', '\\"EUR\\"');
	const corrections = JSON.parse(corrected) as WorkflowJson['nodes'];
	return { ...workflow, name: `${name}: corrected`, nodes: corrections };
}

interface Stage {
	editor: Page;
	sandbox: Page;
	canvas: Page;
	n8n: N8nClient;
	client: { url: string; clientId: string; clientSecret: string };
}

/** Two rows are refused, corrected, and sent again with the others. */
export async function recordRows({ editor, sandbox, canvas, n8n, client }: Stage) {
	const recording = new Recording(canvas);
	const example = readLiveExample('rows-to-transactions');
	const credentials = [await createPaymentsApi(n8n, client)];
	const output = editor.getByTestId('output-panel');
	const open = async (workflow: WorkflowJson) => {
		await openWorkflow(editor, (await n8n.importWorkflow(workflow, credentials)).id);
		await editor.getByTestId('zoom-to-fit').click();
	};
	const execute = async () => {
		await editor.getByTestId('execute-workflow-button').first().click();
		const done = editor.getByTestId('canvas-node').filter({ hasText: 'Right Rows' });
		await done.getByTestId('canvas-node-status-success').waitFor();
	};
	const look = async (node: string, view: 'Table' | 'JSON' = 'Table') => {
		await openNode(editor, node);
		await output.getByText(view, { exact: true }).click();
	};

	await open(example);
	await execute();
	await look('To Look At');
	await recording.add(editor, 'What is wrong with each, and what to write', 6);

	await open(withCorrectedRows(example));
	await execute();
	await look('Create Transactions');
	await recording.add(editor, 'Two are new. The other four are duplicates', 6);
	await sandbox.goto('/#/transactions');
	await sandbox.getByText('REF-2026-0007').waitFor();
	await recording.add(sandbox, 'At the service: each once', 4);
	await recording.save();
}
