import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { makeOld, makeTempDir } from '../temp-dir.ts';
import { runBinary } from './run-binary.ts';

const RECORDED = resolve(import.meta.dirname, '../fixtures/recorded');

it.each([
  [['list', '--no-cache']],
  [['list', '--usage']],
  [['validate']],
  [['migrate']],
  [['compact', '--tool-output', '1kB']],
])('says the same where there is no WebAssembly: %j', async (args) => {
  const dir = await makeTempDir();
  await mkdir(join(dir, 'store'));
  for (const name of [
    '0.30.2-every-message.jsonl',
    '0.87.1-compactions.jsonl',
    '0.87.1-every-message.jsonl',
  ]) {
    const path = join(dir, 'store', name);
    await copyFile(join(RECORDED, name), path);
    await makeOld([path]);
  }
  const words = [...args, '--store', 'store', '--json'];
  const { exitCode: code, out } = await runTest(words, { cwd: dir, now: Date.now });
  const without = await runBinary(words, { cwd: dir, env: { NODE_OPTIONS: '--jitless' } });
  // Node itself may have something to say on stderr.
  expect(without).toMatchObject({ code, out });
  expect(JSON.parse(out)).toMatchObject({ command: args[0] });
});

it('lists what it can read where there is no WebAssembly, and names a database that it cannot', async () => {
  const home = await makeTempDir();
  const day = join(home, '.codex/sessions/2026/11/21');
  await mkdir(day, { recursive: true });
  const name = 'rollout-2026-11-21T21-14-08-01a1fff5-9b7f-7cf2-8a1e-a5d0a5a7d8a4.jsonl';
  await copyFile(resolve(RECORDED, '../codex/linear-tools.jsonl'), join(day, name));
  await writeFile(join(home, '.codex/state_5.sqlite'), '');
  const { code, out, err } = await runBinary(['list', '--json'], {
    env: { HOME: home, NODE_OPTIONS: '--jitless' },
  });
  expect({ code, listed: (JSON.parse(out) as { results: unknown[] }).results.length }).toEqual({
    code: 0,
    listed: 1,
  });
  expect(err).toContain(
    'state_5.sqlite: cannot be read as a database: this Node runs without WebAssembly',
  );
});
