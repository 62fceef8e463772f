// @ts-check
import { parentPort, workerData } from 'node:worker_threads';
import { readAll } from './read.mjs';
import { createScanner } from './scanner.mjs';

/** Reads the files that it is given, as often as it is asked to. */
const { recipe, files, checks } = workerData;
const scanner = createScanner({ ...recipe, code: Buffer.from(recipe.code) });

parentPort?.on('message', () => {
  readAll(files, scanner, checks);
  parentPort?.postMessage('done');
});
parentPort?.postMessage('ready');
