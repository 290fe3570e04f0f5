import type { FastifySchemaCompiler, FastifySchemaValidationError } from 'fastify';
import { newValidator } from '../contract';

const exact = newValidator();
/** Only texts stand in an address; there, and nowhere else, `limit=5` means the number. */
const coercing = newValidator({ coerceTypes: true, useDefaults: true });

export const validatorCompiler: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
	(httpPart === 'body' ? exact : coercing).compile(schema);

type Issue = (params: Record<string, unknown>) => string;
const article = (type: unknown) => `${/^[aeio]/.test(String(type)) ? 'an' : 'a'} ${String(type)}`;

/** The sentence of each rule; what is not here keeps the validator's own words. */
const issues: Record<string, Issue> = {
	required: () => 'Field is required',
	type: ({ type }) => `Must be ${[type].flat().map(article).join(' or ')}`,
	minLength: () => 'Must not be empty',
	additionalProperties: () => 'Field is not known',
	unevaluatedProperties: () => 'Field is not known',
	enum: ({ allowedValues }) => `Must be one of ${(allowedValues as unknown[]).join(', ')}`,
	pattern: ({ pattern }) => `Does not match ${String(pattern)}`,
};

/** The service's warnings: where and what, with positions such as `sender.countryCode` (public practice, Answers of the API). */
export function warningsOf(
	errors: FastifySchemaValidationError[],
): Array<{ position: string; issue: string }> {
	return errors.map(({ keyword, instancePath, params, message }) => {
		const missing =
			params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
		const path = [
			...instancePath.split('/').slice(1),
			...(missing === undefined ? [] : [String(missing)]),
		];
		return { position: path.join('.'), issue: issues[keyword]?.(params) ?? message ?? keyword };
	});
}
