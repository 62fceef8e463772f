import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOTHING_FLUSHED } from '../../../src/session/jsonl/files/flush.ts';
import type { ImageFiles } from '../../../src/session/model/text/image-block.ts';
import { reduceSession, type ReduceOptions } from '../../../src/session/reduce/reduce-session.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';

const TIME = '2026-03-02T09:30:00.000Z';
/** A folder as long as that of a session with a long id: the placeholder outgrows the limit. */
const FOLDER = 'f'.repeat(150);
const LIMIT = 200;
const PIXEL = { type: 'image', mimeType: 'image/png' };
const LONG = { type: 'text', text: 'x'.repeat(1000) };

const PI = [
  { type: 'session', version: 3, id: 's', timestamp: TIME, cwd: '/w' },
  {
    type: 'message',
    id: 'a',
    parentId: null,
    timestamp: TIME,
    message: {
      role: 'toolResult',
      toolCallId: 'c',
      toolName: 'read',
      content: [LONG, { ...PIXEL, data: 'AAAA' }],
      isError: false,
      timestamp: 1,
    },
  },
];

const RESULT = { llmContent: [LONG, { ...PIXEL, data: 'data:image/png;base64,AAAA' }] };
const NEOVATE = [
  {
    type: 'message',
    uuid: 'a',
    parentUuid: null,
    sessionId: '0a1b2c3d',
    timestamp: TIME,
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c', toolName: 'read', input: {}, result: RESULT },
    ],
  },
];

function createFiles(): ImageFiles {
  const kept = new Map<string, Buffer>();
  return {
    folder: FOLDER,
    put: (name, bytes) => kept.set(name, Buffer.from(bytes)),
    get: (_, name) => kept.get(name),
    ownsFolder: () => true,
    flush: () => Promise.resolve(NOTHING_FLUSHED),
    discard: () => undefined,
  };
}

describe('an output with an image that is cut to less than the word for the image', () => {
  it.each([
    ['pi', PI],
    ['Neovate', NEOVATE],
  ])('gets the image back (%s)', async (_, lines) => {
    const path = join(await makeTempDir(), '0a1b2c3d.jsonl');
    await writeFile(path, toJsonl(lines));
    const files = createFiles();
    const reduce = (what: Partial<ReduceOptions>) =>
      reduceSession(path, {
        entries: [],
        images: undefined,
        toolOutput: undefined,
        openImages: () => files,
        apply: true,
        signal: new AbortController().signal,
        ...what,
      });
    await reduce({ toolOutput: LIMIT });
    const cut = await readFile(path, 'utf8');
    const extracted = await reduce({ images: 'extract', toolOutput: LIMIT });
    expect(extracted.savings.map(({ reducer }) => reducer)).toEqual(['images']);
    expect(await readFile(path, 'utf8')).toContain(`[image taken out by coppice: ${FOLDER}/`);
    expect((await reduce({ toolOutput: LIMIT })).action).toBe('unchanged');
    await reduce({ images: 'restore' });
    expect(await readFile(path, 'utf8')).toBe(cut);
  });
});
