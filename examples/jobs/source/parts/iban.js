/** An IBAN as a number, with letters as 10 to 35, has the remainder 1 if it's right (ISO 13616). */
const isLikeIban = (text) => /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text);
const digitsOf = (iban) => [...iban.slice(4), ...iban.slice(0, 4)].map((one) => parseInt(one, 36)).join('');
const isWrong = ({ account }) => isLikeIban(account) && BigInt(digitsOf(account)) % 97n !== 1n;
