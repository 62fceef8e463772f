// @ts-check
// Runs the suite again and again in unkind surroundings, to find tests that depend on them:
// npm run test:stress. With --short one round, in random order beside two busy loops; with --only <name>
// the rounds of that name, to repeat one.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { geteuid } from 'node:process';
import { parseArgs } from 'node:util';
import { build } from './build/dist.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { short: { type: 'boolean' }, only: { type: 'string' } } });
const IS_SHORT = values.short === true;
const NOBODY = 65_534;
const READ_ONLY = 'read-only tree';
const TWICE = 'side by side';
const SUITE = ['unit', 'alone', 'e2e', ...(IS_SHORT ? [] : ['hostile', 'homes', 'system'])].flatMap(
  (name) => ['--project', name],
);

/**
 * @typedef {object} Round
 * @property {string} name
 * @property {Record<string, string | undefined>} [env] undefined takes a variable away
 * @property {string} [cwd]
 * @property {number} [uid]
 * @property {readonly string[]} [prefix] a command that runs the command that follows it
 */

await build();
const started = Date.now();
/** Ends also when this process is killed. */
const BUSY = 'const parent = process.ppid; while (process.ppid === parent);';
const loops = Array.from({ length: IS_SHORT ? 2 : 4 }, () =>
  spawn(process.execPath, ['-e', BUSY], { stdio: 'ignore' }),
);
try {
  await runAll();
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
}

async function runAll() {
  if (IS_SHORT) return report([await run({ name: 'shuffled' }, 1)]);
  /** @type {Round[]} */
  const plain = [
    { name: 'without HOME', env: { HOME: undefined } },
    { name: 'in Kiritimati', env: { TZ: 'Pacific/Kiritimati' } },
    ...Array.from({ length: 6 }, (_, at) => ({ name: `shuffled ${at + 1}` })),
  ];
  /** @type {(readonly [string, () => Promise<boolean>])[]} */
  const rounds = plain.map((round, at) => [round.name, () => run(round, at + 1)]);
  rounds.push([READ_ONLY, () => runReadOnly(plain.length + 1)], [TWICE, runTwice]);
  const chosen = rounds.filter(([name]) => values.only === undefined || name === values.only);
  if (chosen.length === 0) throw new Error(`--only ${values.only}: is the name of no round`);
  /** @type {boolean[]} */
  const passed = [];
  for (const [, start] of chosen) passed.push(await start());
  report(passed);
}

/** Runs the suite twice at once. */
async function runTwice() {
  const both = await Promise.all([10, 11].map((seed) => run({ name: TWICE }, seed)));
  return both.every(Boolean);
}

/**
 * Runs the suite in a copy that its user may not write to; caches are elsewhere. The copy is root's, or else
 * mounted read-only: without the permission to write, files copied from it could not be written to either.
 * @param {number} seed
 */
async function runReadOnly(seed) {
  const directory = mkdtempSync(join(tmpdir(), 'coppice-read-only-'));
  const [tree, cache] = [join(directory, 'tree'), join(directory, 'cache')];
  try {
    mkdirSync(tree);
    const left = new Set(['node_modules', '.git', 'coverage']);
    const isKept = (/** @type {string} */ path) => !left.has(basename(path));
    cpSync(ROOT, tree, { recursive: true, preserveTimestamps: true, filter: isKept });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
    mkdirSync(cache);
    await execute('chmod', ['-R', 'a+rX,go-w', tree]);
    await execute('chmod', ['a+rx', directory]);
    await execute('chmod', ['a+rwx', cache]);
    const env = { COPPICE_TEST_CACHE: cache, TMPDIR: cache };
    const user = geteuid?.() === 0 ? { uid: NOBODY } : { prefix: mountReadOnly(tree) };
    return await run({ name: READ_ONLY, env, cwd: tree, ...user }, seed);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Returns a command that mounts a directory read-only for the command that follows it, which has no power of root.
 * @param {string} directory
 * @returns {readonly string[]}
 */
function mountReadOnly(directory) {
  const script = [
    'mount --bind "$0" "$0"',
    'mount -o remount,bind,ro "$0"',
    'cd "$0"',
    'exec setpriv --ambient-caps=-all --inh-caps=-all "$@"',
  ].join(' && ');
  const isolate = ['unshare', '--map-current-user', '--keep-caps', '--mount'];
  return [...isolate, 'sh', '-c', script, directory];
}

/** @param {Round} round @param {number} seed */
async function run({ name, env = {}, cwd = ROOT, uid, prefix = [] }, seed) {
  const began = Date.now();
  const order = ['--sequence.shuffle.files', `--sequence.seed=${seed}`, '--reporter=dot'];
  const vitest = join(cwd, 'node_modules/vitest/vitest.mjs');
  // The usual loader of the configuration writes into node_modules.
  const how = ['--root', cwd, '--configLoader', 'runner', ...order];
  const args = ['--no-warnings', vitest, 'run', ...how, ...SUITE];
  const all = { ...process.env, COPPICE_COMPILED: '1', ...env };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const [command = '', ...rest] = [...prefix, process.execPath, ...args];
  const code = await execute(command, rest, { cwd, env: kept, uid });
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(
    `stress: ${name}, seed ${seed}: ${code === 0 ? 'green' : 'RED'}, ${seconds} s\n`,
  );
  return code === 0;
}

/**
 * @param {string} command @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 * @returns {Promise<number | null>}
 */
function execute(command, args, options = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', fail);
    child.on('close', done);
  });
}

/** @param {readonly boolean[]} passed */
function report(passed) {
  const red = passed.filter((isGreen) => !isGreen).length;
  const seconds = Math.round((Date.now() - started) / 1000);
  process.stdout.write(
    `stress: ${passed.length - red} of ${passed.length} rounds green, ${seconds} s\n`,
  );
  if (red > 0) process.exitCode = 1;
}
