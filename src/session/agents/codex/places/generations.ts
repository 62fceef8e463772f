import { dirname } from 'node:path';
import { parseName } from '../format.ts';
import { findHome } from '../index/bases.ts';

/**
 * Files of threads of which a revert has made a later one. Ids of generations are UUIDs of version 7,
 * in the order in which they were made; the first file of a thread has none.
 */
export function listOlderGenerations(paths: readonly string[]): readonly string[] {
  const latest = new Map<string, string>();
  const named = paths.flatMap((path) => {
    const name = parseName(path);
    return name
      ? [{ path, key: `${name.threadId} ${findHome(path) ?? dirname(path)}`, ...name }]
      : [];
  });
  for (const { key, rolloutId = '' } of named) {
    if (rolloutId > (latest.get(key) ?? '')) latest.set(key, rolloutId);
  }
  return named
    .filter(({ key, rolloutId = '' }) => rolloutId < (latest.get(key) ?? ''))
    .map(({ path }) => path);
}
