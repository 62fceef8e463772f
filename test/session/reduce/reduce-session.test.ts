import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOTHING_FLUSHED } from '../../../src/session/jsonl/files/flush.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { readSession } from '../../../src/session/read/read-session.ts';
import type { ImageFiles } from '../../../src/session/model/text/image-block.ts';
import { reduceSession, type ReduceOptions } from '../../../src/session/reduce/reduce-session.ts';
import { ENTRY_REDUCERS, type EntryReducerName } from '../../../src/session/dialect/reduction.ts';
import { buildTree, walkTree } from '../../../src/session/model/tree/tree.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { HEADER, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';
import { randomSession } from './random-session.ts';
import { runs } from '../../harness/runs.ts';

const NO_IMAGES: ImageFiles = {
  folder: 'images',
  put: () => undefined,
  get: () => undefined,
  ownsFolder: () => true,
  flush: () => Promise.resolve(NOTHING_FLUSHED),
  discard: () => undefined,
};

const OPTIONS: ReduceOptions = {
  entries: [],
  images: undefined,
  toolOutput: undefined,
  openImages: () => NO_IMAGES,
  apply: true,
  signal: new AbortController().signal,
};

/** Each run writes a few files. */
const RUNS = runs(6);

/** What the model sees; the leaf that a branch summary names is not a part of it. */
async function readVisible(path: string, leafId?: string): Promise<unknown> {
  const context = await readContext(path, leafId === undefined ? {} : { leafId });
  const messages = context.messages.map((message: JsonObject) => ({ ...message, fromId: null }));
  return { ...context, messages };
}

async function findLeaves(path: string): Promise<readonly string[]> {
  const { session } = await readSession(path);
  const tree = buildTree(session.entries);
  const ends = [...walkTree(tree)].filter(({ entry }) => tree.childrenOf(entry).length === 0);
  return ends.flatMap(({ entry }) => entry.id ?? []);
}

async function findErrors(path: string): Promise<readonly string[]> {
  const validation = await validateSession(path, { levels: new Map() });
  const found = validation?.findings ?? [];
  return found.map(({ rule, entryId }) => `${rule} ${entryId}`).toSorted();
}

async function lastState(path: string): Promise<unknown> {
  const { session } = await readSession(path);
  const named = session.entries.findLast(({ type }) => type === 'session_info');
  return { leaf: session.entries.at(-1)?.id, name: named?.name };
}

/** Sessions of pi hold no copies of what was sent. */
const REDUCERS = ENTRY_REDUCERS.filter((name) => name !== 'copies');

describe('reducers that take entries out', () => {
  it.each([...REDUCERS.map((name) => [name]), [...REDUCERS]])(
    'leave the context, the leaf, the name and the references as they were: %s',
    async (...entries) => {
      const dir = await makeTempDir();
      const [path, copy] = [join(dir, 'a.jsonl'), join(dir, 'b.jsonl')];
      const options = { ...OPTIONS, entries };
      await fc.assert(
        fc.asyncProperty(randomSession, async (lines) => {
          await writeFile(path, toJsonl(lines));
          await copyFile(path, copy);
          const before = new Set(await findErrors(path));
          const preview = await reduceSession(path, { ...options, apply: false });
          expect(await readFile(path)).toEqual(await readFile(copy));
          const outcome = await reduceSession(path, options);
          expect(outcome).toEqual(preview);
          expect((await readFile(path)).length).toBe(outcome.bytesAfter);
          expect(await readVisible(path)).toEqual(await readVisible(copy));
          expect(await lastState(path)).toEqual(await lastState(copy));
          expect((await findErrors(path)).filter((one) => !before.has(one))).toEqual([]);
          expect((await reduceSession(path, options)).action).toBe('unchanged');
        }),
        { numRuns: RUNS },
      );
    },
  );

  it.each(['summarized', 'superseded-state'] as const)(
    'leave the context of every branch as it was: %s',
    async (name) => {
      const dir = await makeTempDir();
      const [path, copy] = [join(dir, 'a.jsonl'), join(dir, 'b.jsonl')];
      await fc.assert(
        fc.asyncProperty(randomSession, async (lines) => {
          await writeFile(path, toJsonl(lines));
          await copyFile(path, copy);
          const leaves = await findLeaves(path);
          await reduceSession(path, { ...OPTIONS, entries: [name] });
          expect(await findLeaves(path)).toEqual(expect.arrayContaining([...leaves]));
          for (const leaf of leaves) {
            expect(await readVisible(path, leaf)).toEqual(await readVisible(copy, leaf));
          }
        }),
        { numRuns: RUNS },
      );
    },
  );
});

describe('a tree whose branches all have what its root holds', () => {
  const entry = (id: string, parentId: string | null, body: object): object => {
    return { id, parentId, timestamp: '2026-03-01T10:00:00.000Z', ...body };
  };
  const message = (id: string, parentId: string | null, text: string): object =>
    entry(id, parentId, { type: 'message', message: user(text) });
  const compaction = (id: string, parentId: string): object =>
    entry(id, parentId, { type: 'compaction', summary: '', firstKeptEntryId: id, tokensBefore: 1 });
  const note = (id: string, parentId: string | null): object =>
    entry(id, parentId, { type: 'custom_message', customType: 'x', content: '', display: true });
  const snapshot = (id: string, parentId: string | null): object =>
    entry(id, parentId, { type: 'custom', customType: 'todo', data: {} });

  it.each<[EntryReducerName, readonly object[], readonly string[]]>([
    [
      'summarized',
      [
        note('r', null),
        note('s', 'r'),
        message('a', 's', 'kept by name'),
        compaction('b', 'a'),
        message('c', 's', 'summarized'),
        compaction('d', 'c'),
      ],
      ['r', 'a', 'b', 'd'],
    ],
    [
      'superseded-state',
      [snapshot('r', null), snapshot('s', 'r'), snapshot('a', 's'), snapshot('b', 's')],
      ['r', 'a', 'b'],
    ],
  ])('keeps the root, and no more: %s', async (name, entries, left) => {
    const path = join(await makeTempDir(), 'a.jsonl');
    await writeFile(path, toJsonl([HEADER, ...entries]));
    await reduceSession(path, { ...OPTIONS, entries: [name] });
    const { session } = await readSession(path);
    expect(session.entries.map(({ id }) => id)).toEqual(left);
    const roots = session.entries.filter(({ parentId }) => parentId === null);
    expect(roots.map(({ id }) => id)).toEqual(['r']);
  });

  it('loses its root when one branch is all that stays', async () => {
    const path = join(await makeTempDir(), 'a.jsonl');
    const entries = [snapshot('r', null), snapshot('s', 'r'), snapshot('a', 's')];
    await writeFile(path, toJsonl([HEADER, ...entries]));
    await reduceSession(path, { ...OPTIONS, entries: ['superseded-state'] });
    const { session } = await readSession(path);
    expect(session.entries).toMatchObject([{ id: 'a', parentId: null }]);
  });
});
