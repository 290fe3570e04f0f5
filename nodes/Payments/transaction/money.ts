/*
 * Arithmetic on amounts as the service interface has them (section 2.1): strings of digits with at most one dot. Never floats, which can't
 * represent most decimal fractions.
 */

/** The digits after the dot. */
const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0;

/** The amount in units of 10^-decimals. `decimals` must be at least as many as the amount has. */
const toUnits = (amount: string, decimals: number): bigint => {
	const [whole, fraction = ''] = amount.split('.');
	return BigInt(whole + fraction.padEnd(decimals, '0'));
};

const fromUnits = (units: bigint, decimals: number): string => {
	const digits = units.toString().padStart(decimals + 1, '0');
	const whole = digits.slice(0, digits.length - decimals);
	return decimals === 0 ? whole : `${whole}.${digits.slice(-decimals)}`;
};

/**
 * Adds amounts exactly.
 *
 * @param amounts such as `10` or `2501.00`; not negative
 * @returns the sum with the decimals of the amount that has most of them; `0` for none
 */
export function sumAmounts(amounts: readonly string[]): string {
	const decimals = amounts.reduce((most, amount) => Math.max(most, decimalsOf(amount)), 0);
	const units = amounts.reduce((sum, amount) => sum + toUnits(amount, decimals), 0n);
	return fromUnits(units, decimals);
}

/**
 * Compares amounts exactly: `10` and `10.00` are equal.
 *
 * @returns less than 0 if `a` is smaller, more than 0 if it is larger, 0 if both are equal
 */
export function compareAmounts(a: string, b: string): number {
	const decimals = Math.max(decimalsOf(a), decimalsOf(b));
	const difference = toUnits(a, decimals) - toUnits(b, decimals);
	if (difference === 0n) return 0;
	return difference < 0n ? -1 : 1;
}

/**
 * Adds amounts by currency.
 *
 * @returns the sum of each currency, in the order in which the currencies first appear
 */
export function sumByCurrency(
	transactions: ReadonlyArray<{ amount: string; currency: string }>,
): Map<string, string> {
	const amounts = new Map<string, string[]>();
	for (const { amount, currency } of transactions) {
		const known = amounts.get(currency);
		if (known) known.push(amount);
		else amounts.set(currency, [amount]);
	}
	return new Map([...amounts].map(([currency, list]) => [currency, sumAmounts(list)]));
}

/** Puts a comma between thousands: `4200.00` becomes `4,200.00`. */
export function groupThousands(amount: string): string {
	const [whole, ...fraction] = amount.split('.');
	return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.');
}
