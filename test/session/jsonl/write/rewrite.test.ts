import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { OldFile } from '../../../../src/session/jsonl/files/old-file.ts';
import { readLines } from '../../../../src/session/jsonl/read/read-lines.ts';
import { Rewrite, type RewriteOptions } from '../../../../src/session/jsonl/write/rewrite.ts';
import { makeTempDir } from '../../../temp-dir.ts';

async function setUp(options: Partial<RewriteOptions> = {}) {
  const dir = await makeTempDir();
  const [path, temp] = [join(dir, 's.jsonl'), join(dir, 'temp')];
  writeFileSync(path, 'a\n');
  const planned = await readLines(path, () => undefined);
  const [source, target] = [new OldFile(path), await open(temp, 'ax')];
  const writer = openSync(path, 'a');
  onTestFinished(async () => {
    await source.close();
    await target.close();
    closeSync(writer);
  });
  const rewrite = new Rewrite(
    path,
    source,
    { path: temp, fd: target.fd },
    ({ bytes, terminated }) => [Buffer.from('x'), bytes, Buffer.from(terminated ? '\n' : '')],
    { planned, ...options },
  );
  onTestFinished(() => rewrite.close());
  await rewrite.write();
  return {
    path,
    commit: () => rewrite.commit(),
    carryOver: () => rewrite.carryOver(),
    /** As a process does that had opened the file before it was replaced. */
    writeLate: (text: string) => writeSync(writer, text),
    read: () => readFileSync(path, 'utf8'),
  };
}

describe('lines that reach the old file when it has been checked for the last time', () => {
  it('are carried over, before and after the new file has its name', async () => {
    const { path, commit, carryOver, writeLate, read } = await setUp();
    appendFileSync(path, 'before\n');
    await commit();
    writeLate('after\n');
    await carryOver();
    expect(read()).toBe('xa\nxbefore\nxafter\n');
  });

  it('are carried over when half of them has come, and the other half after it', async () => {
    const { commit, carryOver, writeLate, read } = await setUp();
    await commit();
    writeLate('one\nha');
    await carryOver();
    expect(read()).toBe('xa\nxone\nxha');
    writeLate('lf\ntwo\n');
    await carryOver();
    expect(read()).toBe('xa\nxone\nxhalf\nxtwo\n');
  });

  it('are carried over when the run is stopped', async () => {
    const stop = new AbortController();
    const { commit, carryOver, writeLate, read } = await setUp({ signal: stop.signal });
    await commit();
    writeLate('late\n');
    stop.abort();
    await carryOver();
    expect(read()).toBe('xa\nxlate\n');
  });
});
