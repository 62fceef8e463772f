import { FileError } from '../../errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ForkDialect } from '../dialect/forking.ts';

/** @throws FileError, `not-supported`, for a session of an agent whose sessions cannot be forked. */
export function requireForking(path: string, { agent, forking }: Dialect): ForkDialect {
  if (forking) return forking;
  throw new FileError(path, 'not-supported', describeUnforkable(agent));
}

export function describeUnforkable(agent: Dialect['agent']): string {
  return `sessions of ${agent} cannot be forked`;
}
