// @ts-check
// Runs the suite again and again in unkind surroundings, to find tests that depend on them:
// npm run test:stress. With --short one round, in random order beside two busy loops.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { geteuid } from 'node:process';
import { build } from './build/keep-dist.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const IS_SHORT = process.argv.includes('--short');
const NOBODY = 65_534;
const SUITE = ['unit', 'alone', 'e2e', ...(IS_SHORT ? [] : ['hostile', 'system'])].flatMap(
  (name) => ['--project', name],
);

/**
 * @typedef {object} Round
 * @property {string} name
 * @property {Record<string, string | undefined>} [env] undefined takes a variable away
 * @property {string} [cwd]
 * @property {number} [uid]
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
  /** @type {boolean[]} */
  const passed = [];
  /** @type {Round[]} */
  const rounds = [
    { name: 'without HOME', env: { HOME: undefined } },
    { name: 'in Kiritimati', env: { TZ: 'Pacific/Kiritimati' } },
    ...Array.from({ length: 6 }, (_, at) => ({ name: `shuffled ${at + 1}` })),
  ];
  for (const [at, round] of rounds.entries()) passed.push(await run(round, at + 1));
  passed.push(await runReadOnly(rounds.length + 1));
  const beside = [10, 11].map((seed) => run({ name: 'side by side' }, seed));
  passed.push((await Promise.all(beside)).every(Boolean));
  report(passed);
}

/**
 * In a copy that only its owner may write to, as somebody else: caches are elsewhere.
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
    await execute('chmod', ['-R', 'a+rX,a-w', tree]);
    await execute('chmod', ['a+rx', directory]);
    await execute('chmod', ['a+rwx', cache]);
    const env = { COPPICE_TEST_CACHE: cache, TMPDIR: cache };
    const isRoot = geteuid?.() === 0;
    const user = isRoot ? { uid: NOBODY } : {};
    return await run({ name: 'read-only tree', env, cwd: tree, ...user }, seed);
  } finally {
    await execute('chmod', ['-R', 'u+w', tree]);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @param {Round} round @param {number} seed */
async function run({ name, env = {}, cwd = ROOT, uid }, seed) {
  const began = Date.now();
  const order = ['--sequence.shuffle.files', `--sequence.seed=${seed}`, '--reporter=dot'];
  const vitest = join(cwd, 'node_modules/vitest/vitest.mjs');
  // The usual loader of the configuration writes into node_modules.
  const how = ['--root', cwd, '--configLoader', 'runner', ...order];
  const args = ['--no-warnings', vitest, 'run', ...how, ...SUITE];
  const all = { ...process.env, ...env };
  const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const code = await execute(process.execPath, args, { cwd, env: kept, uid });
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
