// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CPU_SCRIPT, parseChildCpu, watchPeak } from './process-tree.mjs';

/**
 * One run of a whole process and all it starts. `cpuSeconds`: user and system time of all of
 * them. `peakBytes`: the largest resident set of any one of them, not their sum.
 * @typedef {{ seconds: number, cpuSeconds: number, peakBytes: number }} Measurement
 */

/** @typedef {{ cwd: string, env: Record<string, string>, scratch: string }} Place */

const GNU_TIME = '/usr/bin/time';
const hasGnuTime = spawnSync(GNU_TIME, ['--version']).status === 0;

/** What measures CPU time and memory here; wall time is always ours. */
export const METER = hasGnuTime ? 'GNU time' : '/proc, read every 10 ms';

/**
 * Runs a command to its end. Throws with the end of stderr if the exit code is none of
 * `exitCodes`. What it printed is left in `<scratch>/stdout`.
 * @param {readonly string[]} command
 * @param {Place} place
 * @param {readonly number[]} exitCodes
 * @returns {Promise<Measurement>}
 */
export async function measure(command, place, exitCodes) {
  const meterFile = join(place.scratch, 'meter');
  const wrapper = hasGnuTime
    ? [GNU_TIME, '-o', meterFile, '-f', '%U %S %M', '--']
    : ['env', `METER=${meterFile}`, 'sh', '-c', CPU_SCRIPT, 'sh'];
  const { code, seconds, watchedPeak } = await run([...wrapper, ...command], place);
  if (code === null || !exitCodes.includes(code)) {
    const stderr = readFileSync(join(place.scratch, 'stderr'), 'utf8');
    throw new Error(`exit ${code}: ${stderr.trim().slice(-400)}`);
  }
  const meter = readFileSync(meterFile, 'utf8');
  if (!hasGnuTime) return { seconds, cpuSeconds: parseChildCpu(meter), peakBytes: watchedPeak };
  // A note about the exit code may come before the figures.
  const [user, system, kilobytes] = (meter.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return {
    seconds,
    cpuSeconds: (user ?? NaN) + (system ?? NaN),
    peakBytes: (kilobytes ?? NaN) * 1024,
  };
}

/**
 * @param {readonly string[]} command
 * @param {Place} place
 * @returns {Promise<{ code: number | null, seconds: number, watchedPeak: number }>}
 */
async function run([program = '', ...args], { cwd, env, scratch }) {
  const stdout = openSync(join(scratch, 'stdout'), 'w');
  const stderr = openSync(join(scratch, 'stderr'), 'w');
  try {
    const start = performance.now();
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', stdout, stderr] });
    const stopWatching = hasGnuTime ? () => 0 : watchPeak(child.pid ?? 0);
    /** @type {number | null} */
    const code = await new Promise((done, fail) => child.on('error', fail).on('exit', done));
    const seconds = (performance.now() - start) / 1000;
    return { code, seconds, watchedPeak: stopWatching() };
  } finally {
    closeSync(stdout);
    closeSync(stderr);
  }
}
