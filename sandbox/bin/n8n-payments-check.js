#!/usr/bin/env node
// The check is written in TypeScript; tsx compiles each file when it is loaded.
require('tsx/cjs');
require('../../check/main.ts');
