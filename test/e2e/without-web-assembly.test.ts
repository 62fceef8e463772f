import { copyFile, mkdir } from 'node:fs/promises';
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
