/**
 * Takes chance and the clock out of pi, so that recording twice gives the same bytes, and a changed
 * fixture means that a release writes something else.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';

const START = Date.UTC(2026, 2, 2, 9, 30);

let state = 0;

/** For each fixture, with a seed of its own: a new one leaves the entries of the others alone. */
export function startOver(seed) {
  state = crypto.createHash('sha256').update(seed).digest().readInt32LE();
  mock.timers.reset();
  mock.timers.enable({ apis: ['Date'], now: START });
}

/** Lets time pass and returns the new time, in Unix milliseconds. */
export function later(seconds) {
  mock.timers.tick(seconds * 1000);
  return Date.now();
}

/** Marsaglia's xorshift, 32 bits. */
function nextByte() {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state & 0xff;
}

function fill(bytes) {
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = nextByte();
  return bytes;
}

function randomUUID() {
  const bytes = fill(Buffer.alloc(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

crypto.randomBytes = (size) => fill(Buffer.alloc(size));
crypto.randomUUID = randomUUID;
globalThis.crypto.getRandomValues = fill;
syncBuiltinESMExports();
