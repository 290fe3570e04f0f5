import { failed, ok, type Reason, type Result } from '../../shared/result';
import { parseAmountLimits, parseCurrencyCode, SEPARATOR, type AmountLimits } from './amountLimits';

/** What the credential allows for each transaction. */
export interface CredentialLimits {
	/** The largest amount. Empty: amounts aren't limited. */
	maxAmounts: AmountLimits;
	/** Empty: every currency is allowed. */
	allowedCurrencies: ReadonlySet<string>;
	/** IDs of payment channels. Empty: every recipient is allowed. */
	allowedRecipients: ReadonlySet<string>;
}

/** The names of the fields in messages. */
export const LIMIT_FIELDS = {
	maxAmounts: "'Max Amount per Transaction'",
	allowedCurrencies: "'Allowed Currencies'",
	allowedRecipients: "'Allowed Recipients'",
};

/**
 * Reads the limits of the Payments API credential. A value that can't be read is a problem, and
 * never means that there is no limit.
 *
 * @param credentials the decrypted data: `maxAmounts` such as `1000` or `EUR 1000, any 500`,
 *   `allowedCurrencies` such as `EUR, USD`, `allowedRecipients` such as `bakery, city-power`
 * @returns the limits, or `undefined` if all fields are empty
 */
export function parseCredentialLimits(
	credentials: Record<string, unknown>,
): Result<CredentialLimits | undefined> {
	const maxAmounts = readField(credentials, 'maxAmounts', parseAmountLimits);
	if (maxAmounts.problem) return maxAmounts;
	const allowedCurrencies = readField(credentials, 'allowedCurrencies', parseCurrencies);
	if (allowedCurrencies.problem) return allowedCurrencies;
	const allowedRecipients = readField(credentials, 'allowedRecipients', parseRecipients);
	if (allowedRecipients.problem) return allowedRecipients;
	const limits = {
		maxAmounts: maxAmounts.value,
		allowedCurrencies: allowedCurrencies.value,
		allowedRecipients: allowedRecipients.value,
	};
	return ok(Object.values(limits).some(({ size }) => size > 0) ? limits : undefined);
}

function readField<T>(
	credentials: Record<string, unknown>,
	name: keyof typeof LIMIT_FIELDS,
	parse: (text: string) => Result<T, Reason>,
): Result<T> {
	const text = readText(credentials, name);
	const parsed = text.problem ? text : parse(text.value);
	if (!parsed.problem) return parsed;
	return failed(
		`${LIMIT_FIELDS[name]} in the credential can't be used, because ${parsed.problem.because}`,
		'Correct it in the credential. Nothing is sent until then.',
	);
}

function readText(credentials: Record<string, unknown>, name: string): Result<string, Reason> {
	if (!Object.hasOwn(credentials, name)) return ok('');
	const value = credentials[name];
	if (typeof value === 'string') return ok(value.trim());
	if (typeof value === 'number') return ok(String(value));
	// A field that was never set is '', so this comes from an expression, or not from the editor.
	return { problem: { because: "its value isn't text" } };
}

function parseCurrencies(text: string): Result<ReadonlySet<string>, Reason> {
	const codes = new Set<string>();
	for (const entry of entriesOf(text)) {
		const { value, problem } = parseCurrencyCode(entry);
		if (problem) return { problem };
		codes.add(value);
	}
	return ok(codes);
}

function parseRecipients(text: string): Result<ReadonlySet<string>, Reason> {
	const ids = entriesOf(text);
	if (ids.includes('')) return { problem: { because: 'it has a comma without an ID' } };
	return ok(new Set(ids));
}

const entriesOf = (text: string): string[] => (text === '' ? [] : text.split(SEPARATOR));
