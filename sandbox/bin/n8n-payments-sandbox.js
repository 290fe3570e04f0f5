#!/usr/bin/env node
// By default, V8 lets the heap grow to several times of what is in use before it collects garbage.
require('node:v8').setFlagsFromString('--heap-growing-percent=50');
// The sandbox is written in TypeScript; tsx compiles each file when it is loaded.
require('tsx/cjs');
require('../cli.ts').run();
