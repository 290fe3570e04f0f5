import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';

import type { Problem } from '../../shared/result';

/**
 * Creates the error that stops the execution. Logs and error workflows read the description as
 * text. The editor shows it as HTML, without line breaks, unless there is a `descriptionTemplate`
 * (`NodeErrorView.vue` of n8n-editor-ui).
 */
export function operationError(node: INode, { message, fix }: Problem): NodeOperationError {
	const error = new NodeOperationError(node, message, { description: fix });
	return withOwnWords(error, message, fix);
}

/**
 * Creates the error that stops the execution at what the service answered. n8n shows its status.
 *
 * @param status of the response
 */
export function apiError(node: INode, { message, fix }: Problem, status: number): NodeApiError {
	const httpCode = String(status);
	const error = new NodeApiError(node, {}, { message, description: fix, httpCode });
	return withOwnWords(error, message, fix);
}

/**
 * n8n replaces a message in which a code of the operating system is, also as a part of a word:
 * "ECONNREFUSED" in the words of the service, EEXIST in "EmployeeExists" (n8n-workflow:
 * `setDescriptiveErrorMessage`).
 */
function withOwnWords<T extends NodeOperationError | NodeApiError>(
	error: T,
	message: string,
	fix: string,
): T {
	error.message = message;
	error.context.descriptionTemplate = toHtml(fix);
	return error;
}

const HTML: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	// n8n formats text between backticks as code, and replaces %%PARAMETER%% by a name.
	'`': '&#96;',
	'%': '&#37;',
	'\n': '<br>',
};

/** Formats text as HTML that shows it unchanged, with its line breaks. */
export const toHtml = (text: string) => text.replace(/[&<>`%\n]/g, (character) => HTML[character]);
