import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { ROOT } from './docs-lines.ts';
import { BINARY, runBinary } from './run-binary.ts';

/** The built program as another version of it, which differs in nothing else. Returns its binary. */
async function makeOther(version: string): Promise<string> {
  const root = await makeTempDir();
  for (const name of ['bin', 'dist'])
    await cp(join(ROOT, name), join(root, name), { recursive: true });
  for (const name of ['node_modules', 'schemas', 'docs'])
    await symlink(join(ROOT, name), join(root, name));
  const text = await readFile(join(ROOT, 'package.json'), 'utf8');
  await writeFile(
    join(root, 'package.json'),
    JSON.stringify({ ...(JSON.parse(text) as object), version }),
  );
  return join(root, 'bin/coppice.js');
}

it('an export makes anew what another version of coppice has made', async () => {
  const other = await makeOther('0.0.1');
  const cwd = await makeTempDir();
  await writeFiles(cwd, {
    'in/a.jsonl': sampleSession({ id: 'a' }),
    'in/b.jsonl': sampleSession(),
  });
  const exportAll = async (binary: string): Promise<unknown> => {
    const { out } = await runBinary(['export', '--store', 'in', '--out', 'out', '--json'], {
      cwd,
      binary,
    });
    return (JSON.parse(out) as { summary: unknown }).summary;
  };
  expect(await exportAll(other)).toMatchObject({ exported: 2, unchanged: 0 });
  expect(await exportAll(other)).toMatchObject({ exported: 0, unchanged: 2 });
  expect(await exportAll(BINARY)).toMatchObject({ exported: 2, unchanged: 0 });
  expect(await exportAll(BINARY)).toMatchObject({ exported: 0, unchanged: 2 });
});
