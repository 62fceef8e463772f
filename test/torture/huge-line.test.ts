import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../temp-dir.ts';
import { runBinary } from '../e2e/run-binary.ts';

const HOLE = 600_000_000;

it('reports a line of 600 MB, reads what stands around it, and does the rest', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'small.jsonl': sampleSession({ id: 'small' }) });
  const [header, ...entries] = sampleSession({ id: 'huge' });
  const head = toJsonl([header ?? {}]);
  // A hole takes no room on the disk, and reads as NUL bytes.
  const file = await open(join(dir, 'huge.jsonl'), 'w');
  await file.write(head, 0);
  await file.write(`\n${toJsonl(entries)}`, head.length + HOLE);
  await file.close();

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
