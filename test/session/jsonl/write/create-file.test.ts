import { readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createFile } from '../../../../src/session/jsonl/write/create-file.ts';
import { makeTempDir } from '../../../temp-dir.ts';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

describe('createFile', () => {
  it('creates a private file with its directory, and leaves nothing else', async () => {
    const path = join(dir, 'deep', 'new.jsonl');
    expect(await createFile(path, [Buffer.from('a\n'), Buffer.from('b\n')])).toBe(4);
    expect(await readFile(path, 'utf8')).toBe('a\nb\n');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(dir, 'deep'))).toEqual(['new.jsonl']);
  });

  it('never writes over what is there, not even over a link that leads nowhere', async () => {
    const path = join(dir, 'taken.jsonl');
    await writeFile(path, 'old');
    await expect(createFile(path, [Buffer.from('new')])).rejects.toThrow('already exists');
    expect(await readFile(path, 'utf8')).toBe('old');
    const link = join(dir, 'link.jsonl');
    await symlink(join(dir, 'nowhere'), link);
    await expect(createFile(link, [Buffer.from('new')])).rejects.toThrow('already exists');
    expect((await readdir(dir)).toSorted()).toEqual(['link.jsonl', 'taken.jsonl']);
  });

  it('lets one of two that create the same file at once win', async () => {
    const path = join(dir, 'race.jsonl');
    const racers = ['one', 'two', 'three'].map((text) => createFile(path, [Buffer.from(text)]));
    const outcomes = await Promise.allSettled(racers);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await readdir(dir)).toEqual(['race.jsonl']);
  });

  it('leaves nothing when the bytes run out', async () => {
    const broken = (function* () {
      yield Buffer.from('half');
      throw new Error('no more');
    })();
    await expect(createFile(join(dir, 'half.jsonl'), broken)).rejects.toThrow('no more');
    expect(await readdir(dir)).toEqual([]);
  });

  it('stops between chunks when it is told to', async () => {
    const abort = new AbortController();
    const chunks = (function* () {
      yield Buffer.from('one');
      abort.abort();
      yield Buffer.from('two');
    })();
    const { signal } = abort;
    await expect(createFile(join(dir, 'a.jsonl'), chunks, { signal })).rejects.toThrow('aborted');
    expect(await readdir(dir)).toEqual([]);
  });
});
