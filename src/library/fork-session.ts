import type { ForkRequest } from '../session/dialect/forking.ts';
import { type Fork, type ForkOptions, forkSession as fork } from '../session/fork/fork-session.ts';
import { getSessionWorld } from './world.ts';

/**
 * Makes new sessions from one, by default of its current path, beside it; the source is only read.
 * Each file is new, whole and private, or not there at all; of several, all are made or none.
 * @throws FileError for a source or a point that cannot be forked, and a target that exists; TypeError
 * for a path that is not a text.
 */
export async function forkSession(
  path: string,
  request: Partial<ForkRequest> = {},
  options: Partial<ForkOptions> = {},
): Promise<readonly Fork[]> {
  if (typeof path !== 'string') throw new TypeError(`path: expected a text; got ${typeof path}`);
  const { now, createId } = getSessionWorld();
  const world = { now, createId, cwd: process.cwd() };
  return fork(path, { start: { kind: 'leaf' }, ...request }, { world, ...options });
}
