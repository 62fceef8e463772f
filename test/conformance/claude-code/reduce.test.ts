import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { ENTRY_REDUCERS, type EntryReducerName } from '../../../src/session/dialect/reduction.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { type ReduceOptions, reduceSession } from '../../../src/session/reduce/reduce-session.ts';
import { openImageFiles } from '../../../src/store/output/image-files.ts';
import {
  assistant,
  call,
  HEALTHY,
  result,
  text,
  toNode,
  toText,
  user,
} from '../../session/agents/claude-code/healthy-session.ts';
import { type Corpus, CORPUS } from './corpus.ts';
import type { Sent } from './sent.ts';
import { useClient } from './use-client.ts';

const { client, dir } = useClient();

/** Takes entries out of a copy; undefined where that is refused, or nothing can go. */
async function reduce(
  { name, path }: Corpus,
  entries: readonly EntryReducerName[],
): Promise<string | undefined> {
  const copy = join(dir, `${name}-${entries.join('-')}.jsonl`);
  cpSync(path, copy);
  const { action } = await reduceSession(copy, {
    entries,
    images: undefined,
    toolOutput: undefined,
    openImages: openImageFiles,
    apply: true,
    signal: new AbortController().signal,
  });
  return action === 'reduce' ? copy : undefined;
}

/** With tools, compactions, copies of requests, a rewind, and what a boundary keeps. */
const RICH = /auto-compact|rename-rewind|hooks|siblings|preserved|summarize-from|agents-compact/;
const ALONE = ENTRY_REDUCERS.map((name) => [name]);
const IS_LONG = process.env['COPPICE_LONG'] === '1';
const CASES = CORPUS.flatMap((recorded) => {
  const sets =
    IS_LONG || RICH.test(recorded.name) ? [...ALONE, [...ENTRY_REDUCERS]] : [[...ENTRY_REDUCERS]];
  return sets.map((entries) => ({
    recorded,
    entries,
    name: `${recorded.name}: ${entries.join(' ')}`,
  }));
});

describe.concurrent('the client sends the same once entries are taken out', () => {
  it.for(CASES)('$name', async ({ recorded, entries }, { expect }) => {
    const reduced = await reduce(recorded, entries);
    if (reduced === undefined) return;
    const [before, after] = await Promise.all([
      client.resume(recorded.path),
      client.resume(reduced),
    ]);
    expect(after.sent).toEqual(before.sent);
    expect(after.exit).toBe(before.exit);
  });
});

/** Takes content out of a copy; undefined where there is nothing of it. */
async function cut(
  { name, path }: Corpus,
  reducers: Pick<ReduceOptions, 'images' | 'toolOutput'>,
): Promise<string | undefined> {
  const copy = join(dir, `${name}-${Object.keys(reducers).join('-')}.jsonl`);
  cpSync(path, copy);
  const { action } = await reduceSession(copy, {
    entries: [],
    ...reducers,
    openImages: openImageFiles,
    apply: true,
    signal: new AbortController().signal,
  });
  return action === 'reduce' ? copy : undefined;
}

const NOTE = /^\[image (?:left|taken) out by coppice: /;
const isImage = ({ type, text: words }: JsonObject): boolean =>
  type === 'image' || (typeof words === 'string' && NOTE.test(words));
const MAX_OUTPUT = 200;

/** What was sent, without what a reducer is to take out: images, and outputs behind their beginning. */
function withoutContent(sent: readonly Sent[] | undefined): unknown {
  const cutBlock = (block: JsonObject): unknown => {
    if (isImage(block)) return 'image';
    if (block['type'] !== 'tool_result') return block;
    const content = (block['content'] as readonly JsonObject[]).map((part) =>
      typeof part['text'] === 'string' && !isImage(part)
        ? part['text'].slice(0, 10)
        : cutBlock(part),
    );
    return { ...block, content };
  };
  return sent?.map(({ role, blocks }) => ({ role, blocks: blocks.map(cutBlock) }));
}

describe.concurrent('the client sends the same but for', () => {
  it.for(CORPUS)('images and long outputs: $name', async (recorded, { expect }) => {
    const before = await client.resume(recorded.path);
    const images = await cut(recorded, { images: 'drop', toolOutput: undefined });
    const output = await cut(recorded, { images: undefined, toolOutput: MAX_OUTPUT });
    for (const path of [images, output].filter((one) => one !== undefined)) {
      const after = await client.resume(path);
      expect(after.exit).toBe(before.exit);
      expect(withoutContent(after.sent)).toEqual(withoutContent(before.sent));
    }
  });
});

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CAFWEXHbQSACj/P8Fu7N9hAAAAAElFTkSuQmCC';
const IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
const SHOWN = { toolUseResult: { type: 'image', file: { base64: PIXEL, type: 'image/png' } } };

/** No recorded session has images in what is sent. */
function writeImages(name: string): Corpus {
  const path = join(dir, `${name}.jsonl`);
  const lines = [
    ...HEALTHY.slice(0, 7),
    toNode('n8', 'n7', 8, user([text('Like this.'), IMAGE])),
    toNode('n9', 'n8', 9, assistant('msg_3', call('c2'))),
    toNode('n10', 'n9', 10, user([result('c2', [IMAGE])], SHOWN)),
    toNode('n11', 'n10', 11, assistant('msg_4', text('Seen.'))),
  ];
  writeFileSync(path, toText(lines));
  return { name, path, expectedPath: '' };
}

describe.concurrent('the client sends a note', () => {
  it.for(['drop', 'extract'] as const)(
    'in the place of each image: %s',
    async (images, { expect }) => {
      const recorded = writeImages(`with-images-to-${images}`);
      const before = await client.resume(recorded.path);
      const after = await client.resume(
        (await cut(recorded, { images, toolOutput: undefined })) ?? '',
      );
      expect(JSON.stringify(before.sent).split('"image"')).toHaveLength(3);
      expect(JSON.stringify(after.sent)).not.toContain('"image"');
      expect(withoutContent(after.sent)).toEqual(withoutContent(before.sent));
    },
  );
});
