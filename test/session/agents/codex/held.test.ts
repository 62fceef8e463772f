import { readFile, writeFile } from 'node:fs/promises';
import { serialize } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { readSession } from '../../../../src/session/read/read-session.ts';
import { summarizeSession } from '../../../../src/session/read/summaries/summarize-session.ts';
import { validateSession } from '../../../../src/session/validate/validate-session.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { getRecorded, placeIn } from './corpus.ts';

/** A thread with images of so many bytes in prompts, and in what people are shown; returns its path. */
async function placeImages(bytes: number): Promise<string> {
  const path = await placeIn(await makeTempDir(), getRecorded('images'));
  const url = `data:image/png;base64,${'A'.repeat(bytes)}`;
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(IMAGE);
  await writeFile(path, text.replaceAll(IMAGE, url));
  return path;
}

const IMAGE = /data:image\/png;base64,[A-Za-z0-9+/=]+/g;

/** The bytes that a value holds. */
const count = (value: unknown): number => serialize(value).length;

describe('what is held of a thread', () => {
  it.each<readonly [string, (path: string) => Promise<unknown>]>([
    ['its index', async (path) => (await readSession(path)).session.entries],
    ['its summary', (path) => summarizeSession(path, { usage: true })],
    [
      'what is found in it',
      async (path) => (await validateSession(path, { levels: new Map() }))?.findings,
    ],
  ])('does not grow with its images: %s', async (_, read) => {
    const [small, large] = [
      await read(await placeImages(1000)),
      await read(await placeImages(1_000_000)),
    ];
    // Offsets and sizes have more digits.
    expect(count(large) - count(small)).toBeLessThan(1000);
  });
});
