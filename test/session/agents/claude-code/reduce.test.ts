import { cp, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ENTRY_REDUCERS } from '../../../../src/session/dialect/reduction.ts';
import { isObject, type JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import { readContext } from '../../../../src/session/read/read-context.ts';
import {
  reduceSession,
  type ReduceOptions,
  type ReductionOutcome,
} from '../../../../src/session/reduce/reduce-session.ts';
import { openImageFiles } from '../../../../src/store/output/image-files.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { CORPUS } from '../../../conformance/claude-code/corpus.ts';

const OPTIONS: ReduceOptions = {
  entries: [],
  images: undefined,
  toolOutput: undefined,
  openImages: openImageFiles,
  apply: true,
  signal: new AbortController().signal,
};

const OLD = new Date('2026-01-02T03:04:05.000Z');
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let dir: string;
let path: string;

beforeEach(async () => {
  dir = await makeTempDir();
  path = join(dir, 'aaaaaaaa-0000-4000-8000-000000000001.jsonl');
});

async function reduce(options: Partial<ReduceOptions>): Promise<ReductionOutcome> {
  await utimes(path, OLD, OLD);
  const preview = await reduceSession(path, { ...OPTIONS, ...options, apply: false });
  const outcome = await reduceSession(path, { ...OPTIONS, ...options });
  expect(outcome).toEqual(preview);
  const { mtime, size } = await stat(path);
  // The client deletes by it.
  expect(mtime).toEqual(OLD);
  expect(size).toBe(outcome.bytesAfter);
  return outcome;
}

async function readLines(): Promise<readonly string[]> {
  return (await readFile(path, 'utf8')).split('\n').filter((line) => line !== '');
}

/** A line but for what it hangs on, and what it points to. */
function withoutLinks(line: string): string {
  return line.replace(/"(parentUuid|leafUuid)":("[^"]*"|null)/g, '"$1":…');
}

const message = (uuid: string, parentUuid: string | null, fields: JsonObject): JsonObject => ({
  parentUuid,
  isSidechain: false,
  uuid,
  timestamp: '2026-01-02T03:04:05.000Z',
  sessionId: 's',
  cwd: '/w',
  ...fields,
});
const said = (role: string, content: JsonObject['content'], more: JsonObject = {}): JsonObject => ({
  type: role,
  message: { role, content, ...more },
});
const writeLines = (lines: readonly JsonObject[]): Promise<void> =>
  writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

const CASES = [...ENTRY_REDUCERS.map((name) => [name]), [...ENTRY_REDUCERS]];
/** With compactions, a rewind, and states of files. */
const RICH = /auto-compact|rename-rewind|two-compactions/;

describe.each(CASES.map((entries) => ({ entries, name: entries.join(' ') })))(
  'takes out $name',
  ({ entries }) => {
    it('and keeps every other byte, and what is sent', async () => {
      const seen = new Set<string>();
      const all = entries.length > 1 ? CORPUS : CORPUS.filter(({ name }) => RICH.test(name));
      for (const { name, path: recorded } of all) {
        await cp(recorded, path);
        const before = await readLines();
        const context = await readContext(path).catch(() => undefined);
        const { action } = await reduce({ entries });
        seen.add(action);
        const after = await readLines();
        const links = new Set(before.map(withoutLinks));
        const isChanged =
          action === 'reduce' ? after.length < before.length : after.length === before.length;
        expect({
          name,
          isChanged,
          added: after.filter((one) => !links.has(withoutLinks(one))),
        }).toEqual({ name, isChanged: true, added: [] });
        expect({ name, context: await readContext(path).catch(() => undefined) }).toEqual({
          name,
          context,
        });
      }
      expect(seen).toContain('reduce');
    });
  },
);

it('says what each saves', async () => {
  const recorded = CORPUS.find(({ name }) => name === 'recorded-headless-tools-agents-compact');
  await cp(recorded?.path ?? '', path);
  const { savings } = await reduce({ entries: ENTRY_REDUCERS });
  const counts = savings.map(({ reducer, count }) => [reducer, count]);
  expect(Object.fromEntries(counts)).toEqual({
    'abandoned-branches': 1,
    summarized: 80,
    copies: 7,
    'superseded-state': 27,
  });
});

it('keeps a leaf that is recorded on a line that goes', async () => {
  await writeLines([
    message('u1', null, said('user', 'Hello')),
    message('a1', 'u1', said('assistant', [{ type: 'text', text: 'Hi' }], { id: 'm1' })),
    message('p1', 'a1', { type: 'attachment', attachment: { type: 'prompt_snapshot' } }),
    { type: 'last-prompt', leafUuid: 'p1', sessionId: 's' },
    message('u2', null, said('user', 'A stray root')),
  ]);
  await reduce({ entries: ['copies'] });
  const lines = await readLines();
  expect(lines).toHaveLength(4);
  expect(lines[2]).toContain('"leafUuid":"a1"');
  const { messages } = await readContext(path);
  expect(messages).toHaveLength(2);
});

it('keeps every node that a boundary names, or the client would keep none', async () => {
  await writeLines([
    message('u1', null, said('user', 'Hello')),
    message('p1', 'u1', { type: 'attachment', attachment: { type: 'prompt_snapshot' } }),
    message('a1', 'p1', said('assistant', [{ type: 'text', text: 'Hi' }], { id: 'm1' })),
    message('b1', null, {
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata: { preservedMessages: { anchorUuid: 's1', uuids: ['p1', 'a1'] } },
    }),
    { ...message('s1', 'b1', said('user', 'Summary')), isCompactSummary: true },
  ]);
  const { action } = await reduce({ entries: ['copies'] });
  expect(action).toBe('unchanged');
  await reduce({ entries: ['summarized'] });
  const ids = (await readLines()).map((line) => (JSON.parse(line) as JsonObject)['uuid']);
  // The first message is what people know the session by.
  expect(ids).toEqual(['u1', 'p1', 'a1', 'b1', 's1']);
});

it('keeps nothing for a boundary that goes itself', async () => {
  const kept = (anchorUuid: string, ...uuids: readonly string[]): JsonObject => ({
    type: 'system',
    subtype: 'compact_boundary',
    compactMetadata: { preservedMessages: { anchorUuid, uuids } },
  });
  await writeLines([
    message('u1', null, said('user', 'Hello')),
    message('u2', 'u1', said('user', 'Kept once')),
    message('b1', null, kept('s1', 'u2')),
    { ...message('s1', 'b1', said('user', 'First summary')), isCompactSummary: true },
    message('u3', 's1', said('user', 'Kept')),
    message('b2', null, kept('s2', 'u3')),
    { ...message('s2', 'b2', said('user', 'Second summary')), isCompactSummary: true },
  ]);
  await reduce({ entries: ['summarized'] });
  const ids = (await readLines()).map((line) => (JSON.parse(line) as JsonObject)['uuid']);
  expect(ids).toEqual(['u1', 'u3', 'b2', 's2']);
});

it('takes out the states of files that were noted again and again, and progress', async () => {
  const snapshot = (messageId: string, at: number): JsonObject => ({
    type: 'file-history-snapshot',
    messageId,
    snapshot: { messageId, at },
  });
  await writeLines([
    message('g0', null, { type: 'progress', data: {} }),
    message('u1', 'g0', said('user', 'Hello')),
    ...[1, 2, 3].map((at) => snapshot('u1', at)),
    snapshot('gone', 4),
    message('g1', 'u1', { type: 'progress', data: {} }),
    message('a1', 'g1', said('assistant', [{ type: 'text', text: 'Hi' }], { id: 'm1' })),
    snapshot('u1', 5),
    { type: 'custom-title', customTitle: 'One', sessionId: 's' },
    { type: 'custom-title', customTitle: 'Two', sessionId: 's' },
  ]);
  const { savings } = await reduce({ entries: ['superseded-state'] });
  expect(savings).toMatchObject([{ reducer: 'superseded-state', count: 7 }]);
  const lines = await readLines();
  expect(lines.map((line) => (JSON.parse(line) as JsonObject)['type'])).toEqual([
    'user',
    'assistant',
    'file-history-snapshot',
    'custom-title',
  ]);
  expect(lines[0]).toContain('"parentUuid":null');
  expect(lines[1]).toContain('"parentUuid":"u1"');
});

describe('images and outputs', () => {
  const image = (layout: 'first' | 'last'): JsonObject => ({
    type: 'image',
    source:
      layout === 'first'
        ? { type: 'base64', data: PIXEL, media_type: 'image/png' }
        : { type: 'base64', media_type: 'image/png', data: PIXEL },
  });
  const lines = [
    message('u1', null, said('user', [{ type: 'text', text: 'Look' }, image('last')])),
    message(
      'a1',
      'u1',
      said('assistant', [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }], { id: 'm1' }),
    ),
    {
      ...message(
        'r1',
        'a1',
        said('user', [{ type: 'tool_result', tool_use_id: 't1', content: [image('first')] }]),
      ),
      toolUseResult: {
        type: 'image',
        file: { base64: PIXEL, type: 'image/png', originalSize: 70 },
      },
    },
    {
      ...message(
        'r2',
        'a1',
        said('user', [{ type: 'tool_result', tool_use_id: 't1', content: 'x'.repeat(3000) }]),
      ),
      toolUseResult: { stdout: 'x'.repeat(3000), deep: [{ text: 'y'.repeat(3000) }], n: 1 },
    },
  ];

  it('puts images into files, leaves blocks that the model takes, and puts them back', async () => {
    await writeLines(lines);
    const before = await readFile(path, 'utf8');
    const { savings } = await reduce({ images: 'extract' });
    expect(savings).toMatchObject([{ reducer: 'images', count: 3 }]);
    const blocks = (await readLines()).flatMap((line) => {
      const value: unknown = JSON.parse(line);
      return isObject(value) ? JSON.stringify(value['message']) : [];
    });
    expect(blocks.join('')).not.toMatch(/"image"|mimeType|base64/);
    expect((await readFile(path, 'utf8')).includes(PIXEL)).toBe(false);
    await reduce({ images: 'restore' });
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('leaves a copy for the person that could not be put back as it is spelled', async () => {
    const spelled = PIXEL.replace('i', String.raw`\u0069`);
    const shown = `{"type":"image","file":{"base64":"${spelled}","type":"image/png"}}`;
    const [, , result = {}] = lines;
    const text = JSON.stringify({ ...result, toolUseResult: 0 }).replace(/0\}$/, `${shown}}`);
    await writeFile(path, `${text}\n`);
    await reduce({ images: 'extract' });
    expect(await readFile(path, 'utf8')).toContain(spelled);
    await reduce({ images: 'restore' });
    expect(await readFile(path, 'utf8')).toBe(`${text}\n`);
    await reduce({ images: 'drop' });
    expect(await readFile(path, 'utf8')).not.toContain(spelled);
  });

  it('cuts no image in the details of a result, of which a part shows nothing', async () => {
    const [data, url] = [PIXEL.repeat(9), `data:image/png;base64,${PIXEL.repeat(9)}`];
    const source = { type: 'base64', media_type: 'image/png', data };
    const details: readonly JsonObject[] = [
      { type: 'image', file: { base64: data, type: 'image/png' } },
      {
        parts: [
          { type: 'image', source },
          { type: 'image', mimeType: 'image/png', data },
        ],
      },
      { stdout: url, stderr: 'x'.repeat(900), isImage: true },
    ];
    await writeLines(
      details.map((toolUseResult, at) => ({ ...lines[2], uuid: `r${at}`, toolUseResult })),
    );
    await reduce({ toolOutput: 200 });
    const kept = (await readLines()).map((line) => JSON.parse(line).toolUseResult);
    expect(kept.slice(0, 2)).toEqual(details.slice(0, 2));
    expect(kept[2]).toMatchObject({ stdout: url, stderr: expect.stringContaining('cut by') });
  });

  it.each(['extract', 'drop'] as const)('says what it saves, once: %s', async (images) => {
    await writeLines(lines);
    const { savings, bytesBefore, bytesAfter } = await reduce({ images });
    expect(savings).toEqual([{ reducer: 'images', count: 3, bytes: bytesBefore - bytesAfter }]);
    expect((await reduce({ images: 'drop' })).action).toBe('unchanged');
    expect((await reduce({ images: 'extract' })).action).toBe('unchanged');
  });

  it('puts a note in the place of an image of any shape', async () => {
    const odd = { cache_control: { type: 'ephemeral' }, ...image('first') };
    await writeLines([message('u1', null, said('user', [odd]))]);
    expect((await reduce({ images: 'extract' })).action).toBe('unchanged');
    await reduce({ images: 'drop' });
    const [line = ''] = await readLines();
    expect(JSON.parse(line)).toMatchObject({
      message: {
        content: [{ type: 'text', text: '[image left out by coppice: image/png, 70 bytes]' }],
      },
    });
  });

  it('keeps every other byte of the copy for the person', async () => {
    const [one = {}] = lines.slice(2);
    const kept = String.raw`"id":12345678901234567890,"big":1e400,"zero":-0, "esc":"\u00e9"`;
    const result = `{${kept},"stdout":"${'x'.repeat(3000)}","id":1.50}`;
    const text = JSON.stringify({ ...one, toolUseResult: 0 }).replace(/0\}$/, `${result}}`);
    await writeFile(path, `${text}\n`);
    await reduce({ toolOutput: 1000 });
    const [after = ''] = await readLines();
    const [start = '', end = ''] = text.split(/x{3000}/);
    expect(after.startsWith(`${start}xxx`)).toBe(true);
    expect(after.endsWith(`xxx${end}`)).toBe(true);
    expect(after.length).toBeLessThan(text.length - 1500);
  });

  it('cuts what tools returned, and the copy for the person', async () => {
    await writeLines(lines);
    const before = await readLines();
    const { savings } = await reduce({ toolOutput: 1000 });
    expect(savings).toMatchObject([{ reducer: 'tool-output', count: 1 }]);
    const after = await readLines();
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
    expect(after[3]?.length).toBeLessThan(4000);
    expect(JSON.parse(after[3] ?? '')).toMatchObject({
      message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] },
      toolUseResult: { n: 1 },
    });
  });
});

it('leaves a session alone where it is not sure what can go', async () => {
  // The recorded leaf is in no line that the client loads once the file is small.
  const pad = 'x'.repeat(6 * 1024 * 1024);
  await writeLines([
    message('u1', null, said('user', 'Old')),
    message('u2', 'u1', said('user', 'Old branch')),
    message('b1', null, { type: 'system', subtype: 'compact_boundary' }),
    { ...message('s1', 'b1', said('user', 'Summary')), isCompactSummary: true },
    { type: 'api-request', sessionId: 's', pad },
    { type: 'last-prompt', leafUuid: 'u2', explicit: true, sessionId: 's' },
  ]);
  const before = await readLines();
  const { action, reasons } = await reduce({ entries: ['copies'] });
  expect({ action, reasons }).toEqual({
    action: 'skip',
    reasons: ['Claude Code might continue with another conversation; left unchanged'],
  });
  expect(await readLines()).toEqual(before);
});

it.each([
  { room: -1, action: 'skip' },
  { room: 0, action: 'restore' },
])(
  'restores no image that makes a file too large to be loaded whole: $room bytes left',
  async (one) => {
    // It continues before its last compaction, which the client does not load of a file of more than 5 MiB.
    const data = Buffer.alloc(3000, 7).toString('base64');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
    const lines = [
      message('u1', null, said('user', [image])),
      message('u2', 'u1', said('assistant', 'One')),
      message('b1', null, { type: 'system', subtype: 'compact_boundary' }),
      { ...message('s1', 'b1', said('user', 'Summary')), isCompactSummary: true },
      message('u3', 'u2', { ...said('user', 'Late'), timestamp: '2026-01-02T04:04:05.000Z' }),
    ];
    await writeLines(lines);
    const { size } = await stat(path);
    const title = { type: 'ai-title', sessionId: 's', aiTitle: '' };
    const rest = size + JSON.stringify(title).length + 1;
    const pad = 't'.repeat(5 * 1024 * 1024 - one.room - rest);
    expect((await reduce({ images: 'extract' })).action).toBe('reduce');
    const extracted = await readLines();
    await writeFile(
      path,
      `${[...extracted, JSON.stringify({ ...title, aiTitle: pad })].join('\n')}\n`,
    );
    const { action } = await reduce({ images: 'restore' });
    expect(action).toBe(one.action);
  },
);
