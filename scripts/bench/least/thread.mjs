// @ts-check
import { parentPort, workerData } from 'node:worker_threads';
import { readSessions } from './sessions.mjs';

/** Reads the sessions that it is given, and sends their rows. */
const { recipe, files } = workerData;
parentPort?.postMessage(readSessions(files, recipe));
