import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { type Ended, type RunProgram, runHere, runOnWindows } from './node-exe.ts';

const LONG_AGO = new Date('2026-06-01T00:00:00.123Z');
const ID = 'aaaaaaaa-0000-4000-8000-00000000000';
const IMAGE = Buffer.from('89504e470d0a1a0a', 'hex');

/** Sessions with a sidecar, of two directories with names that Windows reserves, long unchanged. */
async function makeStore() {
  const dir = await makeTempDir();
  await writeFiles(dir, {
    'store/--p--/a.jsonl': sampleSession({ id: `${ID}1` }),
    'store/--p--/a/images/1.png': IMAGE,
    'store/--p--/A2.jsonl': sampleSession({ id: `${ID}2`, cwd: 'C:\\src\\con' }),
  });
  mkdirSync(join(dir, 'home'));
  for (const one of readdirSync(join(dir, 'store'), { recursive: true, encoding: 'utf8' }))
    utimesSync(join(dir, 'store', one), LONG_AGO, LONG_AGO);
  const run = async (program: RunProgram, line: string): Promise<Ended> => {
    const ended = await program(line.split(' '), { cwd: dir, home: join(dir, 'home') });
    expect(ended).toMatchObject({ code: 0, err: '' });
    return ended;
  };
  return { dir, run };
}

/** Every file with what is in it, and when it was changed. */
function read(dir: string): ReadonlyMap<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: 'utf8' }).toSorted();
  return new Map(
    names.map((name) => {
      const path = join(dir, name);
      const stats = statSync(path);
      const content = stats.isFile() ? readFileSync(path, 'latin1') : 'a directory';
      return [name, `${Math.round(stats.mtimeMs)} ${content}`];
    }),
  );
}

const PRUNE = 'prune --store store --older-than 1d --allow-empty --apply --archive archive --quiet';
const RESTORE = 'prune --store store --archive archive --restore all --quiet';

describe('an archive', () => {
  it.each([
    ['made on Windows is restored on Linux', runOnWindows, runHere],
    ['made on Linux is restored on Windows', runHere, runOnWindows],
  ])('%s, with every byte and time, and can be entered by its owner', async (_, make, restore) => {
    const { dir, run } = await makeStore();
    const before = read(join(dir, 'store/--p--'));
    await run(make, PRUNE);
    expect(read(join(dir, 'store')).size).toBeLessThan(before.size);
    await run(restore, RESTORE);
    expect(read(join(dir, 'store/--p--'))).toEqual(before);
    expect(statSync(join(dir, 'store/--p--/a')).mode & 0o700).toBe(0o700);
    await run(restore, 'list --store store --json');
  });
});

describe('a name that Windows reserves', () => {
  it.each([
    ['here', runHere],
    ['on Windows', runOnWindows],
  ])('as an id of a fork is part of a name that is none of them, %s', async (_, program) => {
    const { dir, run } = await makeStore();
    await run(program, `fork ${ID}1 --store store --id con --quiet`);
    const made = readdirSync(join(dir, 'store/--p--')).find((name) => name.includes('con'));
    expect(made).toMatch(/^2127-.*_con\.jsonl$/);
    await run(program, 'export --store store --as md --out out --quiet con');
    const names = readdirSync(join(dir, 'out')).filter((name) => name.endsWith('.md'));
    expect(names).toEqual([expect.stringMatching(/^\d{4}-[\w-]+\.md$/)]);
  });
});
