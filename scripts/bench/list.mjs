// @ts-check
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

/**
 * The least that a listing can take, on one thread. Prints the CPU time of each part, the start of Node with it, and
 * the peak of the process.
 *
 * Of one that knows the sessions already: finds all files of a store, looks each of them up once, parses the index
 * that `coppice list` has left, prints a line of the same length for each session, and does nothing else. With
 * `--read`, it also reads every file.
 *
 *     coppice list --store <dir> > /dev/null
 *     node scripts/bench/list.mjs --store <dir> --index ~/.cache/coppice/sessions.ndjson [--read] > /dev/null
 *
 * Of a first one (without `--index`): reads every file of pi, parses its header, its first message and the last line
 * alone, counts the others by their ends, keeps a record for each, writes all of them as an index would, and prints
 * them. It checks nothing.
 */

const buffer = Buffer.alloc(128 * 1024);
/** The CPU time at the last report, in seconds. */
let before = 0;

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    index: { type: 'string' },
    read: { type: 'boolean', default: false },
  },
});
if (values.store === undefined) {
  process.stderr.write(
    'usage: node scripts/bench/list.mjs --store <dir> [--index <file> [--read]]\n',
  );
  process.exitCode = 2;
} else main(resolve(values.store), values.index, values.read);

/**
 * @param {string} store
 * @param {string | undefined} index
 * @param {boolean} reads
 */
function main(store, index, reads) {
  report('start');
  const paths = listFiles(store);
  report('find the files');
  let bytes = 0;
  for (const path of paths) bytes += statSync(path).size;
  report('look each up');
  if (reads) {
    for (const path of paths) readWhole(path);
    report('read each');
  }
  const rows = index === undefined ? readRecords(paths) : parseIndex(resolve(index));
  report(index === undefined ? 'read each, and parse three lines' : 'parse the index');
  if (index === undefined) writeIndex(rows);
  for (let start = 0; start < rows.length; start += 128) {
    writeSync(
      1,
      rows
        .slice(start, start + 128)
        .map(toLine)
        .join(''),
    );
  }
  report('print');
  const peak = process.resourceUsage().maxRSS / 1000;
  const size = `${paths.length} files, ${(bytes / 1e6).toFixed(0)} MB, ${rows.length} records`;
  process.stderr.write(`${size}: ${seconds().toFixed(2)} s of CPU, ${peak.toFixed(0)} MB\n`);
}

/**
 * @param {string} directory
 * @returns {string[]}
 */
function listFiles(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    // Joining by hand: `join` takes longer than all else here.
    const path = `${directory}/${entry.name}`;
    return entry.isDirectory() ? listFiles(path) : path;
  });
}

/**
 * @param {readonly string[]} paths
 * @returns {Row[]}
 */
function readRecords(paths) {
  return paths.map((path) => {
    const text = readFileSync(path).toString('utf8');
    const lines = text.trimEnd().split('\n');
    const first = lines.find((line) => line.includes('"role":"user"')) ?? '{}';
    const [header, message, last] = [lines[0] ?? '{}', first, lines.at(-1) ?? '{}'].map(parseLine);
    const title = JSON.stringify(message?.message?.content ?? '').slice(0, 540);
    const start = [header?.id, header?.cwd, header?.timestamp];
    return {
      name: path,
      record: [...start, lines.length, 0, 0, last?.timestamp, 0, title, 0, 0, text.length],
    };
  });
}

/** @param {string} line */
function parseLine(line) {
  return JSON.parse(line);
}

/** @param {readonly Row[]} rows */
function writeIndex(rows) {
  const directory = mkdtempSync(join(tmpdir(), 'coppice-bench-list-'));
  const fd = openSync(join(directory, 'index'), 'w');
  for (const { name, record } of rows) writeSync(fd, `${JSON.stringify([name, record])}\n`);
  closeSync(fd);
  rmSync(directory, { recursive: true });
  report('write the index');
}

/** @param {string} path */
function readWhole(path) {
  const fd = openSync(path, 'r');
  try {
    while (readSync(fd, buffer) > 0);
  } finally {
    closeSync(fd);
  }
}

/** @typedef {{ name: string, record: unknown[] }} Row */

/**
 * @param {string} index
 * @returns {Row[]}
 */
function parseIndex(index) {
  /** @type {Row[]} */
  const found = [];
  const bytes = readFileSync(index);
  for (let start = bytes.indexOf(0x0a) + 1; start < bytes.length;) {
    const end = bytes.indexOf(0x0a, start);
    const [, rows] = JSON.parse(bytes.toString('latin1', start, end));
    for (const row of rows) found.push({ name: row[0], record: row[6] });
    start = end + 1;
  }
  return found;
}

/** @param {Row} row */
function toLine({ record }) {
  const [modified, title, size] = [record[6], record[8], record[11]];
  return `${String(modified)}  ${String(title).padEnd(540)}  ${String(size)}\n`;
}

/** @param {string} what */
function report(what) {
  const now = seconds();
  process.stderr.write(`${what}: ${(now - before).toFixed(2)} s\n`);
  before = now;
}

function seconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
