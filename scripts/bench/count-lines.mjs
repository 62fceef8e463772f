// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LF = 0x0a;

/**
 * @param {string} store
 * @returns {number} LFs in all session files
 */
export function countLines(store) {
  const names = readdirSync(store, { recursive: true, encoding: 'utf8' });
  let lines = 0;
  for (const name of names.filter((one) => one.endsWith('.jsonl'))) {
    for (const byte of readFileSync(join(store, name))) if (byte === LF) lines += 1;
  }
  return lines;
}
