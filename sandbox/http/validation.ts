import type { ValidateFunction } from 'ajv/dist/2020';
import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { newValidator } from '../contract';

/** For bodies, without defaults: with them, a change of some faults would reset others. */
const bodyValidator = newValidator();
/** For URLs, which contain only text: `limit=5` is the number 5. */
const urlValidator = newValidator({ coerceTypes: true, useDefaults: true });

/** Compiles the validator of a route at its first request, so that the start doesn't wait. */
export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
	const validator = httpPart === 'body' ? bodyValidator : urlValidator;
	let compiled: ValidateFunction | undefined;
	const validate: ReturnType<FastifySchemaCompiler<object>> = (data: unknown) => {
		compiled ??= validator.compile(schema);
		const isValid = compiled(data);
		validate.errors = compiled.errors;
		return isValid;
	};
	return validate;
};

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
	const: ({ allowedValue }) => `Must be ${JSON.stringify(allowedValue)}`,
	pattern: ({ pattern }) => `Does not match ${String(pattern)}`,
};

/**
 * Converts validation errors to the service's warnings, with positions such as `sender.countryCode`
 * (docs/interface.md, 10.4).
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
