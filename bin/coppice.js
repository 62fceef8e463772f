#!/usr/bin/env node
const { main } = require('../dist/main.cjs');

void main();
