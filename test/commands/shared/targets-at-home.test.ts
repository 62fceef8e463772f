import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

it('targets may begin with ~, as in a quoted glob, in a list and in what reports write', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'store/--a--/one.jsonl': sampleSession({ id: 'abcd-one' }) });
  const world = { cwd: dir, home: join(dir, 'store') };
  const one = join(dir, 'store/--a--/one.jsonl');
  const ask = async (target: string, input = '') =>
    (await runTest(['list', '--paths', target], { ...world, input })).out;
  expect(await ask('~/*/one.jsonl')).toBe(`${one}\n`);
  expect(await ask('~/--a--/one.jsonl')).toBe(`${one}\n`);
  expect(await ask('-', '~/--a--/one.jsonl\n')).toBe(`${one}\n`);
  const input = '~/--a--/one.jsonl\0';
  expect((await runTest(['list', '-', '-0'], { ...world, input })).exitCode).toBe(2);
  const named = ['--stdin', '--stdin-filename', '~/s.jsonl', '--json'];
  const { out } = await runTest(['list', ...named], {
    ...world,
    input: await readFile(one, 'utf8'),
  });
  expect(JSON.parse(out).results[0].path).toBe(join(dir, 'store/s.jsonl'));
});
