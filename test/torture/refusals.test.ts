import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTempDir } from '../temp-dir.ts';
import { BIN, coppice, start } from './coppice.ts';
import { listFiles, makeSession, makeStore, readAll } from './old-store.ts';

const NOBODY = 65_534;

interface Report {
  readonly results: readonly { readonly action: string; readonly reasons: readonly string[] }[];
}

function getResult(out: string): Report['results'][number] | undefined {
  const report: Report = JSON.parse(out);
  return report.results[0];
}

describe('coppice migrate, when it cannot write', () => {
  it('leaves the file as it was when it would get too large, and says so', async () => {
    const dir = await makeTempDir();
    const path = join(dir, 's.jsonl');
    const text = makeSession(100);
    writeFileSync(path, text);
    // Works without any right: a limit on the size of files, whose signal is ignored.
    const script = `trap '' XFSZ; ulimit -f 64; exec "$0" "$@"`;
    const args = [process.execPath, BIN, 'migrate', path, '--apply', '--grace', '0s', '--json'];
    const { exitCode, out, err } = await start('bash', ['-c', script, ...args]).done;
    expect([exitCode, getResult(out)?.action]).toEqual([3, 'fail']);
    expect(err).toContain('cannot replace: file too large');
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('leaves the file as it was on a full disk, and says so', async () => {
    const dir = await makeTempDir();
    const source = join(dir, 'source');
    writeFileSync(source, makeSession(100));
    // A file system of its own, that holds the session and no second one.
    const script = `
      mkdir "$1/disk" && mount -t tmpfs -o size=160k tmpfs "$1/disk" || exit 99
      cp "$1/source" "$1/disk/s.jsonl"
      "$2" "$3" migrate "$1/disk" --apply --grace 0s --json
      code=$?
      cmp "$1/source" "$1/disk/s.jsonl" && ls -A "$1/disk" >&2
      umount "$1/disk"; exit $code`;
    const shell = ['sh', '-c', script, 'sh', dir, process.execPath, BIN];
    const unshared = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
    const run = await start('unshare', [...unshared, ...shell]).done;
    if (run.exitCode === 99 || run.err.startsWith('unshare')) return expectEveryWriteRefused(dir);
    expect([run.exitCode, getResult(run.out)?.action]).toEqual([3, 'fail']);
    expect(run.err).toContain('cannot replace: no space left on the device');
    expect(run.err.trimEnd().endsWith('\ns.jsonl')).toBe(true);
  });

  it('leaves the file as it was in a directory that it may not write to, and says so', async () => {
    const dir = await makeTempDir();
    const store = join(dir, 'store');
    mkdirSync(store);
    const text = makeSession(1);
    writeFileSync(join(store, 's.jsonl'), text);
    for (const path of [dir, store]) chmodSync(path, 0o555);
    // Root may write everywhere, so it becomes someone else.
    const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    if (user.uid !== undefined) chownSync(store, NOBODY, NOBODY);
    const run = await coppice(['migrate', store, '--apply', '--grace', '0s', '--json'], user);
    for (const path of [dir, store]) chmodSync(path, 0o755);
    expect([run.exitCode, getResult(run.out)?.action]).toEqual([3, 'fail']);
    expect(run.err).toContain('cannot replace: permission denied');
    expect(readFileSync(join(store, 's.jsonl'), 'utf8')).toBe(text);
    expect(readdirSync(store)).toEqual(['s.jsonl']);
  });
});

/** Where nobody may mount: not one byte may be written. */
async function expectEveryWriteRefused(dir: string): Promise<void> {
  const path = join(dir, 's.jsonl');
  writeFileSync(path, makeSession(3));
  const script = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`;
  const args = [process.execPath, BIN, 'migrate', path, '--apply', '--grace', '0s'];
  expect((await start('bash', ['-c', script, ...args]).done).exitCode).toBe(3);
  expect(readFileSync(path, 'utf8')).toBe(makeSession(3));
  expect(readdirSync(dir).toSorted()).toEqual(['s.jsonl', 'source']);
}

describe('two runs of coppice migrate at once', () => {
  it('migrate every file once, and leave nothing lying about', async () => {
    const dir = await makeTempDir();
    const { files, reset } = makeStore(dir, 40, 40);
    const args = ['migrate', '--apply', '--store', dir, '--json'];
    await coppice(args);
    const migrated = readAll(files.keys());
    for (let round = 0; round < 10; round += 1) {
      reset();
      const runs = await Promise.all([coppice(args), coppice(args), coppice(args)]);
      expect(runs.map(({ exitCode, err }) => [exitCode, err])).toEqual(
        [0, 0, 0].map(() => [0, '']),
      );
      expect(readAll(files.keys())).toEqual(migrated);
      expect(listFiles(dir).toSorted()).toEqual([...files.keys()].toSorted());
    }
  });
});
