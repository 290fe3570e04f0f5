/** Replaces each file of a package that a test or our code loads: see environment.js. */
module.exports = {
	process: (_source, path) => ({ code: `module.exports = loadOnce(${JSON.stringify(path)});` }),
	getCacheKey: (_source, path) => path,
};
