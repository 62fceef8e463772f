// @ts-check
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { sessionFiles } from './checks.mjs';
import { median } from './report.mjs';
import { readAll } from './scan/read.mjs';
import { createScanner, describeScanner } from './scan/scanner.mjs';

/** @import { Recipe } from './scan/scanner.mjs' */

/**
 * The least that a command can take which checks every line: reads all session files of a store, has
 * the scanner of `src/session/jsonl/scanner` check each line as JSON and UTF-8 and keep nothing, and
 * does nothing else, on one thread. Prints the CPU time of that, of reading alone, and of `wc -l`; with
 * an agent also that of programs which parse what any listing keeps of each line, and what `validate` keeps, and look
 * at none of it; of pi, of one which only looks at the ends of lines and at strings, as a listing does.
 *
 * Then the same on two threads, by the clock, without the time in which these start.
 */
const USAGE =
  'usage: node scripts/bench/scan.mjs --store <dir> [--agent pi|claude-code|codex] [--runs 5]\n';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    agent: { type: 'string' },
    runs: { type: 'string', default: '5' },
  },
});
if (values.store === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else await main(resolve(values.store), Number(values.runs));

/** @typedef {{ name: string, recipe: Recipe, checks: boolean }} Work */

/**
 * @param {string} store
 * @param {number} runs
 */
async function main(store, runs) {
  const files = sessionFiles(store);
  const works = await listWorks(values.agent);
  printSize(files, works);
  const count = () => countByWc(store);
  await report('s of CPU', runs, () => measure(count, 'children'), works.map(toSingle(files)));
  const pairs = await Promise.all(works.map((work) => startPair(files, work)));
  await report('s by the clock, on two threads', runs, () => clock(count), pairs);
  for (const { end } of pairs) await end();
}

/**
 * @param {string | undefined} agent
 * @returns {Promise<Work[]>}
 */
async function listWorks(agent) {
  const recipe = await describeScanner();
  const works = [
    { name: 'read', recipe, checks: false },
    { name: 'read and check', recipe, checks: true },
  ];
  if (agent === undefined) return works;
  const own = await describeScanner(agent);
  if (agent === 'pi') {
    return [...works, { name: 'read, and look at ends and strings', recipe: own, checks: true }];
  }
  const withRules = await describeScanner(agent, { rules: true });
  return [
    ...works,
    { name: 'read, check, and parse what the index keeps', recipe: own, checks: true },
    { name: 'read, check, and parse what rules keep, too', recipe: withRules, checks: true },
  ];
}

/**
 * @param {readonly string[]} files
 * @param {readonly Work[]} works
 */
function printSize(files, works) {
  for (const { name, recipe, checks } of works) {
    if (!checks) continue;
    const { bytes, lines, others } = readAll(files, createScanner(recipe), true);
    const size = `${files.length} files, ${(bytes / 1e6).toFixed(0)} MB, ${lines} lines`;
    process.stdout.write(`${name}: ${size}, ${others} of them not looked at to their end\n`);
  }
}

/** @typedef {{ name: string, run: () => number | Promise<number> }} Measured returns seconds */

/**
 * Measures all works in turns, and prints medians beside that of `wc -l`.
 * @param {string} unit
 * @param {number} runs
 * @param {() => number} wc
 * @param {readonly Measured[]} works
 */
async function report(unit, runs, wc, works) {
  const all = [{ name: 'wc -l', run: wc }, ...works];
  /** @type {number[][]} */
  const seconds = all.map(() => []);
  // The first run warms up.
  for (let run = 0; run <= runs; run += 1) {
    for (const [at, work] of all.entries()) {
      const time = await work.run();
      if (run > 0) seconds[at]?.push(time);
    }
  }
  const base = median(seconds[0] ?? []);
  for (const [at, { name }] of all.entries()) {
    const time = median(seconds[at] ?? []);
    process.stdout.write(
      `${name}: ${time.toFixed(3)} ${unit}, ${(time / base).toFixed(1)} × wc -l\n`,
    );
  }
}

/**
 * @param {readonly string[]} files
 * @returns {(work: Work) => Measured}
 */
function toSingle(files) {
  return ({ name, recipe, checks }) => {
    const scanner = createScanner(recipe);
    return { name, run: () => measure(() => void readAll(files, scanner, checks), 'self') };
  };
}

/**
 * Starts two threads with half of the bytes each.
 * @param {readonly string[]} files
 * @param {Work} work
 * @returns {Promise<Measured & { end: () => Promise<unknown> }>}
 */
async function startPair(files, { name, recipe, checks }) {
  const workers = halve(files).map(
    (half) =>
      new Worker(new URL('scan/thread.mjs', import.meta.url), {
        workerData: { recipe, files: half, checks },
      }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const run = async () => {
    const start = performance.now();
    const done = workers.map((worker) => once(worker, 'message'));
    for (const worker of workers) worker.postMessage('go');
    await Promise.all(done);
    return (performance.now() - start) / 1000;
  };
  return { name, run, end: () => Promise.all(workers.map((worker) => worker.terminate())) };
}

/**
 * The largest first, each to the half that has less.
 * @param {readonly string[]} files
 */
function halve(files) {
  const sized = files.map((file) => ({ file, size: statSync(file).size }));
  /** @type {{ files: string[], size: number }[]} */
  const halves = [
    { files: [], size: 0 },
    { files: [], size: 0 },
  ];
  for (const { file, size } of sized.toSorted((a, b) => b.size - a.size)) {
    const [half] = halves.toSorted((a, b) => a.size - b.size);
    if (!half) continue;
    half.files.push(file);
    half.size += size;
  }
  return halves.map((half) => half.files);
}

/** @param {string} store */
function countByWc(store) {
  const script = "find . -name '*.jsonl' -print0 | xargs -0 wc -l";
  spawnSync('sh', ['-c', script], { cwd: store, stdio: 'ignore' });
}

/** @param {() => void} work */
function clock(work) {
  const start = performance.now();
  work();
  return (performance.now() - start) / 1000;
}

/**
 * @param {() => void} work
 * @param {'self' | 'children'} whose
 * @returns {number} seconds of CPU
 */
function measure(work, whose) {
  const before = process.cpuUsage();
  const children = childSeconds();
  work();
  const { user, system } = process.cpuUsage(before);
  return whose === 'self' ? (user + system) / 1e6 : childSeconds() - children;
}

/** The CPU time of all processes that have been started and have ended, by the clock of Linux. */
function childSeconds() {
  const fd = openSync('/proc/self/stat', 'r');
  try {
    const bytes = Buffer.alloc(1024);
    const stat = bytes.toString('latin1', 0, readSync(fd, bytes));
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } finally {
    closeSync(fd);
  }
}
