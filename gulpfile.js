const { Transform } = require('node:stream');

const { dest, parallel, src, watch } = require('gulp');

/** Where the compiled code is; `npm run dev` has it elsewhere. */
const OUT_DIR = process.env.OUT_DIR ?? 'dist';
const ICONS = 'icons/*.svg';
const METADATA = 'nodes/**/*.json';

/** Indents with tabs, as the sources do: tsc always writes four blanks, which make the package larger. */
const withTabs = new Transform({
	objectMode: true,
	transform(file, _encoding, done) {
		const code = String(file.contents);
		const indented = code.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4));
		file.contents = Buffer.from(indented);
		done(null, file);
	},
});

/* What tsc doesn't copy: icons, codex files, and output schemas, each beside the compiled code. */
const icons = () => src(ICONS, { encoding: false }).pipe(dest(`${OUT_DIR}/icons`));
const metadata = () => src(METADATA, { base: '.' }).pipe(dest(OUT_DIR));
const code = () => src(`${OUT_DIR}/**/*.js`).pipe(withTabs).pipe(dest(OUT_DIR));

exports.default = parallel(icons, metadata, code);
exports.watch = () => watch([ICONS, METADATA], { ignoreInitial: false }, parallel(icons, metadata));
