import { join } from 'node:path';
import type { PackingDialect } from '../../../dialect/dialect.ts';
import { parseName } from '../format.ts';
import { bases } from '../index/bases.ts';
import { findHome, toDayDirectory } from './home.ts';

/** Makes the path that Codex gives a thread that begins now, below its home; in local time. */
export function toRolloutPath(home: string, id: string, now: number): string {
  const name = toRolloutName(id, now);
  return join(home, toDayDirectory(name.slice('rollout-'.length)), name);
}

export function toRolloutName(id: string, now: number): string {
  const date = new Date(now);
  const day = [date.getFullYear(), pad(date.getMonth() + 1), pad(date.getDate())].join('-');
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join('-');
  return `rollout-${day}T${time}-${id}.jsonl`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Codex 0.169 lists, opens and continues with a rollout that is compressed, where it looks for rollouts. */
export const packing: PackingDialect = {
  findObstacle(path) {
    if (parseName(path) && findHome(path) !== undefined) return undefined;
    return 'has a name or a place at which Codex does not look for compressed rollouts';
  },
};

/**
 * Files of threads of which a revert has made a later one. Ids of generations are UUIDs of version 7,
 * in the order in which they were made; the first file of a thread has none.
 */
export function listOlderGenerations(paths: readonly string[]): readonly string[] {
  const latest = new Map<string, string>();
  const named = paths.flatMap((path) => {
    const name = parseName(path);
    return name ? [{ path, key: `${name.threadId} ${bases.findPlace(path)}`, ...name }] : [];
  });
  for (const { key, rolloutId = '' } of named) {
    if (rolloutId > (latest.get(key) ?? '')) latest.set(key, rolloutId);
  }
  return named
    .filter(({ key, rolloutId = '' }) => rolloutId < (latest.get(key) ?? ''))
    .map(({ path }) => path);
}
