module.exports = globalThis.loadOnce('fast-check');
