/*
 * Loaded into n8n before anything else (node --require): sends what n8n asks Google to the address
 * in GOOGLE_STUB, because its nodes know no other address.
 */
const http = require('node:http');
const https = require('node:https');

const { request } = https;
https.request = (options, ...rest) => {
	const { hostname, host } = options;
	if (!/\.googleapis\.com$/.test(hostname ?? host ?? '')) return request(options, ...rest);
	const { port } = new URL(process.env.GOOGLE_STUB);
	const here = { protocol: 'http:', hostname: '127.0.0.1', host: '127.0.0.1', port };
	return http.request({ ...options, ...here, agent: undefined }, ...rest);
};
