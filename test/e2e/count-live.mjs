// @ts-check
/**
 * Loaded before coppice: writes to the file that `COUNT_LIVE` names how many bytes were in use at most, without
 * those that only wait to be collected, so that it is the same on every machine and at every load.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** After so many bytes that were read, it looks. */
const EVERY = 4e6;

setFlagsFromString('--expose-gc');
const { readSync } = fs;
const work = { read: 0, live: 0 };

function look() {
  runInNewContext('gc()');
  const { heapUsed, external } = process.memoryUsage();
  work.live = Math.max(work.live, heapUsed + external);
}

/** @type {typeof readSync} */
fs.readSync = (/** @type {Parameters<typeof readSync>} */ ...args) => {
  const count = readSync(...args);
  const looked = Math.floor(work.read / EVERY);
  work.read += count;
  if (Math.floor(work.read / EVERY) > looked) look();
  return count;
};
syncBuiltinESMExports();

process.on('exit', () => {
  fs.writeFileSync(process.env['COUNT_LIVE'] ?? '/dev/null', JSON.stringify(work));
});
