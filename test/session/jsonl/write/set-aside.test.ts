import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { removeName } from '../../../../src/session/jsonl/write/set-aside.ts';
import { makeTempDir } from '../../../temp-dir.ts';

async function setUp() {
  const directory = await makeTempDir();
  const path = join(directory, 's.jsonl');
  writeFileSync(path, 'text');
  return { directory, path };
}

describe('removeName', () => {
  it('removes a file that is elsewhere, and none that is gone already', async () => {
    const { directory, path } = await setUp();
    await removeName(path, () => true);
    expect(readdirSync(directory)).toEqual([]);
    await removeName(path, () => false);
  });

  it('removes neither of two files that two runs remove for each other', async () => {
    const { directory, path } = await setUp();
    const other = join(directory, 'other.jsonl');
    await expect(removeName(path, () => existsSync(other))).rejects.toMatchObject({
      code: 'ECHANGED',
    });
    expect(readdirSync(directory)).toEqual([basename(path)]);
    writeFileSync(other, 'text');
    await removeName(path, () => existsSync(other));
    expect(readdirSync(directory)).toEqual([basename(other)]);
  });

  it('puts a file back over no other one that was made there meanwhile', async () => {
    const { directory, path } = await setUp();
    const removed = removeName(path, () => {
      writeFileSync(path, 'of the agent');
      return false;
    });
    await expect(removed).rejects.toMatchObject({
      code: 'EEXIST',
      message: expect.stringContaining('cannot move back to'),
    });
    expect(readFileSync(path, 'utf8')).toBe('of the agent');
    const aside = readdirSync(directory).find((name) => name !== basename(path)) ?? '';
    expect(readFileSync(join(directory, aside), 'utf8')).toBe('text');
  });
});
