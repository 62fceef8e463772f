// @ts-check
import { closeSync, openSync, readSync } from 'node:fs';

/** @import { Scanner } from './scanner.mjs' */

const CHUNK_BYTES = 128 * 1024;

/**
 * Reads files, and has a scanner look at each of their lines if `checks`.
 * @param {readonly string[]} files
 * @param {Scanner} scanner
 * @param {boolean} checks
 */
export function readAll(files, scanner, checks) {
  const totals = { bytes: 0, lines: 0, others: 0 };
  for (const file of files) {
    const fd = openSync(file, 'r');
    try {
      let begun = 0;
      for (;;) {
        const { bytes, first } = scanner;
        const count = readSync(fd, bytes, first + begun, CHUNK_BYTES - begun, null);
        if (count === 0) break;
        totals.bytes += count;
        begun = checks ? scan(scanner, begun + count, totals) : 0;
      }
    } finally {
      closeSync(fd);
    }
  }
  return totals;
}

/**
 * Checks the lines of a chunk, and moves the beginning of the next one to the front; a line that is longer
 * than the chunk is passed over.
 * @param {Scanner} scanner
 * @param {number} length
 * @param {{ lines: number, others: number }} totals
 */
function scan({ bytes, first, reduce, scannedTo, plan, takeLines, keepLines }, length, totals) {
  const end = first + length;
  let at = first;
  for (;;) {
    const count = reduce(at, end, plan);
    totals.lines += count;
    at = scannedTo.value;
    if (count > 0) {
      const values = takeLines?.();
      if (values) keepLines?.(values);
      continue;
    }
    const lf = bytes.subarray(at, end).indexOf(0x0a);
    if (lf < 0) break;
    totals.others += 1;
    at += lf + 1;
  }
  if (end - at === CHUNK_BYTES) {
    totals.others += 1;
    return 0;
  }
  bytes.copyWithin(first, at, end);
  return end - at;
}
