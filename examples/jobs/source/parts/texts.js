/** The text of a cell, and of one with an account. */
const EXCEL_DIGITS = 15;
const numberOf = (cell) => String(Number(cell.toPrecision(EXCEL_DIGITS)));
const textOf = (cell) => (typeof cell === 'number' ? numberOf(cell) : String(cell ?? ''))
	.replace(/\p{Cf}/gu, '').replace(/\s+/gu, ' ').trim().normalize('NFC').toWellFormed();
/** An IBAN is the same with blanks and in lower case; other accounts can need both. */
const accountOf = (text) =>
	(/^[a-z]{2} ?\d ?\d( ?[a-z\d]){11,30}$/i.test(text) ? text.replace(/ /g, '').toUpperCase() : text);
