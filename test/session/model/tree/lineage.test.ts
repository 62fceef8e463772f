import { describe, expect, it } from 'vitest';
import { findInheritedUsages } from '../../../../src/session/model/tree/inherited-usage.ts';
import { findFamilies, walkLineages } from '../../../../src/session/model/tree/lineage.ts';
import { findParents } from '../../../../src/session/model/tree/parents.ts';
import type { SessionSummary } from '../../../../src/session/model/summary.ts';
import { isProportional } from '../../../harness/proportional.ts';

const toPath = (index: number): string => `/s/${index}.jsonl`;

type GetParent = (index: number, count: number) => string | null;

function makeSessions(count: number, getParent: GetParent): readonly SessionSummary[] {
  return Array.from({ length: count }, (_, index) => {
    const parentSessionPath = getParent(index, count);
    const modified = '2026-01-01T00:00:00.000Z';
    const facts = {
      path: toPath(index),
      id: '',
      parentSessionPath,
      branchedFrom: null,
      created: null,
    };
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
          expect(findInheritedUsages(sessions).size).toBe(0);
          expect(findFamilies(sessions).length).toBeLessThanOrEqual(sessions.length);
        },
      ),
    ).toBe(true);
  });
});

it.each(['my_session', 'my', '_', 'a_b_c', 'ΕΡΓΟΣ'])(
  'finds a renamed parent by its id, such as %s',
  (id) => {
    const facts = { parentSessionPath: null, branchedFrom: null };
    const parent = { ...facts, path: '/s/renamed.jsonl', id };
    const other = { ...facts, path: '/s/other.jsonl', id: 'session' };
    const named = `/gone/2026-01-01T00-00-00-000Z_${id}.jsonl`;
    const fork = { path: '/s/fork.jsonl', id: 'fork', parentSessionPath: named };
    const [family] = findFamilies([parent, other, fork]);
    expect(family?.parents).toEqual([parent]);
    const long = { ...fork, parentSessionPath: '_'.repeat(1_000_000) };
    expect(findFamilies([parent, long])).toEqual([]);
  },
);

it('families of thousands of sessions with one name are found in time', async () => {
  const make = (count: number): readonly SessionSummary[] =>
    makeSessions(count, (index) => (index % 2 === 0 ? null : '/gone/s.jsonl')).map((one, index) => {
      return { ...one, path: `/s/${index}/s.jsonl` };
    });
  const find = (sessions: readonly SessionSummary[]): void => {
    expect(findFamilies(sessions).map(({ parents }) => parents.length)).toEqual([sessions.length]);
    expect(findParents(sessions).size).toBe(sessions.length / 2);
  };
  expect(await isProportional(2000, make, find)).toBe(true);
});

it.each<[string, Readonly<Record<string, string | null>>, Readonly<Record<string, string>>]>([
  [
    'the one at the path that it names',
    { '/a/p.jsonl': null, '/b/p.jsonl': null, '/b/f.jsonl': '/a/p.jsonl' },
    { '/b/f.jsonl': '/a/p.jsonl' },
  ],
  [
    'in each copy of a store that has moved, the one of that copy',
    {
      '/a/s/p.jsonl': null,
      '/b/s/p.jsonl': null,
      '/a/t/f.jsonl': '/old/s/p.jsonl',
      '/b/t/f.jsonl': '/old/s/p.jsonl',
    },
    { '/a/t/f.jsonl': '/a/s/p.jsonl', '/b/t/f.jsonl': '/b/s/p.jsonl' },
  ],
  [
    'another file of the name of the fork',
    { '/a/f.jsonl': '/old/f.jsonl', '/a/b/f.jsonl': null },
    { '/a/f.jsonl': '/a/b/f.jsonl' },
  ],
  ['never the fork itself', { '/a/f.jsonl': '/old/f.jsonl', '/a/g.jsonl': '/a/g.jsonl' }, {}],
  [
    'of a system with other paths',
    { '/a/p.jsonl': null, '/a/f.jsonl': 'C:\\s\\P.jsonl' },
    {
      '/a/f.jsonl': '/a/p.jsonl',
    },
  ],
])('the parent of a fork is %s', (_, parents, expected) => {
  const facts = { id: '', branchedFrom: null, created: null, modified: '2026-01-01T00:00:00.000Z' };
  const sessions = Object.entries(parents).map(([path, parentSessionPath]) => {
    return { ...facts, path, parentSessionPath };
  });
  expect(Object.fromEntries(findParents(sessions))).toEqual(expected);
});
