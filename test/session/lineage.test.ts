import { describe, expect, it } from 'vitest';
import { findInheritedEntries, linkForks, walkLineages } from '../../src/session/lineage.ts';
import type { SessionSummary } from '../../src/session/summary.ts';
import { isProportional } from '../harness/proportional.ts';

const toPath = (index: number): string => `/s/${index}.jsonl`;

type GetParent = (index: number, count: number) => string | null;

function makeSessions(count: number, getParent: GetParent): readonly SessionSummary[] {
  return Array.from({ length: count }, (_, index) => {
    const parentSessionPath = getParent(index, count);
    const modified = '2026-01-01T00:00:00.000Z';
    const facts = { path: toPath(index), parentSessionPath, branchedFrom: null, created: null };
    return { ...facts, modified } as SessionSummary;
  });
}

describe.each<[string, GetParent]>([
  ['none of which is a fork', () => null],
  ['all forks of one', (index) => (index === 0 ? null : toPath(0))],
  ['each a fork of the one before', (index) => (index === 0 ? null : toPath(index - 1))],
  ['each a fork of the one behind', (index) => toPath(index + 1)],
  ['that fork each other in a circle', (index, count) => toPath((index + 1) % count)],
])('many sessions, %s', (_, getParent) => {
  it('are walked once each, in time', async () => {
    expect(
      await isProportional(
        2000,
        (count) => makeSessions(count, getParent),
        (sessions) => {
          expect(walkLineages(sessions)).toHaveLength(sessions.length);
          expect(findInheritedEntries(sessions).size).toBe(0);
          expect(linkForks(sessions).size).toBeLessThanOrEqual(sessions.length);
        },
      ),
    ).toBe(true);
  });
});
