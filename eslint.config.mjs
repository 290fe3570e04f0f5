import { config } from '@n8n/node-cli/eslint';
import { defineConfig, globalIgnores } from 'eslint/config';

// n8n's own rules, unmodified, for everything that ships.
export default defineConfig([
	globalIgnores(['**/*', '!nodes/**', '!credentials/**', '!package.json']),
	...config,
]);
