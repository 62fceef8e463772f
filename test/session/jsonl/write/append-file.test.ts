import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendLines } from '../../../../src/session/jsonl/write/append-file.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';

const lines = (...texts: string[]): Buffer[] => texts.map((text) => Buffer.from(`${text}\n`));

describe('appendLines', () => {
  it('creates the file for its owner only', async () => {
    const path = join(await makeTempDir(), 'a');
    await appendLines(path, lines('x', 'y'));
    expect(await readFile(path, 'utf8')).toBe('x\ny\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('puts lines after those that are there, and closes a torn one first', async () => {
    const dir = await makeTempDir();
    await writeFiles(dir, { whole: 'a\n', torn: 'a\nb' });
    await appendLines(join(dir, 'whole'), lines('c'));
    await appendLines(join(dir, 'torn'), lines('c'));
    expect(await readFile(join(dir, 'whole'), 'utf8')).toBe('a\nc\n');
    expect(await readFile(join(dir, 'torn'), 'utf8')).toBe('a\nb\nc\n');
  });

  it('says what is in the way', async () => {
    const dir = await makeTempDir();
    await mkdir(join(dir, 'a'));
    await expect(appendLines(join(dir, 'a'), lines('c'))).rejects.toMatchObject({
      code: 'EISDIR',
      message: 'cannot write: is a directory',
    });
    await expect(appendLines(join(dir, 'no', 'a'), lines('c'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});
