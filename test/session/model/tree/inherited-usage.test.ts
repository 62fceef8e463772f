import { expect, it } from 'vitest';
import { findInheritedUsages } from '../../../../src/session/model/tree/inherited-usage.ts';
import { packUsages } from '../../../../src/session/model/tree/pack-usages.ts';
import type { SessionSummary } from '../../../../src/session/model/summary.ts';
import { type EntryUsage, NO_USAGE } from '../../../../src/session/model/usage.ts';

/** `key`, `key:request`, with a `!` before one that is of no other session's lineage. */
function toUsage(text: string): EntryUsage {
  const [key = '', request] = text.replace('!', '').split(':');
  const isUnique = text.startsWith('!') || undefined;
  return { key, request, isUnique, model: 'm', time: 1, usage: NO_USAGE };
}

function session(
  path: string,
  hour: number,
  usages: readonly string[],
  parentSessionPath: string | null = null,
): SessionSummary {
  const created = new Date(hour * 3_600_000).toISOString();
  const entryUsages = usages.map(toUsage);
  const facts = { path, id: '', parentSessionPath, branchedFrom: null, created, modified: created };
  return { ...facts, entryUsages } as unknown as SessionSummary;
}

function pack({ entryUsages = [], ...rest }: SessionSummary): SessionSummary {
  return { ...rest, packedUsages: packUsages(entryUsages) };
}

const find = (sessions: readonly SessionSummary[]): unknown =>
  [...findInheritedUsages(sessions)].map(([path, places]) => [path, [...places]]);

it.each<[string, readonly SessionSummary[], unknown]>([
  [
    'a fork has what its parent has, whichever comes first',
    [session('/b', 2, ['1', '2', '3'], '/a'), session('/a', 1, ['1', '2'])],
    [['/b', [0, 1]]],
  ],
  [
    'forks of a parent that is gone are one lineage',
    [session('/b', 1, ['1'], '/gone'), session('/c', 2, ['0', '1'], '/gone')],
    [['/c', [1]]],
  ],
  ['others are not', [session('/a', 1, ['1']), session('/b', 2, ['1'])], []],
  [
    'but where the key is of no other session',
    [session('/a', 1, ['!1']), session('/b', 2, ['2', '!1'])],
    [['/b', [1]]],
  ],
  [
    'of one key, requests separate them',
    [session('/a', 1, ['1:x', '1:y']), session('/b', 2, ['1:x', '1:z', '1:y'], '/a')],
    [['/b', [0, 2]]],
  ],
  [
    'unless one of them names none',
    [session('/a', 1, ['1', '2:x']), session('/b', 2, ['1:x', '2'], '/a')],
    [['/b', [0, 1]]],
  ],
  [
    'a session inherits nothing of itself',
    [session('/a', 1, ['1', '1']), session('/b', 2, ['2'], '/a')],
    [],
  ],
  ['sums have no keys', [session('/a', 1, ['', '']), session('/b', 2, [''], '/a')], []],
])('usages: %s', (_, sessions, expected) => {
  expect(find(sessions)).toEqual(expected);
  expect(find(sessions.map(pack))).toEqual(expected);
});
