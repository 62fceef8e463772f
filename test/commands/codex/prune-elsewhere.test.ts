import { cpSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { copyHome } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';

const PARENT = '01a1fffd-5184-7b42-a112-6bc9ed3ff874';

it('keeps a thread that Codex has in another file', async () => {
  const { world, home } = await copyHome();
  const setPath = (path: string): void => {
    const database = openWritable(join(home, 'state_5.sqlite'));
    database.exec(`UPDATE threads SET rollout_path = '${path}' WHERE id = '${PARENT}'`);
    database.close();
  };
  const prune = ['prune', '--larger-than', '1B', '--grace', '0min', '--allow-empty', '--json'];
  const decide = async () => {
    const argv = [...prune, '--include-pinned'];
    const { out } = await runTest(argv, { home: world, cwd: world, env: {} });
    const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
    const { action, reasons } = results.find(({ id }) => id === PARENT) ?? {};
    return action === 'keep' ? reasons : action;
  };
  const elsewhere = join(world, `rollout-2026-03-01T10-00-00-${PARENT}.jsonl`);
  setPath(elsewhere);
  expect(await decide()).toBe('remove');
  writeFileSync(elsewhere, '');
  const reasons = [`its agent has it in another file: ${elsewhere}`];
  expect(await decide()).toEqual(reasons);
  renameSync(elsewhere, `${elsewhere}.zst`);
  expect(await decide()).toEqual(reasons);
  // Another path of its own file.
  symlinkSync(home, join(world, 'link'));
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  const own = names.find((name) => name.includes(PARENT) && name.endsWith('.jsonl'));
  setPath(join(world, 'link', own ?? ''));
  expect(await decide()).toBe('remove');
});

it('keeps every thread where the app has databases of its own', async () => {
  const { world, home } = await copyHome();
  mkdirSync(join(home, 'sqlite'));
  const argv = ['prune', '--larger-than', '1B', '--grace', '0min', '--allow-empty', '--json'];
  const decide = async () => {
    const { out } = await runTest([...argv, '--include-pinned'], {
      home: world,
      cwd: world,
      env: {},
    });
    const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
    return new Set(results.map(({ action }) => action));
  };
  writeFileSync(join(home, 'sqlite', 'other.sqlite'), '');
  expect(await decide()).toEqual(new Set(['remove']));
  cpSync(join(home, 'state_5.sqlite'), join(home, 'sqlite', 'state_5.sqlite'));
  expect(await decide()).toEqual(new Set(['keep']));
});
