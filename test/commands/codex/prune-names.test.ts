import { appendFileSync, cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { makeTempDir } from '../../temp-dir.ts';

const AGED = ['--grace', '0min', '--allow-empty', '--json'];
const ALL = ['--larger-than', '1B', ...AGED];
const FORK = '01a1fffd-53cf-7253-9911-3110f15894fd';
const LEGACY = '01a1fffd-5433-7a63-ade5-edd101592fdf';

it.each([
  ['the database no longer has', FORK, 'NULL', undefined],
  ['only the database has', LEGACY, "'Kept'", ''],
])('prune keeps a thread with a name that %s', async (_, id, name, index) => {
  const world = await makeTempDir();
  const home = join(world, '.codex');
  cpSync(join(FIXTURES, 'home'), home, { recursive: true });
  const database = openWritable(join(home, 'state_5.sqlite'));
  database.exec(`UPDATE threads SET name = ${name} WHERE id = '${id}'`);
  database.close();
  if (index !== undefined) writeFileSync(join(home, 'session_index.jsonl'), index);
  const prune = async (...args: readonly string[]) => {
    const { out } = await runTest(['prune', ...ALL, ...args], { cwd: world, home: world });
    const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
    return results.find((one) => one.id === id);
  };
  expect(await prune('--keep-named')).toMatchObject({
    action: 'keep',
    reasons: ['perhaps named: its agent has a name for it that it does not show'],
  });
  expect(await prune()).toMatchObject({ action: 'remove' });
});

it('takes a thread for as young as its last name', async () => {
  const world = await makeTempDir();
  const home = join(world, '.codex');
  cpSync(join(FIXTURES, 'home'), home, { recursive: true });
  const prune = async () => {
    const { out } = await runTest(['prune', '--older-than', '24h', ...AGED], {
      cwd: world,
      home: world,
    });
    const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
    return results.find((one) => one.id === LEGACY)?.action;
  };
  expect(await prune()).toBe('remove');
  const line = { id: LEGACY, thread_name: 'Newly named', updated_at: '2127-01-15T11:00:00Z' };
  appendFileSync(join(home, 'session_index.jsonl'), `${JSON.stringify(line)}\n`);
  expect(await prune()).toBe('keep');
});
