import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NameTwins } from '../../../../src/commands/export/folder/name-twins.ts';
import { runTest } from '../../../memory-terminal.ts';
import { sampleSession } from '../../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';

it('lets one of two sessions have a name, in all formats', () => {
  const twins = new NameTwins(() => '0123456789abcdef');
  expect(twins.isTaken('/a.jsonl', 'md:a')).toBe(false);
  expect(twins.isTaken('/b.jsonl', 'md:b')).toBe(true);
  expect(twins.isTaken('/a.jsonl', 'html:a')).toBe(false);
});

it('does not replace the export that another session has in the folder', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'in/a.jsonl': sampleSession({ id: 'a' }) });
  const run = () =>
    runTest(['export', '--store', 'in', '--out', 'out', '--as', 'text'], { cwd: dir });
  expect((await run()).exitCode).toBe(0);
  const record = join(dir, 'out/.coppice-export.json');
  const text = await readFile(record, 'utf8');
  await writeFile(record, text.replace(/text:[\da-f]+/, `text:${'0'.repeat(64)}`));
  const { exitCode, err } = await run();
  expect(exitCode).toBe(3);
  expect(err).toContain('not exported: the export of another session already has this name');
});
