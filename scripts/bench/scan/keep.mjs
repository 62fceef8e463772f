// @ts-check
import { setFlagsFromString } from 'node:v8';
import { readAll } from './read.mjs';
import { createScanner } from './scanner.mjs';

/** Reads the files that it is sent, and sends the seconds of CPU of each time, and the peak in bytes. */
process.once('message', ({ recipe, files, runs }) => {
  // As in `src/batch/v8-settings.ts`.
  setFlagsFromString('--heap-growing-percent=150');
  setFlagsFromString('--semi-space-growth-factor=1');
  const scanner = createScanner({ ...recipe, code: Buffer.from(recipe.code) });
  /** @type {number[]} */
  const seconds = [];
  let lines = 0;
  for (let run = 0; run < runs; run += 1) {
    const start = process.cpuUsage();
    lines = 0;
    for (const file of files) lines += keepFile(file, scanner);
    const { user, system } = process.cpuUsage(start);
    seconds.push((user + system) / 1e6);
  }
  const peak = process.resourceUsage().maxRSS * 1024;
  process.send?.({ lines, seconds, peak }, () => process.disconnect());
});

/** @typedef {{ id: string, parentId: string | null, time: number }} Kept */

/**
 * @param {string} file
 * @param {import('./scanner.mjs').Scanner} scanner
 */
function keepFile(file, scanner) {
  /** @type {Map<string, Kept>} */
  const byId = new Map();
  /** @type {Kept[]} */
  const entries = [];
  const keepLines = (/** @type {readonly any[]} */ values) => {
    for (const { uuid, parentUuid = null, timestamp } of values) {
      const entry = { id: uuid, parentId: parentUuid, time: Date.parse(timestamp) };
      entries.push(entry);
      if (uuid !== undefined) byId.set(uuid, entry);
    }
  };
  readAll([file], { ...scanner, keepLines }, true);
  return entries.length;
}
