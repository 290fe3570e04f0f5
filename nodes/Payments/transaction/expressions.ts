/** A step of a path: a member's name or a position in a list. */
type Path = ReadonlyArray<string | number>;

/** What a parameter holds, as it was typed. */
export type Parameter =
	/** The same value for every item. */
	| { kind: 'static'; value: unknown }
	/** A field that was dragged from the input: `={{ $json.path }}`, or `$json` itself with an empty path. */
	| { kind: 'dragged'; path: Path; expression: string }
	/** One expression and nothing around it; `code` is what stands between the braces. */
	| { kind: 'expression'; code: string; expression: string }
	/** Text with expressions in it. */
	| { kind: 'template'; expression: string };

// Neither a line break between quotes nor a number such as 010 is what it seems, so they are left to the engine.
const STEP = /\.([A-Za-z_$][\w$]*)|\[(?:"([^"\\\r\n]*)"|'([^'\\\r\n]*)'|(0|[1-9]\d{0,8}))\]/y;
/** n8n refuses an expression with this in it, also where it only begins a name. */
const REFUSED = /\.\s*constructor/;
const SINGLE = /^\{\{([^]*)\}\}$/;

/**
 * Sorts a parameter by what it takes to know its value. The editor writes exactly `={{ $json.path }}` or `={{ $json["a b"] }}` for a dragged field.
 *
 * @param raw the parameter as typed (n8n: `rawExpressions`)
 * @param isSafe tells the names that the engine hands out from those that it refuses, such as `constructor`
 */
export function parseParameter(raw: unknown, isSafe: (name: string) => boolean): Parameter {
	if (typeof raw !== 'string' || !raw.startsWith('=')) return { kind: 'static', value: raw };
	const expression = raw.slice(1);
	if (!expression.includes('{{')) return { kind: 'static', value: expression };
	const code = SINGLE.exec(expression.trim())?.[1];
	if (code === undefined || code.includes('{{') || code.includes('}}'))
		return { kind: 'template', expression };
	const path = parsePath(code.trim());
	return path?.every((step) => isSafe(String(step)))
		? { kind: 'dragged', path, expression }
		: { kind: 'expression', code, expression };
}

function parsePath(code: string): Path | undefined {
	if (!code.startsWith('$json') || REFUSED.test(code)) return undefined;
	const path: Array<string | number> = [];
	STEP.lastIndex = '$json'.length;
	while (STEP.lastIndex < code.length) {
		const match = STEP.exec(code);
		if (!match) return undefined;
		path.push(match[4] === undefined ? (match[1] ?? match[2] ?? match[3]) : Number(match[4]));
	}
	return path;
}

/**
 * Reads a dragged field from the item, where the outcome is certain to be the engine's own.
 *
 * Returns `undefined` for anything that the engine may see otherwise: a step into nothing, an inherited member such as `length`, or a value
 * that is not plain data. The caller then asks the engine.
 */
export function readPath(json: unknown, path: Path): { value: unknown } | undefined {
	let current = json;
	for (const [index, step] of path.entries()) {
		if (typeof current !== 'object' || current === null) return undefined;
		if (Object.hasOwn(current, step)) current = (current as Record<string, unknown>)[step];
		else if (index === path.length - 1 && !(step in current)) return { value: undefined };
		else return undefined;
	}
	return isPlain(current) ? { value: current } : undefined;
}

const isPlain = (value: unknown) => {
	if (typeof value !== 'object' || value === null)
		return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint';
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
};

/** A date as ISO 8601 text, whoever made it (JavaScript's `Date`, Luxon's `DateTime` such as `$now`); anything else, and a date that is none, as it is. */
export function formatDates(value: unknown): unknown {
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? value : value.toISOString();
	return typeof value === 'object' &&
		value !== null &&
		'toISO' in value &&
		typeof value.toISO === 'function'
		? ((value.toISO() as unknown) ?? value)
		: value;
}

/**
 * Several expressions as one, which yields a list of their values, because each evaluation has a cost of its own.
 * Dates come as text, like those of `formatDates`, since a list of values leaves the engine as plain data. There is no list when one of the values is
 * a function: asked for that one alone, the engine says what is wrong with it.
 */
export const composeExpressions = (codes: string[]) =>
	`{{ ((list) => list.some((v) => typeof v === 'function') ? null : list.map((v) => v instanceof Date ? v.toISOString() : v && typeof v.toISO === 'function' ? v.toISO() ?? v : v))([${codes.map((code) => `(${code}\n)`).join(',')}]) }}`;
