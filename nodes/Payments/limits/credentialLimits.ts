import { failed, ok, type Reason, type Result } from '../../shared/result';
import { because, parseAmountLimits, parseCurrencyCode, type AmountLimits } from './amountLimits';

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
	parse: (value: string | number) => Result<T, Reason>,
): Result<T> {
	// A field that was never set is '', so another value comes from an expression.
	const value = Object.hasOwn(credentials, name) ? credentials[name] : '';
	const isReadable = typeof value === 'string' || typeof value === 'number';
	const parsed = isReadable ? parse(value) : because("its value isn't text");
	if (!parsed.problem) return parsed;
	return failed(
		`${LIMIT_FIELDS[name]} in the credential can't be used, because ${parsed.problem.because}`,
		'Correct it in the credential. Nothing is sent until then.',
	);
}

function parseCurrencies(value: string | number): Result<ReadonlySet<string>, Reason> {
	const codes = new Set<string>();
	for (const entry of entriesOf(value)) {
		const code = parseCurrencyCode(entry);
		if (code.problem) return code;
		codes.add(code.value);
	}
	return ok(codes);
}

function parseRecipients(value: string | number): Result<ReadonlySet<string>, Reason> {
	const ids = entriesOf(value);
	if (ids.includes('')) return because('it has a comma without an ID');
	return ok(new Set(ids));
}

function entriesOf(value: string | number): string[] {
	const text = String(value).trim();
	return text === '' ? [] : text.split(/\s*[,;\n]\s*/);
}
