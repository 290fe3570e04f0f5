// NODE_PATH names host's packages, so that `npm run demo` needs no others.
const { dest, parallel, src, watch } = require('gulp');

/** Where the compiled code is; `npm run dev` has it elsewhere. */
const OUT_DIR = process.env.OUT_DIR ?? 'dist';
const ICONS = 'icons/*.svg';
const METADATA = 'nodes/**/*.json';

/* What tsc doesn't copy: icons, codex files, and output schemas, each beside the compiled code. */
const icons = () => src(ICONS, { encoding: false }).pipe(dest(`${OUT_DIR}/icons`));
const metadata = () => src(METADATA, { base: '.' }).pipe(dest(OUT_DIR));

exports.default = parallel(icons, metadata);
exports.watch = () => watch([ICONS, METADATA], { ignoreInitial: false }, exports.default);
