import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { newValidator } from '../contract';

/** For bodies, without defaults: with them, a change of some faults would reset others. */
const bodyValidator = newValidator();
/** For URLs, which contain only text: `limit=5` is the number 5. */
const urlValidator = newValidator({ coerceTypes: true, useDefaults: true });

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
	(httpPart === 'body' ? bodyValidator : urlValidator).compile(schema);

type Issue = (params: Record<string, unknown>) => string;
const article = (type: unknown) => `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`;

/** The text of each rule. Other rules keep the validator's own text. */
const issues: Record<string, Issue> = {
	required: () => 'Field is required',
	type: ({ type }) => `Must be ${[type].flat().map(article).join(' or ')}`,
	minLength: () => 'Must not be empty',
	additionalProperties: () => 'Field is not known',
	unevaluatedProperties: () => 'Field is not known',
	enum: ({ allowedValues }) => `Must be one of ${(allowedValues as unknown[]).join(', ')}`,
	pattern: ({ pattern }) => `Does not match ${String(pattern)}`,
};

/**
 * Converts validation errors to the service's warnings, with positions such as `sender.countryCode`
 * (public practice, Answers of the API).
 */
export function warningsOf(
	errors: FastifySchemaValidationError[],
): Array<{ position: string; issue: string }> {
	return errors.map(({ keyword, instancePath, params, message }) => {
		const property = (params.missingProperty ??
			params.additionalProperty ??
			params.unevaluatedProperty) as string | undefined;
		const path = instancePath.split('/').slice(1);
		if (property !== undefined) path.push(property);
		return { position: path.join('.'), issue: issues[keyword]?.(params) ?? message ?? keyword };
	});
}
