import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { pick } from '../harness/pick.ts';
import { makeTempDir } from '../temp-dir.ts';
import { coppice, type Ended } from './coppice.ts';

const PRELOAD = fileURLToPath(new URL('faults/preload.mjs', import.meta.url));

/** A run of the program that is to be stopped. */
export interface Stoppable {
  readonly args: readonly string[];
  /** Below this directory its calls to the file system are counted. */
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The Node that runs it, where that is another than this one. */
  readonly node?: string | undefined;
}

/**
 * Runs the program to its end, and chooses so many of its calls: evenly spread from the first that
 * changes something to the last, and between two of these by the seed. Each thread counts its own
 * calls; those of the busiest are meant.
 */
export async function chooseMoments(run: Stoppable, many: number): Promise<readonly number[]> {
  const log = join(await makeTempDir(), 'calls');
  expect(await watch(run, { log })).toMatchObject({ exitCode: 0, err: '' });
  const threads = readFileSync(log, 'utf8').trim().split('\n').map(toCounts);
  const { first, count } = threads.reduce((one, other) =>
    other.first > 0 && other.count > one.count ? other : one,
  );
  const step = (count - first + 1) / many;
  return Array.from({ length: many }, (_, at) => {
    const within = pick(Math.max(1, Math.floor(step)), `${run.args.join(' ')} ${at}`);
    return Math.min(count, Math.floor(first + at * step) + within);
  });
}

function toCounts(line: string): { readonly first: number; readonly count: number } {
  const [first = 0, count = 0] = line.split(' ').map(Number);
  return { first, count };
}

/** Runs the program, which gets a signal just before its call of that number. */
export async function stopAt(
  run: Stoppable,
  number: number,
  signal: NodeJS.Signals,
): Promise<Ended> {
  return watch(run, { number, signal, once: join(await makeTempDir(), 'stopped') });
}

/** Runs the program, of which the call of that number fails. */
export function failAt(run: Stoppable, number: number, code: string): Promise<Ended> {
  return watch(run, { number, code });
}

function watch({ args, root, env, node }: Stoppable, how: object): Promise<Ended> {
  const fault = { COPPICE_FAULT: JSON.stringify({ root, ...how }) };
  return coppice(args, { node, env: { ...env, ...fault, NODE_OPTIONS: `--import ${PRELOAD}` } });
}
