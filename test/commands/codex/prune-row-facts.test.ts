import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { copyHome } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';

const ACTIVE = '01a1fffd-5433-7a63-ade5-edd101592fdf';
const ARCHIVED = '01a1fffd-58f8-73e3-88f2-15ee10c483f9';
const ACTIVE_FILE = `sessions/2026/11/21/rollout-2026-11-21T21-22-34-${ACTIVE}.jsonl`;

let home: string;

beforeEach(async () => {
  ({ home } = await copyHome());
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
  expect(await find(ACTIVE, '--project', gone)).toMatchObject({ action: 'remove' });
  move(here);
  expect(await find(ACTIVE, '--missing-cwd')).not.toMatchObject({ action: 'remove' });
  expect(await find(ACTIVE, '--project', gone)).toMatchObject({
    action: 'keep',
    reasons: [`its working directory may be ${here}`],
  });
});

it('keeps a thread with a directory that the user added', async () => {
  const file = join(home, ACTIVE_FILE);
  const [gone, here] = [join(home, '..', 'a', 'gone'), join(home, '..', 'a', 'here')];
  mkdirSync(here, { recursive: true });
  execute(`UPDATE threads SET cwd = '${gone}' WHERE id = '${ACTIVE}'`);
  const text = readFileSync(file, 'utf8').replaceAll('/home/u2/demo-project', gone);
  const write = (roots: readonly string[]): void => {
    const payload = { cwd: gone, model: 'm', workspace_roots: roots };
    const line = { timestamp: '2026-11-21T21:22:40.000Z', type: 'turn_context', payload };
    writeFileSync(file, `${text}${JSON.stringify(line)}\n`);
  };
  write([gone]);
  expect(await find(ACTIVE, '--missing-cwd')).toMatchObject({ action: 'remove' });
  write([gone, here]);
  expect(await find(ACTIVE, '--missing-cwd')).not.toMatchObject({ action: 'remove' });
});

it('keeps a thread before 0.40 whose later directory is there', async () => {
  const place = join(home, 'sessions/2025/08/01');
  const id = '0198aaaa-0000-7000-8000-000000000001';
  const [gone, here] = [join(home, '..', 'a', 'gone'), join(home, '..', 'a', 'here')];
  mkdirSync(here, { recursive: true });
  mkdirSync(place, { recursive: true });
  const tell = (text: string): object => {
    return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
  };
  const at = (cwd: string): object => tell(`<environment_context>\n  <cwd>${cwd}</cwd>`);
  const write = (...cwds: readonly string[]): void => {
    const header = { id, timestamp: '2025-08-01T00:00:00.000Z', instructions: null };
    const lines = [header, ...cwds.flatMap((cwd) => [at(cwd), tell('work')])];
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    writeFileSync(join(place, `rollout-2025-08-01T00-00-00-${id}.jsonl`), text);
  };
  write(gone, gone);
  expect(await find(id, '--missing-cwd')).toMatchObject({ action: 'remove' });
  write(gone, here);
  expect(await find(id, '--missing-cwd')).not.toMatchObject({ action: 'remove' });
});
