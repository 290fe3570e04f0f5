const { Transform } = require('node:stream');

const { dest, parallel, src, watch } = require('gulp');

/** Where the compiled code is; `npm run dev` has it elsewhere. */
const OUT_DIR = process.env.OUT_DIR ?? 'dist';
const ICONS = 'icons/*.svg';
const METADATA = 'nodes/**/*.json';

/**
 * Makes what tsc writes smaller, because the package has a limit, and no harder to read:
 *
 * - Tabs indent, as in the sources, in place of four blanks.
 * - A module begins without `exports.a = exports.b = void 0;`, as each export is assigned below.
 * - `(0, module_1.call)()` becomes `module_1.call()`. The two differ only in `this`, which no exported function uses.
 */
const smaller = new Transform({
	objectMode: true,
	transform(file, _encoding, done) {
		const code = String(file.contents)
			.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4))
			.replace(/^(?:exports\.\w+ = )+void 0;\n/m, '')
			.replace(/\(0, (\w+_1\.\w+)\)\(/g, '$1(');
		file.contents = Buffer.from(code);
		done(null, file);
	},
});

/* What tsc doesn't copy: icons, codex files, and output schemas, each beside the compiled code. */
const icons = () => src(ICONS, { encoding: false }).pipe(dest(`${OUT_DIR}/icons`));
const metadata = () => src(METADATA, { base: '.' }).pipe(dest(OUT_DIR));
const code = () => src(`${OUT_DIR}/**/*.js`).pipe(smaller).pipe(dest(OUT_DIR));

exports.default = parallel(icons, metadata, code);
exports.watch = () => watch([ICONS, METADATA], { ignoreInitial: false }, parallel(icons, metadata));
