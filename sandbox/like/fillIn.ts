import { randomUUID } from 'node:crypto';

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;

/** The value at a dotted path. */
function valueAt(object: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(value, name) =>
				typeof value === 'object' && value !== null && Object.hasOwn(value, name)
					? (value as Record<string, unknown>)[name]
					: undefined,
			object,
		);
}

/** What the placeholders of an answer stand for. */
export interface Values {
	transaction?: unknown;
	/** What the service gave the transaction, by the names of the placeholders. Grows. */
	assigned?: Map<string, unknown>;
	token?: string;
}

function valueOf(name: string, { transaction, assigned = new Map(), token }: Values): unknown {
	const now = Date.now();
	if (name === 'now') return new Date(now).toISOString();
	if (name === 'nowMs') return now;
	if (name === 'nowS') return Math.floor(now / 1000);
	if (name === 'random') return randomUUID();
	if (name === 'token') return token ?? '';
	if (!name.startsWith('assigned')) return valueAt(transaction, name) ?? '';
	const value = assigned.get(name) ?? newValue(name);
	assigned.set(name, value);
	return value;
}

const newValue = (name: string) =>
	name.startsWith('assignedNumber:') ? Math.floor(Math.random() * 1e12) : randomUUID();

/** Replaces the placeholders in all texts of a value. */
export function fillIn(template: unknown, values: Values): unknown {
	if (typeof template === 'string') {
		const [, whole] = /^\{\{([^{}]+)\}\}$/.exec(template) ?? [];
		if (whole !== undefined) return valueOf(whole, values);
		return template.replace(PLACEHOLDER, (_, name: string) => String(valueOf(name, values)));
	}
	if (Array.isArray(template)) return template.map((one) => fillIn(one, values));
	if (typeof template !== 'object' || template === null) return template;
	const entries = Object.entries(template);
	return Object.fromEntries(entries.map(([name, value]) => [name, fillIn(value, values)]));
}
