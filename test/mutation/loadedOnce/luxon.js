module.exports = globalThis.loadOnce('luxon');
