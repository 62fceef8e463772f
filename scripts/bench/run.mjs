// @ts-check
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { existingStore, generatedStore } from './bench-store.mjs';
import { COMMANDS } from './commands.mjs';
import { machineFacts } from './machine.mjs';
import { formatGrowth, formatStore, toResults } from './report.mjs';
import { measureRounds } from './rounds.mjs';
import { parseAgent, parseCount, parseScales, parseSize, parseVersion } from './sizes.mjs';

/** @import { BenchStore } from './bench-store.mjs' */
/** @import { StoreResult } from './report.mjs' */

const HELP = `Measures coppice beside wc, jq, cp and the real pi: the same store, the same minutes.

  node scripts/bench/run.mjs [--runs 5] [--only <regex>] [--json] [--date <text>]
      [--sessions 2725] [--bytes 1GB] [--largest 200MB] [--seed 1] [--version 1|2|3]
      [--agent pi|claude-code|codex]
      [--scale 0.25,0.5,1,2]     how time and memory grow: the sizes times each factor
      [--store <dir>]            an existing store instead; never written to
      [--reference <dir>]        node_modules with pi and its Node

Generated stores stay in ${join(tmpdir(), 'coppice-bench')} for the next run. Each command is run
as a whole process, once to warm up (so the files are in the page cache), then --runs times, all
commands taking turns; figures are medians, ratios are medians of the ratios within a round.
Peak: the largest resident set of any one process. CPU: user and system time of all of them.
Exit code 1 when a command failed; one that is not installed says so and is not a failure.
`;

const ROOT = resolve(import.meta.dirname, '../..');
const FOLDER = join(tmpdir(), 'coppice-bench');
const SCRATCH = join(FOLDER, 'scratch');

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
    json: { type: 'boolean', default: false },
    date: { type: 'string', default: 'no date given' },
    sessions: { type: 'string', default: '2725' },
    bytes: { type: 'string', default: '1GB' },
    largest: { type: 'string', default: '200MB' },
    seed: { type: 'string', default: '1' },
    version: { type: 'string', default: '3' },
    agent: { type: 'string', default: 'pi' },
    scale: { type: 'string', default: '1' },
    store: { type: 'string' },
    reference: { type: 'string', default: join(ROOT, 'test/conformance/reference/node_modules') },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else await main();

async function main() {
  const version = parseVersion(options.version);
  const scales = options.store === undefined ? parseScales(options.scale) : [1];
  /** @type {StoreResult[]} */
  const stores = [];
  let hasFailed = false;
  for (const scale of scales) {
    const store = provideStore(scale, version);
    const rows = await measureStore(store, version);
    hasFailed ||= rows.some((row) => row.failed);
    stores.push({ scale, store, results: toResults(rows, store) });
  }
  process.stdout.write(`${options.json ? formatJson(stores) : formatMarkdown(stores)}\n`);
  process.exitCode = hasFailed ? 1 : 0;
}

/**
 * @param {number} scale
 * @param {1 | 2 | 3} version
 */
function provideStore(scale, version) {
  const agent = parseAgent(options.agent);
  if (options.store !== undefined) return { ...existingStore(options.store), agent };
  return generatedStore(FOLDER, {
    sessions: Math.round(parseCount(options.sessions) * scale),
    bytes: Math.round(parseSize(options.bytes) * scale),
    largest: Math.round(parseSize(options.largest) * scale),
    seed: parseCount(options.seed, 0),
    version,
    ...(agent !== 'pi' && { agent }),
  });
}

/**
 * @param {BenchStore} store
 * @param {1 | 2 | 3} version
 */
async function measureStore({ path, sessions, agent }, version) {
  const commands = COMMANDS.filter(
    ({ name, versions, agents }) =>
      (versions?.includes(version) ?? true) &&
      (agents?.includes(agent) ?? true) &&
      new RegExp(options.only).test(name),
  );
  const reference = resolve(options.reference);
  const [copy, cache] = [join(SCRATCH, 'copy/sessions'), join(SCRATCH, 'first-cache')];
  const context = { store: path, copy, cache, sessions, root: ROOT, reference };
  rmSync(SCRATCH, { recursive: true, force: true });
  mkdirSync(dirname(copy), { recursive: true });
  try {
    return await measureRounds(commands, context, SCRATCH, parseCount(options.runs));
  } finally {
    rmSync(SCRATCH, { recursive: true, force: true });
  }
}

/** @param {StoreResult[]} stores */
function formatJson(stores) {
  const { date, runs, version } = options;
  const machine = machineFacts(options.reference);
  return JSON.stringify(
    { schemaVersion: 1, date, runs: Number(runs), version, machine, stores },
    null,
    2,
  );
}

/** @param {StoreResult[]} stores */
function formatMarkdown(stores) {
  const machine = Object.entries(machineFacts(options.reference));
  const facts = machine.map(([name, fact]) => `${name} ${fact}`).join('; ');
  const tables = stores.map((store) => formatStore(store));
  if (stores.length > 1) tables.push(formatGrowth(stores));
  return [
    `${describeSessions()}, ${options.runs} runs, ${options.date}. ${facts}.`,
    ...tables,
  ].join('\n\n');
}

function describeSessions() {
  return options.agent === 'pi'
    ? `pi sessions of version ${options.version}`
    : `sessions of ${options.agent}`;
}
