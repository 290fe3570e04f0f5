// Decides what the bytes of a cell mean: CSV is UTF-8, or else Windows-1252, which Excel writes.
const isCsv = !/\.xlsx$/i.test($('Upload Payout File').first().binary.File.fileName);
// What Windows-1252 has where Latin-1 has control characters.
const SPECIAL = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ';
const windows = (text) => text.replace(/[\x80-\x9F]/g, (one) => SPECIAL[one.charCodeAt(0) - 0x80]);
const decoded = (cell) => {
	if (!isCsv || typeof cell !== 'string' || /[^\0-\xFF]/.test(cell)) return cell;
	const bytes = Buffer.from(cell, 'latin1');
	return bytes.toString('utf8').includes('\uFFFD') ? windows(cell) : bytes.toString('utf8');
};
const input = $input.all().map(({ json }) => json);
const stop = (fileRemark) => [{ json: { fileRemark } }];
const what = 'Use a spreadsheet (.xlsx), a CSV file, or a pain.001 file (.xml).';
if (input[0]?.error) return stop(`It can't be read. ${what}`);
if (!input.some(({ row }) => row)) return stop('It is empty.');
const rows = input.map(({ row }) => Array.from(row ?? [], decoded));
if (isCsv && rows.flat().some((cell) => /^"[^]*\n/.test(cell)))
	return stop("A quotation mark isn't closed, so the rows after it can't be read.");
if (isCsv && rows.flat().some((cell) => String(cell).includes('\0')))
	return stop('Its characters can\'t be read. Save it as "CSV UTF-8".');
return rows.map((cells) => ({ json: { cells } }));
