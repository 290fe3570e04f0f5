#!/usr/bin/env node
// The sandbox is written in TypeScript; tsx compiles each file when it is loaded.
require('tsx/cjs');
require('../cli.ts');
