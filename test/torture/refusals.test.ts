import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shareNewFiles } from '../ordinary-user.ts';
import { makeTempDir } from '../temp-dir.ts';
import { BIN, coppice, start } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { listFiles, makeSession, makeStore, readAll } from './old-store.ts';

shareNewFiles();

const NOBODY = 65_534;
const ROUNDS = IS_LONG ? 20 : 3;

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

describe('two runs of coppice migrate at once', () => {
  it('migrate every file once, and leave nothing lying about', async () => {
    const dir = await makeTempDir();
    const { files, reset } = makeStore(dir, 40, 40);
    const args = ['migrate', '--apply', '--store', dir, '--json'];
    await coppice(args);
    const migrated = readAll(files.keys());
    for (let round = 0; round < ROUNDS; round += 1) {
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
