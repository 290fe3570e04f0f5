import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/** A part of a page: an element, or a rectangle in CSS pixels. */
export type Part = Locator | { x: number; y: number; width: number; height: number };

/** Takes a screenshot of a page, or of a part of it. */
export type Shot = (page: Page, name: string, part?: Part) => Promise<void>;

const IMAGES = join(__dirname, '..', '..', 'docs', 'images');
/** Around the nodes of a workflow; the name of a node is below it, and can be wider. */
const MARGIN = { side: 60, bottom: 60 };

/**
 * What n8n shows for a moment or beside what the screenshot is about: notifications, the neighbors
 * of an open node, the empty tooltips of its code editors, which are white at the left edge, and
 * the buttons over the canvas.
 */
const IN_THE_WAY = [
	'.el-notification',
	'[data-test-id="floating-node"]',
	'div[class^="ͼ"]:not(.cm-editor)',
	'[data-test-id="canvas-controls"]',
	'[class*="executionButtons"]',
	'[class*="nodeButtonsWrapper"]',
];
export const style = `${IN_THE_WAY.join(', ')} { visibility: hidden !important; }`;

/** Takes a screenshot in the color scheme that the page has. */
export async function shoot(page: Page, name: string, part?: Part): Promise<void> {
	const path = join(IMAGES, `${name}.png`);
	mkdirSync(dirname(path), { recursive: true });
	await page.mouse.move(0, 0); // what the mouse is over looks different
	await page.waitForTimeout(700); // n8n's panels slide in
	if (part && 'x' in part) await page.screenshot({ path, style, clip: part });
	else await (part ?? page).screenshot({ path, style });
	console.log(path);
}

/** Takes the same screenshot in light and in dark. */
export async function shootBoth(page: Page, name: string, part?: Part): Promise<void> {
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await shoot(page, `${name}-${colorScheme}`, part);
	}
	await page.emulateMedia({ colorScheme: 'light' });
}

/**
 * The rectangle with the nodes and notes of the workflow that is shown, which is moved and zoomed
 * so that all of it is seen.
 */
export async function canvasPart(page: Page): Promise<Part> {
	await page.getByTestId('zoom-to-fit').click();
	const read = async () => {
		const nodes = await page.locator('.vue-flow__node').all();
		return await Promise.all(nodes.map(async (node) => await node.boundingBox()));
	};
	let boxes = await read();
	for (let before = ''; before !== JSON.stringify(boxes); boxes = await read()) {
		before = JSON.stringify(boxes);
		await page.waitForTimeout(1000); // the canvas moves
	}
	return around(boxes.map((box) => box!));
}

function around(boxes: Array<{ x: number; y: number; width: number; height: number }>): Part {
	const x = Math.min(...boxes.map((box) => box.x)) - MARGIN.side;
	const y = Math.min(...boxes.map((box) => box.y)) - MARGIN.side;
	const right = Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN.side;
	const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN.bottom;
	return { x, y, width: right - x, height: bottom - y };
}
