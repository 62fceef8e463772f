// @ts-check
import { dirname, join } from 'node:path';
import { existingStore, generatedStore, keepStore } from '../bench-store.mjs';
import { copyStore, expectCompressed } from '../checks.mjs';
import { coppice, coppiceExport, coppiceFirst, onEveryFile } from '../commands.mjs';
import { writeEntries, writeImages, writeLongLine } from './stores.mjs';

/** @import { BenchStore } from '../bench-store.mjs' */
/** @import { Command, Context } from '../commands.mjs' */

/**
 * What a command should take at most: seconds by the clock, seconds of CPU, so many times the seconds of the
 * row `of`, and megabytes of the largest process.
 * @typedef {{ seconds?: number, cpuSeconds?: number, times?: number, of?: string, megabytes?: number }} Target
 */

/** @typedef {{ name: string, make: (folder: string) => BenchStore, rows: readonly (Command & { target?: Target })[] }} Suite */

/** Programs of the bench that do only a part of what a command does. */
const [PACK, LEAST, LIST_ALONE] = ['pack.mjs', 'least.mjs', 'list.mjs'].map((name) =>
  join(import.meta.dirname, '..', name),
);
const WC = { name: 'wc -l', ...onEveryFile('wc', '-l') };
const LIST = 'list --no-cache';
const AGAIN = 'list, again';
const TABLE_AGAIN = 'list as a table, again';
const VALIDATE = 'validate';
const again = { name: AGAIN, ...coppice('list --format ndjson') };
/** Prints a row for each session, as a plan of `prune` does. */
const tableAgain = { name: TABLE_AGAIN, ...coppice('list') };
const plan = {
  name: 'prune, a plan',
  ...coppice('prune --older-than 60y'),
  target: { times: 1.5, of: TABLE_AGAIN },
};
const mayFind = { exitCodes: [0, 1] };
const mayMiss = { exitCodes: [0, 3] };

/** @type {readonly Suite[]} */
export const SUITES = [
  {
    name: 'six sessions',
    make: (folder) => generate(folder, { sessions: 6, bytes: 200_000, largest: 80_000 }),
    rows: [{ ...again, target: { cpuSeconds: 0.15 } }],
  },
  {
    name: 'pi, 1 GB',
    make: (folder) => generate(folder, { sessions: 2725, bytes: 1e9, largest: 2e8 }),
    rows: [
      WC,
      { name: LIST, ...coppice('list --no-cache --format ndjson'), target: overWc(2.4) },
      { ...least('pi', 'list'), target: overWc(2.4) },
      again,
      {
        name: 'list --usage, first',
        ...coppiceFirst('list --usage --format ndjson'),
        target: { times: 2, of: LIST, megabytes: 150 },
      },
      {
        name: 'list --usage, again',
        ...coppice('list --usage --format ndjson'),
        target: over(1.3),
      },
      { name: 'list --by model, again', ...coppice('list --by model'), target: over(1.3) },
      { name: 'list --by day, again', ...coppice('list --by day'), target: over(1.3) },
      {
        name: 'validate --older-than 60y',
        ...coppice('validate --older-than 60y'),
        target: over(1.3),
      },
      {
        name: 'compact --larger-than 100GB',
        ...coppice('compact --images drop --larger-than 100GB'),
        target: over(1.3),
      },
      tableAgain,
      plan,
      { name: VALIDATE, ...coppice('validate --format ndjson'), ...mayFind },
      { name: 'export --as md', ...coppiceExport('md'), target: { seconds: 10 } },
      { name: 'export --as html', ...coppiceExport('html'), target: { seconds: 20 } },
      {
        name: 'export --as parquet',
        ...tables(),
        target: { seconds: 20, megabytes: 250 },
      },
    ],
  },
  {
    name: 'pi, 100,000 small sessions',
    make: (folder) => generate(folder, { sessions: 100_000, bytes: 270e6, largest: 40_000 }),
    rows: [
      WC,
      {
        name: 'list, first',
        ...coppiceFirst('list --format ndjson'),
        target: { seconds: 3, megabytes: 250 },
      },
      { name: 'the least of that', ...listAlone(), target: { seconds: 3, megabytes: 250 } },
      { ...again, target: { seconds: 1.2, megabytes: 250 } },
      {
        name: 'the least of that, again',
        ...listAlone('--index "$XDG_CACHE_HOME/coppice/sessions.ndjson"'),
        target: { seconds: 1.2, megabytes: 250 },
      },
      tableAgain,
      plan,
      { name: VALIDATE, ...coppice('validate --format ndjson'), ...mayFind },
    ],
  },
  {
    name: 'pi, 100,000 entries',
    make: (folder) => ofOne(folder, 'entries', writeEntries, { entries: 100_000, branches: 1 }),
    rows: [
      { name: 'list --entries --json', ...onSession('list --entries --json') },
      {
        name: 'list --entries',
        ...onSession('list --entries'),
        target: { times: 1.3, of: 'list --entries --json' },
      },
    ],
  },
  {
    name: 'pi, 100,000 entries in 300 branches',
    make: (folder) => ofOne(folder, 'branches', writeEntries, { entries: 100_000, branches: 300 }),
    rows: [
      {
        name: 'export --as md --all-branches',
        ...coppiceExport('md', '--all-branches'),
        target: { seconds: 3 },
      },
    ],
  },
  {
    name: 'pi, 1,000,000 entries',
    make: (folder) => ofOne(folder, 'million', writeEntries, { entries: 1_000_000, branches: 1 }),
    rows: [{ name: 'export --as md', ...coppiceExport('md'), target: { megabytes: 300 } }],
  },
  {
    name: 'pi, one file of 2.6 GB of images',
    make: (folder) => ofOne(folder, 'images', writeImages, { bytes: 2.6e9 }),
    rows: [
      { name: LIST, ...coppice('list --no-cache') },
      { name: VALIDATE, ...coppice(VALIDATE), ...mayFind, target: { seconds: 5 } },
      {
        name: 'compact --images drop, a preview',
        ...coppice('compact --images drop'),
        target: { times: 2, of: VALIDATE },
      },
    ],
  },
  longLine(600e6),
  longLine(1.5e9),
  {
    name: 'Claude Code, 500 MB in 1,821 files',
    make: (folder) =>
      generate(folder, { agent: 'claude-code', sessions: 1821, bytes: 5e8, largest: 5e7 }),
    rows: [
      WC,
      {
        name: 'list --by day, first',
        ...coppiceFirst('list --by day'),
        target: { seconds: 1.5, megabytes: 150 },
      },
      { name: 'list --by day, again', ...coppice('list --by day'), target: { seconds: 0.4 } },
    ],
  },
  ...largeStores('claude-code', 'Claude Code'),
  ...largeStores('codex', 'Codex'),
  {
    name: 'Codex, 100 MB to compress',
    make: (folder) => generate(folder, { agent: 'codex', sessions: 270, bytes: 1e8, largest: 2e7 }),
    rows: [
      { name: 'zstd -T1', ...onEveryFile('zstd', '-T1 -q -c', '', '> /dev/null') },
      {
        name: 'compact --compress --apply, on Node 24',
        ...coppice('compact --compress --apply --grace 0s', 'copy', getNode24),
        prepare: copyStore,
        check: expectCompressed,
        target: { times: 1.5, of: 'zstd -T1' },
      },
      {
        name: 'a program that does only that',
        command: (context) => [getNode24(context), PACK, context.copy],
        needs: (context) => [getNode24(context), PACK],
        prepare: copyStore,
        check: expectCompressed,
      },
    ],
  },
];

/** @type {Suite} */
export const TEN_GIGABYTES = {
  name: 'pi, 10 GB in 25,000 sessions',
  make: (folder) => generate(folder, { sessions: 25_000, bytes: 1e10, largest: 2e8 }),
  rows: [
    WC,
    { name: LIST, ...coppice('list --no-cache --format ndjson'), target: overWc(1.2) },
    { ...least('pi', 'list'), target: overWc(1.2) },
    {
      name: VALIDATE,
      ...coppice('validate --format ndjson'),
      ...mayFind,
      target: { seconds: 12, megabytes: 300 },
    },
  ],
};

/**
 * @param {number} bytes
 * @returns {Suite}
 */
function longLine(bytes) {
  return {
    name: `pi, a line of ${bytes / 1e6} MB`,
    make: (folder) => ofOne(folder, 'line', writeLongLine, { bytes }),
    rows: [
      { name: LIST, ...coppice('list --no-cache'), ...mayMiss, target: { megabytes: 300 } },
      { name: VALIDATE, ...coppice(VALIDATE), ...mayFind, target: { megabytes: 300 } },
    ],
  };
}

/**
 * @param {'claude-code' | 'codex'} agent
 * @param {string} name
 * @returns {readonly Suite[]}
 */
function largeStores(agent, name) {
  const rows = [
    WC,
    {
      name: LIST,
      ...coppice('list --no-cache --format ndjson'),
      target: { ...overWc(4), megabytes: 150 },
    },
    { ...least(agent, 'list'), target: overWc(4) },
    {
      name: VALIDATE,
      ...coppice('validate --format ndjson'),
      ...mayFind,
      target: { ...overWc(8), megabytes: 150 },
    },
    { ...least(agent, 'validate'), target: { ...overWc(8), megabytes: 150 } },
  ];
  return [
    {
      name: `${name}, 1 GB`,
      make: (folder) => generate(folder, { agent, sessions: 2725, bytes: 1e9, largest: 2e8 }),
      rows,
    },
    {
      name: `${name}, one session of 1 GB`,
      make: (folder) => generate(folder, { agent, sessions: 1, bytes: 1e9, largest: 1e9 }),
      rows,
    },
  ];
}

/**
 * @param {string} folder
 * @param {{ agent?: 'claude-code' | 'codex', sessions: number, bytes: number, largest: number }} options
 */
function generate(folder, options) {
  return generatedStore(folder, { seed: 1, version: 3, ...options });
}

/**
 * @template {object} T
 * @param {string} folder
 * @param {string} name
 * @param {(out: string, shape: T) => void} write
 * @param {T} shape
 */
function ofOne(folder, name, write, shape) {
  return existingStore(keepStore(folder, name, shape, (out) => write(out, shape)));
}

/**
 * Names the one session of a store by the directory that it is in.
 * @param {string} line
 * @returns {Pick<Command, 'command' | 'needs' | 'runsCoppice'>}
 */
function onSession(line) {
  const { command, ...rest } = coppice(line);
  return {
    ...rest,
    command: (context) => [...command(context).slice(0, -2), context.store],
  };
}

/** @returns {Pick<Command, 'command' | 'needs' | 'runsCoppice'>} */
function tables() {
  const { command, ...rest } = coppice('export --as parquet --quiet');
  return { ...rest, command: (context) => [...command(context), '--out', context.copy] };
}

/**
 * The least that a command can take which looks at every line of a store. A first run builds the scanner.
 * @param {string} agent
 * @param {'list' | 'validate'} work
 * @returns {Pick<Command, 'name' | 'command' | 'needs'>}
 */
function least(agent, work) {
  return {
    name: `the least of ${work}`,
    command: ({ store, cache }) => {
      const recipe = join(dirname(cache), `recipe-${agent}-${work}`);
      const options = ['--agent', agent, '--work', work, '--recipe', recipe, '--store', store];
      return [process.execPath, LEAST, ...options];
    },
    needs: () => [LEAST],
  };
}

/**
 * The least that a listing of small sessions can take, on one thread; with the index that ours has left, one of sessions
 * that it knows.
 * @param {string} [options]
 * @returns {Pick<Command, 'command' | 'needs'>}
 */
function listAlone(options = '') {
  const script = `exec "$0" "$1" --store "$2" ${options}`;
  return {
    command: ({ store }) => ['sh', '-c', script, process.execPath, LIST_ALONE, store],
    needs: () => ['sh', LIST_ALONE],
  };
}

/** @param {Context} context */
function getNode24({ root }) {
  return join(root, 'test/package/node_modules/node-24/bin/node');
}

/** @param {number} times */
function overWc(times) {
  return { times, of: WC.name };
}

/** @param {number} times */
function over(times) {
  return { times, of: AGAIN };
}
