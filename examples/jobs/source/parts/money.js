/** EUR 1234567.89 is EUR 1,234,567.89 wherever people read it. Text that is no amount stays. */
const grouped = (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ',');
const moneyOf = ({ currency, amount }) =>
	`${currency} ${String(amount).replace(/^\d+(?=(\.\d+)?$)/, grouped)}`;
