import Ajv2020, { type Options } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

/** The contract: the sandbox's routes, validation, types, and documentation come from this file. */
export const CONTRACT = join(__dirname, 'openapi.yaml');

/** The content of the contract. */
export const document = load(readFileSync(CONTRACT, 'utf8')) as Record<string, unknown>;

/**
 * Creates a validator for OpenAPI 3.1, which uses JSON Schema 2020-12. It reports all errors, not
 * only the first: the sandbox isn't exposed to strangers, and a person wants to see everything at
 * once.
 */
export const newValidator = (options: Options = {}) =>
	addFormats(
		new Ajv2020({
			allErrors: true,
			allowUnionTypes: true,
			strictTypes: false,
			strictRequired: false,
			...options,
		}),
		['password'],
	);
