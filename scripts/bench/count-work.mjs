// @ts-check
/**
 * Loaded before coppice: counts what it reads and parses, and leaves the counts in the file that
 * `COUNT_WORK` names.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { readSync } = fs;
const { parse } = JSON;
const work = { bytesRead: 0, parsed: 0, bytesParsed: 0 };

/** @type {typeof readSync} */
fs.readSync = (/** @type {Parameters<typeof readSync>} */ ...args) => {
  const count = readSync(...args);
  work.bytesRead += count;
  return count;
};
JSON.parse = (text, reviver) => {
  work.parsed += 1;
  work.bytesParsed += text.length;
  return parse(text, reviver);
};
syncBuiltinESMExports();

process.on('exit', () => {
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  fs.writeFileSync(
    process.env['COUNT_WORK'] ?? '/dev/null',
    JSON.stringify({ ...work, peakBytes }),
  );
});
