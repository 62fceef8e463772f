import { describe, expect, it } from 'vitest';
import { findInheritedEntries, linkForks, walkLineages } from '../../src/session/lineage.ts';
import type { SessionSummary } from '../../src/session/summary.ts';

const MANY = 50_000;
/** Ample on a busy machine; anything that grows with the square takes minutes. */
const MAX_MS = 10_000;

const toPath = (index: number): string => `/s/${index}.jsonl`;

function makeSessions(getParent: (index: number) => string | null): readonly SessionSummary[] {
  return Array.from({ length: MANY }, (_, index) => {
    const parentSessionPath = getParent(index);
    const modified = '2026-01-01T00:00:00.000Z';
    const facts = { path: toPath(index), parentSessionPath, branchedFrom: null, created: null };
    return { ...facts, modified } as SessionSummary;
  });
}

describe.each([
  ['none of which is a fork', () => null],
  ['all forks of one', (index: number) => (index === 0 ? null : toPath(0))],
  ['each a fork of the one before', (index: number) => (index === 0 ? null : toPath(index - 1))],
  ['each a fork of the one behind', (index: number) => toPath(index + 1)],
  ['that fork each other in a circle', (index: number) => toPath((index + 1) % MANY)],
])('50,000 sessions, %s', (_, getParent) => {
  it('are walked once each, in time', () => {
    const sessions = makeSessions(getParent);
    const began = performance.now();
    expect(walkLineages(sessions)).toHaveLength(MANY);
    expect(findInheritedEntries(sessions).size).toBe(0);
    expect(linkForks(sessions).size).toBeLessThanOrEqual(MANY);
    expect(performance.now() - began).toBeLessThan(MAX_MS);
  });
});
