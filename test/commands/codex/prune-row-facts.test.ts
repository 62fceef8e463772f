import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { makeTempDir } from '../../temp-dir.ts';

const ACTIVE = '01a1fffd-5433-7a63-ade5-edd101592fdf';
const ARCHIVED = '01a1fffd-58f8-73e3-88f2-15ee10c483f9';
const ACTIVE_FILE = `sessions/2026/11/21/rollout-2026-11-21T21-22-34-${ACTIVE}.jsonl`;

let home: string;

beforeEach(async () => {
  home = join(await makeTempDir(), '.codex');
  cpSync(join(FIXTURES, 'home'), home, { recursive: true });
});

function execute(sql: string): void {
  const database = openWritable(join(home, 'state_5.sqlite'));
  database.exec(sql);
  database.close();
}

async function find(id: string, ...args: readonly string[]): Promise<PruneResult | undefined> {
  const argv = ['prune', ...args, '--grace', '0min', '--allow-empty', '--json'];
  const { out } = await runTest(argv, { cwd: dirname(home), home: dirname(home) });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  return results.find((one) => one.id === id);
}

it.each([
  [ARCHIVED, 'archived', 0],
  [ACTIVE, 'active', 1],
])('keeps %s, which its database does not have as %s', async (id, state, archived) => {
  const prune = () => find(id, '--state', state);
  expect(await prune()).toMatchObject({ action: 'remove' });
  execute(`UPDATE threads SET archived = ${archived} WHERE id = '${id}'`);
  expect(await prune()).toMatchObject({
    action: 'keep',
    reasons: ['its agent has it as archived in one place, and as active in another'],
  });
});

it('keeps a thread whose working directory is there by the database, and in no line', async () => {
  const file = join(home, ACTIVE_FILE);
  const [gone, here] = [join(home, '..', 'a', 'gone'), join(home, '..', 'a', 'here')];
  mkdirSync(here, { recursive: true });
  const text = readFileSync(file, 'utf8').replaceAll('/home/u2/demo-project', gone);
  writeFileSync(file, text);
  const move = (cwd: string): void =>
    execute(`UPDATE threads SET cwd = '${cwd}' WHERE id = '${ACTIVE}'`);
  move(gone);
  expect(await find(ACTIVE, '--missing-cwd')).toMatchObject({ action: 'remove' });
  move(here);
  expect(await find(ACTIVE, '--missing-cwd')).not.toMatchObject({ action: 'remove' });
});
