import Ajv2020, { type Options, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The one file that the sandbox's routes, checks and documentation come from. */
export const CONTRACT = join(__dirname, 'openapi.yaml');

/** A validator for OpenAPI 3.1, which is JSON Schema 2020-12. It names all problems, not only the first: a sandbox has no strangers to fear. */
export const newValidator = (more: Options = {}) =>
	addFormats(
		new Ajv2020({
			allErrors: true,
			allowUnionTypes: true,
			strictTypes: false,
			strictRequired: false,
			...more,
		}),
		['password'],
	);

/** Checks values against a schema of the contract, such as `Transaction`; on false, `errors` of the function says what is wrong. */
export function validatorOf(schema: string): ValidateFunction {
	const validator = newValidator({ strictSchema: false }).addSchema(
		parse(readFileSync(CONTRACT, 'utf8')) as object,
		'contract',
	);
	const validate = validator.getSchema(`contract#/components/schemas/${schema}`);
	if (!validate) throw new Error(`${CONTRACT} has no schema ${schema}.`);
	return validate;
}
