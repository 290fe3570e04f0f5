#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');

// The published package has the check in one file, because it reads answers with the nodes' code.
const bundle = join(__dirname, '../dist/check.js');
if (existsSync(bundle)) {
	require(bundle);
} else {
	// In the repository, tsx compiles each file when it is loaded.
	require('tsx/cjs');
	require('../check/main.ts');
}
