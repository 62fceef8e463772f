import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

const DAY = join(FIXTURES, 'home/sessions/2026/11/21');
const REVERTED = '01a1fffd-592e-7483-a952-5eb79e5a9b63';
const LATER = '01a1fffd-59d8-7800-b244-2a85526d31a4';
const PARENT = '01a1fffd-5184-7b42-a112-6bc9ed3ff874';
const FORK = '01a1fffd-53cf-7253-9911-3110f15894fd';

/** A store that was copied under another name, with files on the days that are given. */
async function copyStore(days: Readonly<Record<string, (name: string) => boolean>>) {
  const world = await makeTempDir();
  const store = join(world, 'backup');
  for (const [day, isThere] of Object.entries(days)) {
    for (const name of readdirSync(DAY).filter(isThere)) {
      cpSync(join(DAY, name), join(store, '2026/11', day, name));
    }
  }
  return async (...args: readonly string[]) => {
    const argv = ['prune', '--store', store, '--grace', '0min', '--include-pinned', '--json'];
    const { out } = await runTest([...argv, ...args], { home: world, cwd: world, env: {} });
    const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
    return results.map(({ id, action, reasons }) => [id, action, ...reasons]);
  };
}

it('takes the files of a reverted thread for one, whatever days they are of', async () => {
  const prune = await copyStore({
    20: (name) => name.includes(REVERTED) && !name.includes(LATER),
    22: (name) => name.includes(LATER),
  });
  expect(await prune('--keep-last', '1')).toEqual([[REVERTED, 'keep', 'last 1']]);
});

it('keeps what a fork of another day cannot be opened without', async () => {
  const prune = await copyStore({
    20: (name) => name.endsWith(`${PARENT}.jsonl`),
    22: (name) => name.endsWith(`${FORK}.jsonl`),
  });
  const args = ['--larger-than', '1B', '--include-parents', '--allow-empty'];
  expect(await prune(PARENT, ...args)).toEqual([[PARENT, 'keep', 'a kept fork continues from it']]);
});
