const present = (children) =>
	children
		.flat(Infinity)
		.filter((child) => child !== undefined && child !== null && child !== false);

/**
 * Makes an element. Attributes whose name starts with `on` and whose value is a function are listeners; those that are undefined,
 * null or false are left out. Children that are texts stay texts: nothing that came from outside is ever read as HTML.
 */
export function h(tag, attributes = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (value === undefined || value === null || value === false) continue;
		if (typeof value === 'function') element.addEventListener(name.slice(2), value);
		else element.setAttribute(name, value === true ? '' : String(value));
	}
	element.append(...present(children));
	return element;
}

/** Puts children in the place of what is in an element. */
export const fill = (element, ...children) => element.replaceChildren(...present(children));

let ids = 0;
/** An id for a label and its field. */
export const uniqueId = (name) => `${name}-${++ids}`;
