// @ts-check
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { machineFacts } from './machine.mjs';
import { formatMegabytes, formatNumber, median, pairedRatio } from './report.mjs';
import { measureRounds } from './rounds.mjs';
import { parseCount } from './sizes.mjs';
import { SUITES, TEN_GIGABYTES } from './targets/suites.mjs';

/** @import { Command, Context } from './commands.mjs' */
/** @import { Row } from './rounds.mjs' */
/** @import { Suite, Target } from './targets/suites.mjs' */

const HELP = `Measures what coppice should take at most, each on a store of the shape that it is about.

  node scripts/bench/targets.mjs [--runs 5] [--only <regex of stores>] [--rows <regex>]
      [--large] [--before <checkout>]

--rows measures the commands with such a name alone. --large adds a store of 10 GB. --before runs each command of another checkout, which is built, too: the
column says how many times its seconds this one takes. Stores stay in ${join(tmpdir(), 'coppice-bench')}. All
commands of a store take turns, after one turn to warm up; figures are medians, also of the ratios of each
turn. Use a machine that does nothing else. Exit code 1 when a command failed; a target that is missed is
not a failure.
`;

const BEFORE = ', before';
const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(tmpdir(), 'coppice-bench');
const SCRATCH = join(FOLDER, 'scratch');
const REFERENCE = join(ROOT, 'test/conformance/reference/node_modules');

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    rows: { type: 'string', default: '' },
    large: { type: 'boolean', default: false },
    before: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else await main();

async function main() {
  const facts = Object.entries(machineFacts(REFERENCE)).map(([name, fact]) => `${name} ${fact}`);
  process.stdout.write(`Medians of ${options.runs} runs. ${facts.join('; ')}.\n`);
  const suites = options.large ? [...SUITES, TEN_GIGABYTES] : SUITES;
  for (const { rows: all, ...rest } of suites.filter(fits(options.only))) {
    const suite = { ...rest, rows: all.filter(fits(options.rows)) };
    const rows = await measureSuite(suite, parseCount(options.runs));
    process.stdout.write(`\n${formatSuite(suite, rows)}\n`);
    // The other checkout may be too old for a command.
    if (rows.some(({ failed, command }) => failed && !isBefore(command))) process.exitCode = 1;
  }
}

/**
 * @param {string} pattern
 * @returns {(named: { name: string }) => boolean}
 */
function fits(pattern) {
  const regex = new RegExp(pattern);
  return ({ name }) => regex.test(name);
}

/**
 * @param {Suite} suite
 * @param {number} runs
 */
async function measureSuite({ make, rows }, runs) {
  const { path: store, sessions } = make(FOLDER);
  const [copy, cache] = [join(SCRATCH, 'copy/sessions'), join(SCRATCH, 'first-cache')];
  const context = { store, copy, cache, sessions, root: ROOT, reference: REFERENCE };
  rmSync(SCRATCH, { recursive: true, force: true });
  mkdirSync(dirname(copy), { recursive: true });
  try {
    return await measureRounds([...rows, ...rows.flatMap(toBefore)], context, SCRATCH, runs);
  } finally {
    rmSync(SCRATCH, { recursive: true, force: true });
  }
}

/** @param {Command} command */
function isBefore({ name }) {
  return name.endsWith(BEFORE);
}

/**
 * The same command of the other checkout, which has an index of its own; none if it is not a command of coppice.
 * @param {Command} command
 * @returns {readonly Command[]}
 */
function toBefore(command) {
  const { before } = options;
  if (before === undefined || !command.runsCoppice) return [];
  const home = `XDG_CACHE_HOME=${join(SCRATCH, 'cache-before')}`;
  /** @param {Context} context */
  const there = (context) => ({ ...context, root: resolve(before) });
  return [
    {
      ...command,
      name: `${command.name}${BEFORE}`,
      command: (context) => ['env', home, ...command.command(there(context))],
      needs: (context) => command.needs(there(context)),
    },
  ];
}

/**
 * @param {Suite} suite
 * @param {readonly Row[]} measured
 */
function formatSuite({ name, rows }, measured) {
  const lines = measured.map((row, at) => formatRow(row, rows[at]?.target ?? {}, measured));
  return [
    `### ${name}\n`,
    '| command | wall s | CPU s | peak | ratio | × before | target |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...lines,
  ].join('\n');
}

/**
 * @param {Row} row
 * @param {Target} target
 * @param {readonly Row[]} all
 */
function formatRow(row, target, all) {
  const { name } = row.command;
  if (row.problem !== undefined) return `| ${name} | ${row.problem.replaceAll(/[\s|]+/g, ' ')} |`;
  const seconds = median(row.runs.map((run) => run.seconds));
  const cpuSeconds = median(row.runs.map((run) => run.cpuSeconds));
  const peakBytes = median(row.runs.map((run) => run.peakBytes));
  /** @param {string | undefined} other */
  const over = (other) =>
    pairedRatio(
      row,
      all.find(({ command }) => command.name === other),
    );
  const [times, timesBefore] = [over(target.of), over(`${name}${BEFORE}`)];
  const judged = [
    judge(seconds, target.seconds, 's'),
    judge(cpuSeconds, target.cpuSeconds, 's of CPU'),
    judge(times, target.times, `× ${target.of}`),
    judge(peakBytes / 1e6, target.megabytes, 'MB'),
  ];
  const cells = [
    name,
    formatNumber(seconds),
    formatNumber(cpuSeconds),
    formatMegabytes(peakBytes),
    times === undefined ? '' : formatNumber(times),
    timesBefore === undefined ? '' : formatNumber(timesBefore),
    judged.filter((text) => text !== '').join(', '),
  ];
  return `| ${cells.join(' | ')} |`;
}

/**
 * @param {number | undefined} value
 * @param {number | undefined} most
 * @param {string} unit
 */
function judge(value, most, unit) {
  if (most === undefined) return '';
  const isMet = value !== undefined && value <= most;
  return `${most} ${unit}${isMet ? '' : ' (missed)'}`;
}
