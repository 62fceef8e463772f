import type * as Fs from 'node:fs';
import type * as Promises from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { otherFiles } from '../../../src/session/jsonl/read/other-files.ts';
import { readHead } from '../../../src/store/files/read-head.ts';
import { readEnd, readStart } from '../../../src/store/files/read-regular-file.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const SHORT = 1000;

/** One call of the system may give fewer bytes than there are, as on a share. */
vi.mock('node:fs', async (importOriginal) => {
  const original = await importOriginal<typeof Fs>();
  const readSync = (fd: number, buffer: Uint8Array, at: number, length: number, place: number) =>
    original.readSync(fd, buffer, at, Math.min(length, SHORT), place);
  return { ...original, readSync };
});

vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof Promises>();
  const open: typeof original.open = async (...args) => {
    const handle = await original.open(...args);
    const whole = handle.read.bind(handle);
    const read = (buffer: Buffer, at: number, length: number, place: number) =>
      whole(buffer, at, Math.min(length, SHORT), place);
    return Object.assign(handle, { read });
  };
  return { ...original, open };
});

const TEXT = Array.from({ length: 20_000 }, (_, number) => `line ${number}\n`).join('');

it.each([
  ['the end', readEnd, TEXT.slice(-65_536)],
  ['the start', readStart, TEXT.slice(0, 8192)],
  ['the head', (path: string) => readHead(path, 8192), TEXT.slice(0, 8192)],
  ['the start of a file that a session names', otherFiles.readStart, TEXT],
])('reads %s of a file whole, however little a call gives', async (_, read, expected) => {
  const directory = await makeTempDir();
  await writeFiles(directory, { text: TEXT });
  expect(await read(join(directory, 'text'))).toBe(expected);
});
