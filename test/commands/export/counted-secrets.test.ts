import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { assistant, toSession, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const KEY = ['ghp_', 'a8kd93jfls02mnvbq1xz7ytrewpo56uihgcd'].join('');

it('a preview counts the secrets that the run then takes out', async () => {
  const cwd = await makeTempDir();
  const lines = toSession([user('DB_PASSWORD=wkBN72raYD19xc'), assistant(`Found ${KEY} there.`)]);
  await writeFiles(cwd, { 'in/a.jsonl': toJsonl(lines) });
  const run = async (...argv: string[]): Promise<unknown> => {
    const args = ['export', '--store', 'in', '--out', 'out', '--redact', '--json', ...argv];
    const { out } = await runTest(args, { cwd });
    return Object.entries(JSON.parse(out).results[0]).filter(([name]) => name === 'redactions');
  };
  const preview = await run('--dry-run');
  expect(await readdir(cwd)).toEqual(['in']);
  expect(preview).toEqual(await run());
  expect(await readdir(join(cwd, 'out'))).toHaveLength(2);
});
