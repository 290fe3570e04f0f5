import type { WorkflowJson } from '../../host/n8n/client';

type Node = WorkflowJson['nodes'][number];

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
/** Sizes on the canvas: of a node with its name below, and of a note without a size of its own. */
const NODE = { width: 200, height: 150 };
const NOTE = { width: 240, height: 160 };
/** Notes whose tops are closer than this are beside each other. */
const SAME_ROW = 200;
/** How wide a part may be so that the names of its nodes can be read at the width of a page. */
const MAX_WIDTH = 1400;

const isNote = ({ type }: Node) => type === STICKY_NOTE;
const left = ({ position }: Node) => position[0];
const top = ({ position }: Node) => position[1];
const sizeOf = (node: Node) => ({
	...(isNote(node) ? NOTE : NODE),
	...(node.parameters as { width?: number; height?: number }),
});
const right = (node: Node) => left(node) + sizeOf(node).width;

/**
 * Divides a workflow into workflows with some of its nodes each, in reading order: a section begins
 * with its notes, and a section that is too wide is divided into parts of about the same width.
 */
export function partsOf(workflow: WorkflowJson): WorkflowJson[] {
	return sectionsOf(workflow.nodes)
		.flatMap(columnsOf)
		.map((nodes) => ({ ...workflow, nodes, connections: connectionsWithin(workflow, nodes) }));
}

function sectionsOf(nodes: Node[]): Node[][] {
	const starts = nodes
		.filter(isNote)
		.map(top)
		.sort((a, b) => a - b)
		.filter((start, index, all) => index === 0 || start - all[index - 1] > SAME_ROW);
	if (starts.length === 0) return [nodes];
	const sectionOf = (node: Node) =>
		Math.max(
			0,
			starts.findLastIndex((start) => start <= top(node)),
		);
	return withNodes(starts.map((_, index) => nodes.filter((node) => sectionOf(node) === index)));
}

/** Adds notes that would be alone to the group before them, or to the next one. */
function withNodes(groups: Node[][]): Node[][] {
	const joined: Node[][] = [];
	for (const group of groups) {
		const last = joined.at(-1);
		if (last && (group.every(isNote) || last.every(isNote))) last.push(...group);
		else joined.push(group);
	}
	return joined;
}

function columnsOf(nodes: Node[]): Node[][] {
	const start = Math.min(...nodes.map(left));
	const width = Math.max(...nodes.map(right)) - start;
	const count = Math.ceil(width / MAX_WIDTH);
	const columnOf = (node: Node) => Math.floor(((left(node) - start) / width) * count);
	return withNodes(
		Array.from({ length: count }, (_, index) => nodes.filter((node) => columnOf(node) === index)),
	);
}

function connectionsWithin({ connections }: WorkflowJson, nodes: Node[]) {
	const names = new Set(nodes.map(({ name }) => name));
	return Object.fromEntries(
		Object.entries(connections)
			.filter(([name]) => names.has(name))
			.map(([name, byType]) => [
				name,
				Object.fromEntries(
					Object.entries(byType).map(([type, outputs]) => [
						type,
						outputs.map((targets) => targets?.filter(({ node }) => names.has(node)) ?? []),
					]),
				),
			]),
	);
}
