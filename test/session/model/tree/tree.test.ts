import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../src/session/model/entry.ts';
import { buildTree, getPath, walkTree } from '../../../../src/session/model/tree/tree.ts';
import { runs } from '../../../harness/runs.ts';

function entry(id: string | undefined, parentId: string | null, time = 0): Entry {
  return { id, parentId, type: 'message', time, line: 1, offset: 0, length: 0 };
}

const ids = (entries: Iterable<Entry>): (string | undefined)[] =>
  Array.from(entries, ({ id }) => id);

describe('buildTree', () => {
  it('takes the last entry of the file as the leaf', () => {
    const tree = buildTree([entry('a', null), entry('b', 'a'), entry('c', 'a')]);
    expect(tree.leaf?.id).toBe('c');
    expect(ids(getPath(tree, tree.leaf))).toEqual(['a', 'c']);
  });

  it('counts orphans, several roots and an entry that is its own parent as roots', () => {
    const tree = buildTree([
      entry('a', null),
      entry('b', 'gone'),
      entry('c', 'c'),
      entry('d', null),
    ]);
    expect(ids(tree.roots)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets the later of two entries with the same id win', () => {
    const [first, second] = [entry('a', null, 1), entry('a', null, 2)];
    const tree = buildTree([first, second, entry('b', 'a')]);
    expect(tree.get('a')).toBe(second);
    expect(tree.roots).toEqual([second]);
  });

  it('sorts siblings by time, and leaves equal and unreadable times in file order', () => {
    const entries = [entry('r', null), entry('z', 'r', 3), entry('y', 'r', 1), entry('x', 'r', 1)];
    const tree = buildTree(entries);
    expect(ids(tree.roots.flatMap((root) => tree.childrenOf(root)))).toEqual(['y', 'x', 'z']);
  });

  it('walks depth first and tells depth from branching', () => {
    const tree = buildTree([
      entry('a', null),
      entry('b', 'a'),
      entry('c', 'b', 1),
      entry('d', 'b', 2),
      entry('e', 'c'),
    ]);
    const steps = [...walkTree(tree)].map((step) => [step.entry.id, step.depth, step.branchDepth]);
    expect(steps).toEqual([
      ['a', 0, 0],
      ['b', 1, 0],
      ['c', 2, 1],
      ['e', 3, 1],
      ['d', 2, 1],
    ]);
  });

  it('ends every walk, whatever points to what', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', undefined);
    const parent = fc.constantFrom('a', 'b', 'c', 'd', 'gone', null);
    fc.assert(
      fc.property(fc.array(fc.tuple(id, parent), { maxLength: 12 }), (links) => {
        const entries = links.map(([own, up], at) => ({ ...entry(own, up, at), offset: at }));
        const tree = buildTree(entries);
        const walked = [...walkTree(tree)].map((step) => step.entry);
        expect(new Set(walked).size).toBe(walked.length);
        for (const one of entries) {
          const above: Entry[] = [];
          for (let at: Entry | undefined = one; at && !above.includes(at); at = tree.parentOf(at))
            above.unshift(at);
          expect(getPath(tree, one)).toEqual(above);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it('takes a path of any length', () => {
    const count = runs(100_000);
    const entries = Array.from({ length: count }, (_, at) =>
      entry(String(at), at === 0 ? null : String(at - 1)),
    );
    const tree = buildTree(entries);
    expect(getPath(tree, tree.leaf)).toHaveLength(count);
    let steps = 0;
    for (const step of walkTree(tree)) steps += step.entry === entries[steps] ? 1 : 0;
    expect(steps).toBe(count);
  });
});
