module.exports = globalThis.loadOnce('n8n-workflow');
