import { appendFile, chmod, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { appendLines } from '../../../../src/session/jsonl/write/append-file.ts';
import { readLines } from '../../../../src/session/jsonl/read/read-lines.ts';
import { makeTempDir } from '../../../temp-dir.ts';

const LINE = Buffer.from('{"new":1}\n');

async function setUp(text: string) {
  const path = join(await makeTempDir(), 's.jsonl');
  await writeFile(path, text);
  return { path, planned: await readLines(path, () => undefined) };
}

describe('appendLines, for a state that was planned', () => {
  it('closes a torn last line first', async () => {
    const { path, planned } = await setUp('{"a":1}\n{"torn');
    await appendLines(path, [LINE], { planned });
    expect(await readFile(path, 'utf8')).toBe('{"a":1}\n{"torn\n{"new":1}\n');
  });

  it('keeps the mode, and a symbolic link', async () => {
    const { path } = await setUp('{"a":1}\n');
    await chmod(path, 0o640);
    await symlink(path, `${path}.link`);
    const planned = await readLines(path, () => undefined);
    await appendLines(`${path}.link`, [LINE], { planned });
    expect(await readFile(path, 'utf8')).toBe('{"a":1}\n{"new":1}\n');
    expect((await stat(path)).mode & 0o777).toBe(0o640);
  });

  it.each([
    ['was appended to', (path: string) => appendFile(path, '{"b":1}\n')],
    ['was replaced', (path: string) => rm(path).then(() => writeFile(path, '{"a":1}\n'))],
  ])('writes nothing to a file that %s since it was planned', async (_, change) => {
    const { path, planned } = await setUp('{"a":1}\n');
    await change(path);
    const before = await readFile(path);
    await expect(appendLines(path, [LINE], { planned })).rejects.toMatchObject({
      code: 'ECHANGED',
    });
    expect(await readFile(path)).toEqual(before);
  });

  it('does not make a file again that was removed since it was planned', async () => {
    const { path, planned } = await setUp('{"a":1}\n');
    await rm(path);
    await expect(appendLines(path, [LINE], { planned })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
