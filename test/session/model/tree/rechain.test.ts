import { sized } from '../../../harness/runs.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../src/session/model/entry.ts';
import { rechain } from '../../../../src/session/model/tree/rechain.ts';
import { buildTree, getPath } from '../../../../src/session/model/tree/tree.ts';
import { makeEntries } from '../../make-entries.ts';

function chain(entries: readonly Entry[], ...dropped: readonly string[]) {
  const kept = entries.filter(({ id }) => !dropped.includes(id ?? ''));
  const links = rechain(buildTree(entries), kept);
  return Object.fromEntries(links.map((link) => [link.entry.id, link]));
}

describe('rechain', () => {
  it('hangs what stays below its nearest ancestor that stays', () => {
    const links = chain(
      makeEntries(
        { id: 'a' },
        { id: 'b', parentId: 'a' },
        { id: 'c', parentId: 'b' },
        { id: 'd', parentId: 'c' },
        { id: 'e', parentId: 'b' },
      ),
      'b',
      'c',
    );
    expect(links['d']?.parentId).toBe('a');
    expect(links['e']?.parentId).toBe('a');
    expect(links['a']?.parentId).toBeNull();
  });

  it('makes a root of what loses all its ancestors', () => {
    const links = chain(makeEntries({ id: 'a' }, { id: 'b', parentId: 'a' }), 'a');
    expect(links['b']?.parentId).toBeNull();
  });

  it('leaves an orphan the parent that it names', () => {
    const links = chain(makeEntries({ id: 'a', parentId: 'gone' }, { id: 'b' }), 'b');
    expect(links['a']?.parentId).toBe('gone');
  });

  it('moves a first kept entry that goes to the next one on the path', () => {
    const links = chain(
      makeEntries(
        { id: 'a' },
        { id: 'label', parentId: 'a', type: 'label' },
        { id: 'b', parentId: 'label' },
        { id: 'c', parentId: 'b', type: 'compaction', firstKeptEntryId: 'label' },
        { id: 'side', parentId: 'label' },
        { id: 'd', parentId: 'side', type: 'compaction', firstKeptEntryId: 'label' },
      ),
      'label',
    );
    expect(links['c']?.firstKeptEntryId).toBe('b');
    expect(links['d']?.firstKeptEntryId).toBe('side');
  });

  it('lets a compaction keep nothing when all that it kept goes', () => {
    const links = chain(
      makeEntries(
        { id: 'a' },
        { id: 'b', parentId: 'a' },
        { id: 'c', parentId: 'b', type: 'compaction', firstKeptEntryId: 'b' },
      ),
      'b',
    );
    expect(links['c']).toMatchObject({ parentId: 'a', firstKeptEntryId: 'c' });
  });

  it('leaves a first kept entry alone that is missing, or not on the path', () => {
    const links = chain(
      makeEntries(
        { id: 'a' },
        { id: 'side', parentId: 'a' },
        { id: 'c', parentId: 'a', type: 'compaction', firstKeptEntryId: 'side' },
        { id: 'd', parentId: 'c', type: 'compaction', firstKeptEntryId: 'gone' },
      ),
      'side',
    );
    expect(links['c']?.firstKeptEntryId).toBe('side');
    expect(links['d']?.firstKeptEntryId).toBe('gone');
  });

  it('ends on cycles, whatever stays', () => {
    const links = chain(
      makeEntries(
        { id: 'a', parentId: 'b' },
        { id: 'b', parentId: 'a' },
        { id: 'c', parentId: 'b' },
      ),
      'a',
      'b',
    );
    expect(links['c']?.parentId).toBeNull();
  });

  it('keeps the order of ancestors in any tree, and needs linear time', () => {
    const trees = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(trees, (shape) => {
        const entries = makeEntries(
          ...shape.map(([parent], at) => ({
            id: `e${at}`,
            parentId: at === 0 ? null : `e${parent % at}`,
          })),
        );
        const kept = entries.filter((_entry, at) => shape[at]?.[1]);
        const before = buildTree(entries);
        const relinked = rechain(before, kept).map(({ entry, parentId }) => ({
          ...entry,
          parentId,
        }));
        const after = buildTree(relinked);
        for (const [at, entry] of relinked.entries()) {
          const wanted = getPath(before, kept[at]).filter((one) => kept.includes(one));
          expect(getPath(after, entry).map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
        }
      }),
    );
    const length = sized(20_000, 100_000);
    const long = makeEntries(
      ...Array.from({ length }, (_, at) => ({
        id: `e${at}`,
        parentId: at === 0 ? null : `e${at - 1}`,
        type: at % 2 === 0 ? 'label' : 'compaction',
        firstKeptEntryId: `e${at - 1}`,
      })),
    );
    const kept = long.filter(({ type }) => type !== 'label');
    const links = rechain(buildTree(long), kept);
    expect(links.at(-1)).toMatchObject({
      parentId: `e${length - 3}`,
      firstKeptEntryId: `e${length - 1}`,
    });
  });
});
