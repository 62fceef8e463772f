import { chmod, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { listBelow } from '../../../src/session/jsonl/files/find-below.ts';
import { getFileKey, getRealPath, lookUp } from '../../../src/store/files/stat-file.ts';
import { judgeProjectFolder } from '../../../src/store/output/move-project-folder.ts';
import { asOrdinaryUser } from '../../ordinary-user.ts';
import { makeTempDir } from '../../temp-dir.ts';

const READERS: readonly (readonly [string, (path: string) => unknown])[] = [
  ['looked up', (path) => lookUp(path)],
  ['resolved', getRealPath],
  ['identified', getFileKey],
  ['searched', (path) => listBelow([path], () => true)],
  [
    'moved',
    (path) => judgeProjectFolder({ from: path, to: `${path}2`, moving: new Set(), places: {} }),
  ],
];

it.each(READERS)(
  'what no one may look at is not taken for missing where it is %s',
  async (_, read) => {
    const path = join(await makeTempDir(), 'closed/inside');
    const closed = dirname(path);
    await mkdir(path, { recursive: true });
    await chmod(dirname(closed), 0o755);
    await chmod(closed, 0);
    const found = await asOrdinaryUser(async () => {
      try {
        return await read(path);
      } catch (error) {
        return error;
      }
    });
    await chmod(closed, 0o700);
    expect(found).toBeInstanceOf(FileError);
    expect(found).toMatchObject({ code: 'EACCES' });
  },
);

it.each(READERS)('what is missing is no error where it is %s', async (_, read) => {
  const path = join(await makeTempDir(), 'missing');
  const found = await read(path);
  expect([undefined, 'none', path]).toContain(Array.isArray(found) ? found[0] : found);
});
