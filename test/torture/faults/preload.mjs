// @ts-check
// For the program itself: node --import preload.mjs bin/coppice.js …, with
// COPPICE_FAULT={"root", "number", "code"}: the call of that number below that directory fails.
import { startFaults } from './fault-layer.mjs';

const { root, number, code } = JSON.parse(process.env['COPPICE_FAULT'] ?? '{}');
startFaults({ root, onCall: (call) => (call.number === number ? { code } : undefined) });
