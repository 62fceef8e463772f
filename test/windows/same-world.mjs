// @ts-check
// To be loaded before coppice: node --import same-world.mjs bin/coppice.js. The clock stands still, what is
// drawn by lot is the same each time, and the user's home is the one of COPPICE_TEST_HOME, so that two
// systems can be asked the same. The file COPPICE_TEST_ENDED says what Node ends with, once it has started.
import crypto from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const NOW = Date.parse('2127-01-15T12:00:00.000Z');
let state = 1;

/** What is drawn from now on is what is drawn at the start. */
export function drawAgain() {
  state = 1;
}

/** @param {Uint8Array} bytes */
function fill(bytes) {
  for (let at = 0; at < bytes.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    bytes[at] = state >> 16;
  }
  return bytes;
}

const ended = process.env['COPPICE_TEST_ENDED'];
if (ended !== undefined && isMainThread) {
  writeFileSync(ended, '');
  process.on('exit', (code) => writeFileSync(ended, String(code)));
}

Date.now = () => NOW;
performance.now = () => 0;
Object.assign(crypto, {
  randomFillSync: fill,
  randomBytes: (/** @type {number} */ size) => Buffer.from(fill(new Uint8Array(size))),
});
Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: fill });
const home = process.env['COPPICE_TEST_HOME'] ?? '';
Object.assign(process.env, { HOME: home, USERPROFILE: home });
if (process.platform === 'win32') {
  Object.assign(process.env, {
    LOCALAPPDATA: `${home}\\AppData\\Local`,
    APPDATA: `${home}\\AppData\\Roaming`,
  });
}
syncBuiltinESMExports();
