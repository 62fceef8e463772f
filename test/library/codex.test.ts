import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exportSession, migrateSession } from '../../src/index.ts';
import { openSqlite } from '../../src/store/database/sqlite.ts';
import { runTest } from '../memory-terminal.ts';
import { copyHome, getRecorded, placeRecorded } from '../session/agents/codex/corpus.ts';

it.each(['md', 'context', 'atif'] as const)(
  'exportSession makes of a fork of Codex what the command prints as %s',
  async (as) => {
    const path = await placeRecorded(getRecorded('fork-child'));
    const { documents, problems } = await exportSession(path, { as });
    expect(problems).toEqual([]);
    const { out } = await runTest(['export', path, '--as', as]);
    expect(documents.map(({ text }) => text)).toEqual([out]);
    expect(out).toContain('Fork question');
  },
);

it('exportSession includes the text of the harness, as the command does', async () => {
  const path = await placeRecorded(getRecorded('linear-tools'));
  const { documents } = await exportSession(path, { as: 'text', harness: true });
  const { out } = await runTest(['export', path, '--as', 'text', '--harness']);
  expect(documents.map(({ text }) => text)).toEqual([out]);
  expect(out).toContain('environment_context');
});

it('migrateSession moves a thread with its rows, or not at all where this Node cannot write these', async () => {
  const { home } = await copyHome();
  const name = 'rollout-2026-11-21T21-22-34-01a1fffd-54ad-7773-b355-e5616e5c1e65.jsonl';
  const path = join(home, 'sessions/2026/11/21', name);
  const old = readFileSync(path, 'utf8');
  const relocation = {
    changes: {},
    move: { from: '/home/u2', to: '/srv/u3' },
    moveTo: undefined,
    reasons: [],
    obstacle: undefined,
  };
  const moved = await migrateSession(path, {
    apply: true,
    findUse: () => undefined,
    relocation,
  });
  const writes = process.getBuiltinModule('node:sqlite') !== undefined;
  expect(moved).toMatchObject({ action: writes ? 'relocate' : 'fail' });
  const [reason] = 'reasons' in moved ? moved.reasons : [];
  expect(reason?.includes('cannot write to the databases of the agent') ?? false).toBe(!writes);
  expect(readFileSync(path, 'utf8') === old).toBe(!writes);
  expect(writes ? readCwd(join(home, 'state_5.sqlite'), name) : undefined).toBe(
    writes ? '/srv/u3/demo-project' : undefined,
  );
});

/** Reads the directory of a thread from the database that Codex lists threads from. */
function readCwd(path: string, name: string): unknown {
  const database = openSqlite(path);
  const [, id = ''] = /-(01a1fffd-.*)\.jsonl$/.exec(name) ?? [];
  const [row] = database.prepare('SELECT cwd FROM threads WHERE id = ?').all(id);
  database.close();
  return new Map(Object.entries(row ?? {})).get('cwd');
}
