import { email, node } from './workflow';

/* Nodes that only some of the jobs have. */

type Parameters = Record<string, unknown>;

const more = (name: string, type: string, typeVersion: number, parameters: Parameters) => ({
	...node(name, '', typeVersion, parameters),
	type,
});
const langchain = (name: string, type: string, typeVersion: number, parameters: Parameters) =>
	more(name, `@n8n/n8n-nodes-langchain.${type}`, typeVersion, parameters);

export const schedule = (name: string, interval: Parameters) =>
	node(name, 'scheduleTrigger', 1.2, { rule: { interval: [interval] } });

export const manually = () => node('When clicking ‘Execute workflow’', 'manualTrigger', 1, {});

/** Other workflows and tools start here. All values are text. */
export const whenCalled = (name: string, values: string[]) =>
	node(name, 'executeWorkflowTrigger', 1.1, {
		workflowInputs: { values: values.map((value) => ({ name: value, type: 'string' })) },
	});

export const pass = (name: string) => node(name, 'noOp', 1, {});

export const chat = (off: Parameters = {}) => ({
	...langchain('When chat message received', 'chatTrigger', 1.1, { options: {} }),
	webhookId: true,
	...off,
});

export const agent = (systemMessage: string, off: Parameters = {}) => ({
	...langchain('AI Agent', 'agent', 3.1, {
		promptType: 'define',
		text: "={{ $('When chat message received').first().json.chatInput }}",
		options: { systemMessage },
	}),
	...off,
});

export const chatModel = (off: Parameters = {}) => ({
	...langchain('Chat Model', 'lmChatOpenAi', 1.2, {
		model: { __rl: true, mode: 'id', value: 'gpt-4.1-mini' },
		options: {},
	}),
	credentials: { openAiApi: { id: null, name: 'OpenAI account' } },
	...off,
});

/** A tool that executes this workflow, from the trigger that waits for a call. */
export const callThisWorkflow = (
	name: string,
	description: string,
	inputs: Record<string, string>,
	off: Parameters = {},
) => ({
	...langchain(name, 'toolWorkflow', 2.2, {
		description,
		workflowId: { __rl: true, mode: 'id', value: '={{ $workflow.id }}' },
		workflowInputs: {
			mappingMode: 'defineBelow',
			value: Object.fromEntries(
				Object.entries(inputs).map(([input, meaning]) => [
					input,
					`={{ $fromAI('${input}', \`${meaning}\`, 'string') }}`,
				]),
			),
			matchingColumns: [],
			schema: Object.keys(inputs).map((id) => ({
				...{ id, displayName: id, type: 'string', required: false, display: true },
				...{ defaultMatch: false, readOnly: false, removed: false, canBeUsedToMatch: true },
			})),
			attemptToConvertTypes: false,
			convertFieldsToString: false,
		},
	}),
	...off,
});

/** The time zone of the settings, in an expression. */
export const ZONE =
	"($('Settings').all().find(({ json }) => json.setting === 'time zone')?.json.value || 'UTC')";

/** An amount without zeros that say nothing, so that 100, 100.0, and 100.00 are the same text. */
export const plainAmount = (amount: string) =>
	`={{ String(${amount} ?? '').replace(/^0+(?=\\d)/, '').replace(/(\\.\\d*?)0+$/, '$1').replace(/\\.$/, '') }}`;

/** Fields of any type, besides those of the item, or in place of them. */
export const fields = (name: string, assignments: Record<string, string>, besides = true) =>
	node(name, 'set', 3.4, {
		mode: 'raw',
		jsonOutput: `={{ { ${Object.entries(assignments)
			.map(([key, value]) => `${JSON.stringify(key)}: ${value.replace(/^=\{\{ | \}\}$/g, '')}`)
			.join(', ')} } }}`,
		includeOtherFields: besides,
		options: {},
	});

/** Brings the items of both inputs together that have the same value, and keeps all others. */
export const merge = (name: string, fieldsToMatchString: string) =>
	node(name, 'merge', 3.2, {
		mode: 'combine',
		combineBy: 'combineByFields',
		fieldsToMatchString,
		joinMode: 'keepEverything',
		options: {},
	});

const extract = (name: string, operation: string, field: string, parameters: Parameters) =>
	node(name, 'extractFromFile', 1.1, { operation, binaryPropertyName: field, ...parameters });

export const readText = (name: string, field: string) =>
	extract(name, 'text', field, {
		destinationKey: 'data',
		options: { encoding: 'utf8', stripBOM: true, keepSource: 'both' },
	});

/** With the separator that the first line has most often. What can't be read is an item, too. */
export const readCsv = (name: string, field: string) => ({
	...extract(name, 'csv', field, {
		options: {
			delimiter:
				"={{ [';', ',', '\\t'].reduce((best, one) => $json.data.split('\\n', 1)[0].split(one).length > $json.data.split('\\n', 1)[0].split(best).length ? one : best) }}",
			...{ enableBOM: true, includeEmptyCells: true, relaxQuotes: true },
		},
	}),
	...{ onError: 'continueRegularOutput', alwaysOutputData: true },
});

export const readXml = (name: string) =>
	node(
		name,
		'xml',
		1,
		{
			mode: 'xmlToJson',
			dataPropertyName: 'data',
			options: { explicitArray: false, mergeAttrs: true },
		},
		{ onError: 'continueRegularOutput', alwaysOutputData: true },
	);

export const toSpreadsheet = (name: string, fileName: string) =>
	node(name, 'convertToFile', 1.1, {
		operation: 'xlsx',
		binaryPropertyName: 'file',
		options: { fileName, sheetName: 'Result' },
	});

/** An email with the page, and the file of the item. */
export const attachment = (name: string, subject: string, html: string) => {
	const sent = email(name, subject, '');
	const { text: _, ...parameters } = sent.parameters;
	const options = { appendAttribution: false, attachments: 'file' };
	return { ...sent, parameters: { ...parameters, emailFormat: 'html', html, options } };
};
