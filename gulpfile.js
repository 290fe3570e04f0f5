const { dest, parallel, src } = require('gulp');

/** What tsc does not copy: icons, codex files and output schemas, each to its place beside the compiled code. */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const metadata = () => src('nodes/**/*.json', { base: '.' }).pipe(dest('dist'));

exports.default = parallel(icons, metadata);
