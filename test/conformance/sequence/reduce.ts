import fc from 'fast-check';
import { expect } from 'vitest';
import {
  getString,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../src/session/jsonl/edit/json.ts';
import { reduction } from '../../../src/session/agents/pi/reduce/reduction.ts';
import { ENTRY_REDUCERS, type EntryReducerName } from '../../../src/session/dialect/reduction.ts';
import type { Bench } from './bench.ts';
import { expectCuts } from './cut.ts';
import type { ImageMode } from './images.ts';
import type { View } from './view.ts';

/** `compact` with reducers, any of them together. */
export interface Reduce {
  readonly kind: 'reduce';
  readonly images: ImageMode | undefined;
  /** Bytes. */
  readonly toolOutput: number | undefined;
  readonly entries: readonly EntryReducerName[];
}

/** Those that find something in sessions of pi. */
const OWN_REDUCERS = ENTRY_REDUCERS.filter((name) => reduction.entryReducers[name]);

export const reductions: fc.Arbitrary<Reduce> = fc
  .record({
    kind: fc.constant('reduce' as const),
    images: fc.option(fc.constantFrom('extract', 'drop', 'restore'), { nil: undefined }),
    toolOutput: fc.option(fc.constantFrom(200, 201, 300, 1000), { nil: undefined }),
    entries: fc.subarray([...OWN_REDUCERS]),
  })
  .filter(({ images, toolOutput, entries }) => Boolean(images ?? toolOutput ?? entries[0]));

/** What reductions can change, by name. */
export const REDUCTIONS = [
  ...OWN_REDUCERS,
  'tool-output',
  'images extract',
  'images drop',
  'images restore',
];

/** What is left is as it was but for what the options name, in the file and in the model's eyes. */
export async function reduce(
  bench: Bench,
  before: View,
  options: Reduce,
): Promise<readonly string[]> {
  const [result] = await bench.run('compact', '--apply', '--grace', '0s', ...toArgv(options));
  const after = bench.look();
  const mayGo = before.version === 3 && (before.isSound || options.entries.length === 0);
  if (!mayGo) {
    expect(result).toMatchObject({ action: 'skip' });
    expect(after.text).toBe(before.text);
    return [];
  }
  expect(result?.['action']).not.toBe('skip');
  expectLines(bench, before, after, options);
  await expectContexts(bench, before, after, options);
  if (options.images === 'extract') await expectRestorable(bench, after);
  const savings = isList(result?.['savings']) ? result['savings'] : [];
  expect(savings.length > 0).toBe(after.text !== before.text);
  return savings.filter(isObject).map((saving) => {
    const name = getString(saving, 'reducer') ?? '';
    return name === 'images' ? `images ${options.images}` : name;
  });
}

function toArgv({ images, toolOutput, entries }: Reduce): readonly string[] {
  return [
    ...(images ? ['--images', images] : []),
    ...(toolOutput ? ['--tool-output', `${toolOutput}B`] : []),
    ...entries.map((name) => `--${name}`),
  ];
}

/** Where an entry hangs, and what it points to, may change when others go. */
const LINKS = ['parentId', 'firstKeptEntryId', 'fromId'];

function expectLines(bench: Bench, before: View, after: View, options: Reduce): void {
  const ids = new Set(after.ids);
  const stays = (line: JsonObject): boolean =>
    line['type'] === 'session' || ids.has(getString(line, 'id') ?? '');
  const left = before.lines.filter(stays);
  const isHere = new Set(before.ids);
  const lost = [...before.labels.keys()].filter((id) => isHere.has(id) && !ids.has(id));
  expect({ lost, labels: after.labels, name: after.name }).toEqual({
    lost: [],
    labels: before.labels,
    name: before.name,
  });
  const isWhole = options.entries.length === 0;
  if (isWhole) expect(left).toHaveLength(before.lines.length);
  const links = isWhole ? [] : LINKS;
  const expected = left.map((line, at) => {
    const changed = bench.images.change(line, options.images);
    const is = after.lines[at];
    return without(cutEntry(changed, is, options.toolOutput), links);
  });
  expect(after.lines.map((line) => without(line, links))).toEqual(expected);
}

function without(line: JsonValue, keys: readonly string[]): JsonValue {
  if (!isObject(line)) return line;
  return Object.fromEntries(
    Object.entries(line).flatMap(([key, value]) =>
      keys.includes(key) || value === undefined ? [] : [[key, value]],
    ),
  );
}

function cutEntry(
  was: JsonValue,
  is: JsonObject | undefined,
  limit: number | undefined,
): JsonValue {
  if (limit === undefined || !isObject(was) || !isObject(was['message'])) return was;
  const message = is?.['message'];
  if (!isObject(message)) return was;
  const cut = expectCuts(was['message'], message, { limit, mayBeEdited: false });
  return { ...was, message: cut };
}

async function expectContexts(
  bench: Bench,
  before: View,
  after: View,
  options: Reduce,
): Promise<void> {
  const ends = await findEnds(before, after, options);
  const are = await after.at(ends);
  const expected = (await before.at(ends)).map(({ messages, ...settings }, end) => ({
    ...settings,
    messages: messages.map((message, at) => {
      const changed = bench.images.change(message, options.images);
      const is = are[end]?.messages[at];
      const limit = options.toolOutput;
      if (limit === undefined || !isObject(changed) || !isObject(is)) return changed;
      return expectCuts(changed, is, { limit, mayBeEdited: true });
    }),
  }));
  expect(are).toEqual(expected);
}

/** Names and labels count for the file as a whole, and outlive the branch that they were given on. */
const FOR_ALL = ['label', 'session_info'];

/** Where the context must be the same: at the end of each branch, or of those that had to stay. */
async function findEnds(before: View, after: View, options: Reduce): Promise<readonly string[]> {
  const leaf = await before.leafId();
  expect(await after.leafId()).toBe(leaf);
  const ends = (await after.ends()).map(({ id }) => id);
  if (!options.entries.includes('abandoned-branches')) {
    expect(ends).toEqual((await before.ends()).map(({ id }) => id));
    return ends;
  }
  const marks = new Set<unknown>(
    after.entries.filter(({ type }) => FOR_ALL.some((one) => one === type)).map(({ id }) => id),
  );
  const isHere = new Set(after.ids);
  const meant = ends.filter((id) => id === leaf || !marks.has(id));
  // What is labeled may be above what a compaction stands for.
  if (options.entries.includes('summarized')) return meant;
  return [...meant, ...[...after.labels.keys()].filter((id) => isHere.has(id))];
}

/** What was taken out can be put back, and then every byte is what it was. */
async function expectRestorable(bench: Bench, extracted: View): Promise<void> {
  await bench.run('compact', '--apply', '--grace', '0s', '--images', 'restore');
  const restored = bench.look();
  const images = extracted.lines.map((line) => bench.images.change(line, 'restore'));
  expect(restored.lines).toEqual(images);
  await bench.run('compact', '--apply', '--grace', '0s', '--images', 'extract');
  expect(bench.read()).toBe(extracted.text);
}

function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}
