// Decides what is new in the log: what a job wants to log, and settings that have another value.
const all = $input.all().map(({ json }) => json).filter(({ seal }) => seal);
const genuine = all.filter(({ seal, check }) => seal === check).sort((a, b) => a.id - b.id);
const named = new Set(genuine.flatMap(({ previous }) => previous.split(' ')));
// An entry names all seals that no other one names yet: several, if jobs wrote at the same moment.
const previous = genuine.map(({ seal }) => seal).filter((seal) => !named.has(seal)).join(' ');
const isSetting = ({ what }) => what.startsWith('setting ');
const known = Object.fromEntries(genuine.filter(isSetting).map(({ what, to }) => [what, to]));
const values = {};
for (const { json: { setting, currency, value } } of $('Settings').all()) {
	if (!setting || setting === 'sending') continue; // the lock of the job that pays
	const what = `setting ${[setting, currency].filter(Boolean).join(' ')}`;
	values[what] = [...(values[what] ?? []), value].sort();
}
const isFirst = Object.keys(known).length === 0;
const WHO = isFirst ? 'the settings when the log began' : 'somebody who can write to the data table settings';
const changed = [...new Set([...Object.keys(known), ...Object.keys(values)])].map((what) => {
	const [from, to] = [known[what] ?? '', (values[what] ?? []).join(', ')];
	return { who: WHO, what, from, to, run: '' };
}).filter(({ from, to }) => from !== to);
const asked = $('What to Log').all().map(({ json }) => json).filter(({ what }) => what);
const at = $now.toUTC().toISO();
return [...changed, ...asked].map(({ who, what, from, to, run }) =>
	({ json: { at, who, what, from, to, run, previous } }));
