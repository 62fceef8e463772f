// @ts-check
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyStore, expectExported, expectLinePerSession, expectMigrated } from './checks.mjs';

/**
 * @typedef {object} Context
 * @property {string} store
 * @property {string} copy where a run may write, named as agents name a store; absent before each run
 * @property {string} cache for runs that begin without an index
 * @property {number} sessions
 * @property {string} root of this repository
 * @property {string} reference a `node_modules` with pi and the Node that runs it
 */

/**
 * @typedef {object} Command
 * @property {string} name
 * @property {(context: Context) => string[]} command started in the store, measured as a whole
 * @property {(context: Context) => string[]} needs programs and files; without one: not installed
 * @property {(context: Context) => void} [prepare] before each run, not measured
 * @property {(context: Context, stdout: string) => void} [check] throws unless the work was done
 * @property {string} [rival] what the column `× pi` compares with; pi's listing if absent
 * @property {readonly number[]} [versions] of the stores it is for; all if absent
 * @property {readonly string[]} [agents] whose stores it is for; all if absent
 * @property {readonly number[]} [exitCodes] that mean it ran; 0 if absent
 * @property {true} [runsCoppice]
 */

export const PI_LIST = 'pi listAll';
const [BIN, MAIN] = ['bin/coppice.js', 'dist/main.cjs'];
const PI_OPEN = 'pi opens every session';

const listing = { check: expectLinePerSession };
const migration = {
  prepare: copyStore,
  check: expectMigrated,
  rival: PI_OPEN,
  versions: [1, 2],
  agents: ['pi'],
};
const mayFind = { exitCodes: [0, 1] };

/** @type {readonly Command[]} */
export const COMMANDS = [
  { name: 'node -e 0', command: () => [process.execPath, '-e', '0'], needs: () => [] },
  { name: 'coppice --version', ...alone('--version') },
  { name: 'coppice --help', ...alone('--help') },
  { name: 'wc -l', ...onEveryFile('wc', '-l') },
  { name: 'jq empty', ...onEveryFile('jq', 'empty') },
  { name: 'jq empty, two at once', ...onEveryFile('jq', 'empty', '-P 2 -n 16') },
  { name: 'zstd -T1', ...onEveryFile('zstd', '-T1 -q -c', '', '> /dev/null') },
  { name: 'cp -r', command: ({ store, copy }) => ['cp', '-r', store, copy], needs: () => ['cp'] },
  { name: PI_LIST, ...pi('pi-list.mjs'), ...listing, agents: ['pi'] },
  { name: 'coppice list --no-cache', ...coppice('list --no-cache --format ndjson'), ...listing },
  // The run that warms up fills the index.
  { name: 'coppice list, again', ...coppice('list --format ndjson'), ...listing },
  // The first of these runs fills what is kept of usage.
  { name: 'coppice list --usage, again', ...coppice('list --usage --format ndjson'), ...listing },
  { name: 'coppice list --by day, again', ...coppice('list --by day --format ndjson') },
  { name: 'coppice prune, a plan', ...coppice('prune --older-than 60y --format ndjson') },
  { name: 'coppice validate', ...coppice('validate --format ndjson'), ...mayFind },
  { name: 'coppice export --as html', ...coppiceExport('html') },
  { name: PI_OPEN, ...pi('pi-open.mjs', 'copy'), ...migration },
  { name: 'coppice migrate --apply', ...coppice('migrate --apply', 'copy'), ...migration },
];

/**
 * @param {string} program
 * @param {string} argument
 * @param {string} [xargs]
 * @param {string} [output]
 * @returns {Pick<Command, 'command' | 'needs'>}
 */
export function onEveryFile(program, argument, xargs = '', output = '') {
  const script = `find . -name '*.jsonl' -print0 | xargs -0 ${xargs} ${program} ${argument} ${output}`;
  return { command: () => ['sh', '-c', script], needs: () => ['find', 'xargs', program] };
}

/**
 * @param {string} script run by pi's own Node; it is handed pi's session manager
 * @param {'copy'} [place] what it works on; the store, as pi's own sessions, if absent
 * @returns {Pick<Command, 'command' | 'needs'>}
 */
function pi(script, place) {
  return {
    command: (context) => {
      const { node, sessionManager } = piFiles(context);
      const args = place === undefined ? [] : [context[place]];
      return [node, join(import.meta.dirname, script), sessionManager, ...args];
    },
    needs: (context) => Object.values(piFiles(context)),
  };
}

/** @param {Context} context */
function piFiles({ reference }) {
  const dist = join(reference, '@earendil-works/pi-coding-agent/dist');
  return {
    node: join(reference, 'node/bin/node'),
    sessionManager: join(dist, 'core/session-manager.js'),
  };
}

/**
 * @param {string} option with which coppice reads no session
 * @returns {Pick<Command, 'command' | 'needs' | 'runsCoppice'>}
 */
function alone(option) {
  return {
    command: ({ root }) => [process.execPath, join(root, BIN), option],
    needs: ({ root }) => [join(root, BIN), join(root, MAIN)],
    runsCoppice: true,
  };
}

/**
 * @param {string} line subcommand and options
 * @param {'store' | 'copy'} [place] what it works on
 * @param {(context: Context) => string} [getNode] that runs it; the one that runs this if absent
 * @returns {Pick<Command, 'command' | 'needs' | 'runsCoppice'>}
 */
export function coppice(line, place = 'store', getNode = () => process.execPath) {
  const args = line.split(' ');
  return {
    command: (context) => {
      return [getNode(context), join(context.root, BIN), ...args, '--store', context[place]];
    },
    needs: (context) => [getNode(context), join(context.root, BIN), join(context.root, MAIN)],
    runsCoppice: true,
  };
}

/**
 * Does so without the index of an earlier run.
 * @param {string} line
 * @returns {Pick<Command, 'command' | 'needs' | 'prepare' | 'runsCoppice'>}
 */
export function coppiceFirst(line) {
  const { command, ...rest } = coppice(line);
  return {
    ...rest,
    command: (context) => ['env', `XDG_CACHE_HOME=${context.cache}`, ...command(context)],
    prepare: ({ cache }) => rmSync(cache, { recursive: true, force: true }),
  };
}

/**
 * @param {string} format one of those that are a file a session
 * @param {string} [more] other options
 * @returns {Pick<Command, 'command' | 'needs' | 'check' | 'runsCoppice'>}
 */
export function coppiceExport(format, more = '--quiet') {
  const { command, ...rest } = coppice(`export --as ${format} ${more}`);
  return {
    ...rest,
    command: (context) => [...command(context), '--out', context.copy],
    check: (context) => expectExported(context, format),
  };
}
