import { statSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NeovateSession, SessionManager } from '../../src/index.ts';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../temp-dir.ts';
import { runBinary } from '../e2e/run-binary.ts';

const HOLE = 600_000_000;

/** Writes a file with a line of 600 MB: a hole takes no room on the disk, and reads as NUL bytes. */
async function writeHuge(path: string, head: string, tail: string): Promise<void> {
  const file = await open(path, 'w');
  await file.write(head, 0);
  await file.write(`\n${tail}`, head.length + HOLE);
  await file.close();
}

it('reports a line of 600 MB, reads what stands around it, and does the rest', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'small.jsonl': sampleSession({ id: 'small' }) });
  const [header, ...entries] = sampleSession({ id: 'huge' });
  const head = toJsonl([header ?? {}]);
  await writeHuge(join(dir, 'huge.jsonl'), head, toJsonl(entries));

  const listed = await runBinary(['list', '.', '--format', 'ndjson'], { cwd: dir });
  expect(listed).toMatchObject({ code: 0, err: '' });
  const sessions = listed.out.trimEnd().split('\n');
  expect(sessions.map((line) => JSON.parse(line) as object)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: 'small', messageCount: 2 }),
      expect.objectContaining({ id: 'huge', messageCount: 2 }),
    ]),
  );
  const checked = await runBinary(['validate', '.', '--format', 'ndjson'], { cwd: dir });
  expect(checked.code).toBe(1);
  expect(JSON.parse(checked.out)).toMatchObject({ line: 2, rule: 'line-oversized' });
});

it('is never cut by a command or by the library, which would keep its beginning only', async () => {
  const dir = await makeTempDir();
  const start = '2026-01-01T00:00:00.000Z';
  const header = {
    type: 'session',
    id: 'old',
    timestamp: start,
    cwd: '/w',
    provider: 'x',
    modelId: 'y',
  };
  const message = {
    type: 'message',
    timestamp: start,
    message: { role: 'user', content: 'Hi', timestamp: 1 },
  };
  const spoken = {
    type: 'message',
    uuid: 'u1',
    parentUuid: null,
    timestamp: start,
    role: 'user',
    content: 'Hi',
  };
  const [pi, neovate] = [join(dir, 'old.jsonl'), join(dir, 'aaaaaaaa.jsonl')];
  await writeHuge(pi, toJsonl([header]), toJsonl([message]));
  await writeHuge(neovate, toJsonl([{ type: 'config', config: {} }]), toJsonl([spoken]));
  const sizes = (): number[] => [pi, neovate].map((path) => statSync(path).size);
  const before = sizes();

  const tooLong = 'has a line too long to copy: line 2';
  expect(() => SessionManager.open(pi).appendSessionInfo('Name')).toThrow(tooLong);
  expect(() => NeovateSession.open(neovate).setSummary('Name')).toThrow(tooLong);
  const migrated = await runBinary(['migrate', pi, '--apply', '--grace', '0min', '--json'], {
    cwd: dir,
  });
  expect(migrated.out).toContain(tooLong);
  expect(sizes()).toEqual(before);
  expect((await readdir(dir)).toSorted()).toEqual(['aaaaaaaa.jsonl', 'old.jsonl']);
});
