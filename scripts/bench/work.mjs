// @ts-check
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generatedStore } from './bench-store.mjs';
import { countLines } from './count-lines.mjs';

/**
 * How much work commands do, not how long they take: the same on every machine, so that CI can tell
 * when one begins to do twice as much. Prints a table; exit code 1 when a limit is passed.
 *
 *     node scripts/bench/work.mjs
 */

/** @import { BenchStore } from './bench-store.mjs' */
/** @typedef {{ line: string, of: BenchStore, read: number, parsed: number, text?: number, peak: number }} Limit */
/** @typedef {{ bytesRead: number, parsed: number, bytesParsed: number, peakBytes: number }} Work */

const ROOT = resolve(import.meta.dirname, '../..');
const MB = 1e6;

const scratch = mkdtempSync(join(tmpdir(), 'coppice-work-'));
const size = { sessions: 60, bytes: 20 * MB, largest: 4 * MB, seed: 1 };
const folder = join(tmpdir(), 'coppice-bench');
const store = generatedStore(folder, { ...size, version: 3 });
const old = generatedStore(folder, { ...size, version: 1 });
const claude = generatedStore(folder, { ...size, version: 3, agent: 'claude-code' });
const codex = generatedStore(folder, { ...size, version: 3, agent: 'codex' });
/**
 * What may be read and parsed, as shares of the bytes and lines of the store; a little above what it
 * is today. A small part of every file is read twice, for what is asked before the whole; what a
 * second listing reads is the index. `text`: the share of the bytes that is parsed, where lines are cut
 * down before.
 */
/** @type {readonly Limit[]} */
const LIMITS = [
  { line: 'list --no-cache --json', of: store, read: 1.01, parsed: 0.03, peak: 100 * MB },
  { line: 'list --json', of: store, read: 1.01, parsed: 0.03, peak: 100 * MB },
  // One line of the index for each session.
  { line: 'list --json', of: store, read: 0.01, parsed: 0.005, peak: 90 * MB },
  { line: 'list --by model --json', of: store, read: 1.02, parsed: 0.06, peak: 100 * MB },
  { line: 'list --by model --json', of: store, read: 0.02, parsed: 0.03, peak: 100 * MB },
  // A plan that removes nothing.
  { line: 'prune --json --older-than 60y', of: store, read: 0.01, parsed: 0.005, peak: 100 * MB },
  { line: 'validate --json', of: store, read: 1.01, parsed: 0.03, peak: 100 * MB },
  // Of each line, what the index reads and the names of members are parsed, a text each.
  {
    line: 'compact --images drop --json --grace 0s',
    of: store,
    read: 2.05,
    parsed: 22.5,
    text: 0.3,
    peak: 110 * MB,
  },
  {
    line: 'list --no-cache --json',
    of: claude,
    read: 1.02,
    parsed: 0.05,
    text: 0.3,
    peak: 100 * MB,
  },
  {
    line: 'list --no-cache --json',
    of: codex,
    read: 1.02,
    parsed: 0.05,
    text: 0.3,
    peak: 100 * MB,
  },
  // Filling the index, and using it.
  { line: 'list --json', of: claude, read: 1.02, parsed: 0.05, text: 0.3, peak: 90 * MB },
  { line: 'list --json', of: claude, read: 0.02, parsed: 0.005, peak: 90 * MB },
  { line: 'list --json', of: codex, read: 1.02, parsed: 0.05, text: 0.3, peak: 90 * MB },
  { line: 'list --json', of: codex, read: 0.02, parsed: 0.005, peak: 90 * MB },
  { line: 'validate --json', of: claude, read: 1.02, parsed: 0.05, text: 0.26, peak: 100 * MB },
  // The client skips a line for a field of any type of line, so each is looked at.
  { line: 'validate --json', of: codex, read: 1.02, parsed: 0.05, text: 0.37, peak: 100 * MB },
  // The lines of the current path; of the others only what the index and the summary keep.
  {
    line: `export --as md --out ${scratch}/md`,
    of: store,
    read: 1.6,
    parsed: 0.62,
    peak: 100 * MB,
  },
  {
    line: `export --as md --out ${scratch}/cc`,
    of: claude,
    read: 2.05,
    parsed: 0.95,
    peak: 100 * MB,
  },
  { line: 'migrate --json', of: old, read: 1.3, parsed: 0.08, peak: 100 * MB },
];

try {
  let hasFailed = false;
  for (const limit of LIMITS) hasFailed = !report(limit) || hasFailed;
  process.exitCode = hasFailed ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** @param {Limit} limit */
function report({ line, of, read, parsed, text = Infinity, peak }) {
  const work = count(line, of.path);
  const lines = countLines(of.path);
  const parts = { read: work.bytesRead / of.bytes, text: work.bytesParsed / of.bytes };
  const shares = { ...parts, parsed: work.parsed / lines };
  const isWithin =
    shares.read <= read && shares.parsed <= parsed && shares.text <= text && work.peakBytes <= peak;
  const facts = [
    `read ${shares.read.toFixed(3)} of the bytes (at most ${read})`,
    `parsed ${shares.parsed.toFixed(3)} of the lines (at most ${parsed})`,
    ...(text === Infinity ? [] : [`with ${shares.text.toFixed(3)} of the bytes (at most ${text})`]),
    `peak ${(work.peakBytes / MB).toFixed(0)} MB (at most ${peak / MB})`,
  ];
  const what = `${line.replace(`${scratch}/`, '')}${of.agent === 'pi' ? '' : ` of ${of.agent}`}`;
  process.stdout.write(`${isWithin ? 'ok  ' : 'MORE'} ${what}: ${facts.join(', ')}\n`);
  return isWithin;
}

/**
 * @param {string} line
 * @param {string} path
 * @returns {Work}
 */
function count(line, path) {
  const counts = join(scratch, 'counts.json');
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: scratch,
    XDG_CACHE_HOME: join(scratch, 'cache'),
    COUNT_WORK: counts,
  };
  const counter = join(import.meta.dirname, 'count-work.mjs');
  const args = ['--import', counter, join(ROOT, 'bin/coppice.js'), ...line.split(' ')];
  try {
    execFileSync(process.execPath, [...args, '--jobs', '1', '--store', path], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    // Findings are no failure.
    if (!(error instanceof Error && 'status' in error && error.status === 1)) throw error;
  }
  return JSON.parse(readFileSync(counts, 'utf8'));
}
