import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLOCK_TICK_MS } from '../../src/session/jsonl/files/identity/file-stamp.ts';
import { runTest } from '../memory-terminal.ts';
import { makeTempDir } from '../temp-dir.ts';
import { makeSession } from './old-store.ts';

const LONG_AGO = new Date('2026-04-01T00:00:00Z');

let store: string;
let path: string;

beforeEach(async () => {
  store = join(await makeTempDir(), 'store');
  mkdirSync(store);
  path = join(store, 's.jsonl');
  writeFileSync(path, makeSession(1));
});

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', env: process.env });
}

async function migrate(): Promise<void> {
  const { exitCode, out } = await runTest(['migrate', '--store', store, '--apply', '--json']);
  expect([exitCode, out]).toEqual([0, expect.stringContaining('"action":"migrate"')]);
  expect(readFileSync(path, 'utf8')).not.toBe(makeSession(1));
}

describe('who may read a file that is rewritten', () => {
  it.each([
    ['just now', 0],
    // Then they are listed, and not copied for each file.
    ['long ago', CLOCK_TICK_MS + 500],
  ])('are those of its access control list, which was made %s', async (_when, age) => {
    run('setfacl', '-m', 'u:65534:r--,g::---,m::r--', path);
    run('setfattr', '-n', 'user.note', '-v', 'kept', path);
    chmodSync(path, 0o640);
    utimesSync(path, LONG_AGO, LONG_AGO);
    const before = run('getfacl', '-cnp', path);
    await setTimeout(age);
    await migrate();
    expect(run('getfacl', '-cnp', path)).toBe(before);
    expect(run('getfattr', '--absolute-names', '-d', path)).toContain('user.note="kept"');
  });

  describe('when it comes back from an archive', () => {
    async function pruneAndRestore(): Promise<void> {
      utimesSync(path, LONG_AGO, LONG_AGO);
      const prune = ['prune', '--store', store, '--archive', join(store, '../archive')];
      const removal = [...prune, '--older-than', '1d', '--allow-empty', '--apply'];
      const { exitCode } = await runTest(removal);
      expect([exitCode, existsSync(path)]).toEqual([0, false]);
      expect((await runTest([...prune, '--restore', 'all'])).exitCode).toBe(0);
    }

    it('are not those of the group, without its list', async () => {
      run('setfacl', '-m', 'u:65534:r--,g::---,m::r--', path);
      await pruneAndRestore();
      expect(statSync(path).mode & 0o777).toBe(0o600);
    });

    it('are not those of the default ACL of the directory', async () => {
      chmodSync(path, 0o640);
      run('setfacl', '-d', '-m', 'u:65534:rw-', store);
      await pruneAndRestore();
      expect(run('getfacl', '-cnp', path)).not.toMatch(/65534:rw-(?!\s+#effective:---)/);
    });

    it('are told apart for the files of a directory that is listed at once', async () => {
      const paths = ['a', 'b', 'c', 'd'].map((name) => join(store, `${name}.jsonl`));
      for (const one of paths) {
        writeFileSync(one, makeSession(1));
        utimesSync(one, LONG_AGO, LONG_AGO);
        chmodSync(one, 0o640);
      }
      run('setfacl', '-m', 'u:65534:r--', join(store, 'c.jsonl'));
      await setTimeout(CLOCK_TICK_MS + 500);
      await pruneAndRestore();
      expect(paths.map((one) => statSync(one).mode & 0o777)).toEqual([0o640, 0o640, 0o600, 0o640]);
    });

    it('are those of its mode, where that decides', async () => {
      chmodSync(path, 0o640);
      await pruneAndRestore();
      expect(statSync(path).mode & 0o777).toBe(0o640);
    });
  });

  it('are not those of the default ACL of the directory', async () => {
    chmodSync(path, 0o640);
    run('setfacl', '-d', '-m', 'u:65534:rw-', store);
    utimesSync(path, LONG_AGO, LONG_AGO);
    await migrate();
    expect(run('getfacl', '-cnp', path)).not.toContain('65534');
    writeFileSync(path, makeSession(1));
    chmodSync(path, 0o600);
    utimesSync(path, LONG_AGO, LONG_AGO);
    await migrate();
    expect(run('getfacl', '-cnp', path)).not.toMatch(/effective:[rwx]/);
  });
});
