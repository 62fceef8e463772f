import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { compactSession } from '../../../../src/session/compact/compact-session.ts';
import type { ForkStart } from '../../../../src/session/dialect/forking.ts';
import { forkSession } from '../../../../src/session/fork/fork-session.ts';
import { readSession } from '../../../../src/session/read/read-session.ts';
import type { EntryReducerName } from '../../../../src/session/dialect/reduction.ts';
import { reduceSession } from '../../../../src/session/reduce/reduce-session.ts';
import { buildTree, getPath } from '../../../../src/session/model/tree/tree.ts';
import { previewImageFiles } from '../../../../src/store/output/image-files.ts';
import { SESSION_ID, toText } from './healthy-session.ts';
import { findNextParent, loadConfig, loadNeovate } from './neovate-loader.ts';
import { randomSession } from './random-session.ts';
import { runs } from '../../../harness/runs.ts';

const dir = await mkdtemp(join(tmpdir(), 'coppice-test-'));
afterAll(() => rm(dir, { recursive: true, force: true }));

const path = join(dir, `${SESSION_ID}.jsonl`);
const { signal } = new AbortController();
let forks = 0;

const said = (text: string): readonly unknown[] =>
  loadNeovate(text).map(({ uuid, role, content }) => [uuid, role, content]);

async function fork(text: string, start: ForkStart): Promise<string> {
  await writeFile(path, text);
  const createId = (): string => `f${(forks += 1).toString().padStart(7, '0')}`;
  const world = { now: () => 0, createId, cwd: '/' };
  const [made] = await forkSession(path, { start }, { world });
  return readFile(made?.path ?? '', 'utf8');
}

async function reduce(text: string, entries: readonly EntryReducerName[]): Promise<string> {
  await writeFile(path, text);
  const options = { images: undefined, toolOutput: undefined, apply: true, signal };
  await reduceSession(path, { ...options, entries, openImages: previewImageFiles });
  return readFile(path, 'utf8');
}

async function compact(text: string): Promise<string> {
  await writeFile(path, text);
  const settings = { enabled: true, reserveTokens: undefined, keepRecentTokens: 0 };
  await compactSession(path, {
    settingsFor: () => Promise.resolve(settings),
    contextWindowOf: () => Promise.resolve(200_000),
    summarizer: { summarize: () => Promise.resolve({ text: 'So far.' }) },
    force: true,
    apply: true,
    now: () => 1_800_000_000_000,
    signal,
  });
  return readFile(path, 'utf8');
}

const check = (property: (lines: Parameters<typeof toText>[0]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(randomSession, property), { numRuns: runs(12) });

describe('any Neovate session', () => {
  it('has the path that the loader reads', () =>
    check(async (lines) => {
      await writeFile(path, toText(lines));
      const { session } = await readSession(path);
      const tree = buildTree(session.entries, session);
      const ids = getPath(tree, tree.leaf).map(({ id }) => id);
      expect(ids).toEqual(loadNeovate(toText(lines)).map(({ uuid }) => uuid));
    }));

  it('is forked at its leaf, and whole, into one that loads the same', () =>
    check(async (lines) => {
      const text = toText(lines);
      for (const kind of ['leaf', 'whole'] as const) {
        const forked = await fork(text, { kind });
        expect(said(forked)).toEqual(said(text));
        expect(loadConfig(forked)).toEqual(loadConfig(text));
        expect(findNextParent(forked)).toBe(findNextParent(text));
      }
    }));

  it('is forked at any message into one that loads the path to it', () =>
    check(async (lines) => {
      const messages = lines.flatMap((line, index) => (uuidOf(line) ? [index] : []));
      const at = messages[Math.floor(messages.length / 2)] ?? 0;
      const forked = await fork(toText(lines), { kind: 'at', entry: uuidOf(lines[at]) ?? '' });
      expect(said(forked)).toEqual(said(toText(lines.slice(0, at + 1))));
    }));

  it('is compacted into one whose path is the summary, on which the next prompt hangs', () =>
    check(async (lines) => {
      const text = toText(lines);
      const compacted = await compact(text);
      expect(compacted.startsWith(text)).toBe(true);
      const [only, ...others] = loadNeovate(compacted);
      expect([only?.uiContent, others]).toEqual(['Chat history compacted successfully.', []]);
      expect(findNextParent(compacted)).toBe(only?.uuid);
      // Nothing is left to do.
      expect(await compact(compacted)).toBe(compacted);
    }));

  it.each([
    [['abandoned-branches']],
    [['summarized']],
    [['abandoned-branches', 'summarized']],
    [['summarized', 'abandoned-branches']],
  ] as const)('loads the same without what %j takes out', (entries) =>
    check(async (lines) => {
      const text = toText(lines);
      const reduced = await reduce(text, entries);
      expect(loadNeovate(reduced)).toEqual(loadNeovate(text));
      expect(loadConfig(reduced)).toEqual(loadConfig(text));
      const before = new Set(text.split('\n').map(withoutParent));
      const changed = reduced.split('\n').filter((line) => !before.has(withoutParent(line)));
      expect(changed).toEqual([]);
      // Every parent that was there still is.
      expect(countOrphans(reduced)).toBe(countOrphans(text));
      expect(await reduce(reduced, entries)).toBe(reduced);
    }),
  );
});

function uuidOf(line: unknown): string | undefined {
  const { uuid } = line as { uuid?: string };
  return uuid;
}

function withoutParent(line: string): string {
  return line.replace(/"parentUuid":("\w+"|null),/, '');
}

function countOrphans(text: string): number {
  const named = text.match(/"parentUuid":"\w+"/g) ?? [];
  return named.filter((one) => !text.includes(one.replace('parentUuid', 'uuid'))).length;
}
