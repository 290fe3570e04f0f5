import type { INodeProperties, NodePropertyTypes } from 'n8n-workflow';

/* The kinds of fields that the nodes show, each as one call: name as the user sees it, name in the code, what it is for. */

type More = Partial<INodeProperties>;

const property = (
	type: NodePropertyTypes,
	displayName: string,
	name: string,
	description: string,
	fallback: INodeProperties['default'],
	more: More = {},
): INodeProperties => ({
	displayName,
	name,
	type,
	default: fallback,
	description,
	...more,
});

export const text = (displayName: string, name: string, description: string, more: More = {}) =>
	property('string', displayName, name, description, '', more);

export const moment = (displayName: string, name: string, description: string, more: More = {}) =>
	property('dateTime', displayName, name, description, '', more);

export const flag = (displayName: string, name: string, description: string, fallback = false) =>
	property('boolean', displayName, name, description, fallback);

export const number = (
	displayName: string,
	name: string,
	description: string,
	fallback: number,
	range: { minValue: number; maxValue?: number },
) =>
	property('number', displayName, name, description, fallback, {
		typeOptions: { numberPrecision: 0, ...range },
	});

/** @param options name as the user sees it, value, and what it means; the first is the default */
export const choice = (
	displayName: string,
	name: string,
	description: string,
	options: Array<[name: string, value: string, meaning: string]>,
	more: More = {},
) =>
	property('options', displayName, name, description, options[0][1], {
		options: options.map(([shown, value, meaning]) => ({
			name: shown,
			value,
			description: meaning,
		})),
		...more,
	});

export const notice = (name: string, words: string, more: More) =>
	property('notice', words, name, '', '', more);

export const collection = (
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[],
	more: More = {},
) => property('collection', displayName, name, '', {}, { placeholder, options, ...more });

/** What holds for the members of a collection that the user has not set: n8n stores only those that were set. */
export const defaultsOf = (members: INodeProperties[]) =>
	Object.fromEntries(members.map((member) => [member.name, member.default]));
