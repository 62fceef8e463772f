import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { codex } from '../../../src/session/agents/codex/codex.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { createRestorer } from '../../../src/store/archive/member/restore-member.ts';
import { openArchive, writeMember } from '../../../src/store/archive/member/write-member.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { restoreRows } from '../../../src/store/database/restore-rows.ts';
import { openWritable } from './open-writable.ts';
import { makeTempDir } from '../../temp-dir.ts';

const HOME = join(import.meta.dirname, '../../fixtures/codex/home');
const OWN = '01a1fffd-5c5c-7740-8733-f25d59bb2ffe';
const OTHER = '01a1fffd-53cf-7253-9911-3110f15894fd';
const ROLLOUT = `sessions/2026/11/21/rollout-2026-11-21T21-22-36-${OWN}.jsonl`;

function toRows(id: string): string {
  const row = { thread_id: id, turn_id: 't', started_at: 1 };
  return JSON.stringify({
    schemaVersion: 1,
    databases: { thread_history: { thread_turns: [row] } },
  });
}

it('puts back no rows of another session that is there', async () => {
  const home = join(await makeTempDir(), '.codex');
  await cp(HOME, home, { recursive: true });
  const file = join(home, `${ROLLOUT}.rows.json`);
  const write = (id: string) => writeFile(file, toRows(id));
  await write(OTHER);
  const put = () => restoreRows(file, { apply: false });
  await expect(put()).rejects.toThrow('of another session');
  await write(OWN);
  expect(await put()).toMatchObject({ added: 0 });
});

it('takes the owner of archived rows from the names of files, not from the description', async () => {
  const home = join(await makeTempDir(), '.codex');
  await cp(HOME, home, { recursive: true });
  const path = join(home, ROLLOUT);
  const files = await readSessionFiles(path, codex.sidecars ?? usualSidecars);
  const archive = join(home, '../archive');
  const lastActive = '2026-11-21T21:22:36.000Z';
  const facts = { agent: 'codex', cwd: '/w', title: 'Hi', lastActive, store: home };
  await openArchive(archive, 0);
  const restore = async (id: string) => {
    const session = { ...files, rows: Buffer.from(toRows(OTHER)) };
    const { path: member } = await writeMember(archive, session, { ...facts, id }, 0);
    return createRestorer({ ownStores: [home] }, 0)(member);
  };
  for (const id of [OWN, OTHER]) await expect(restore(id)).rejects.toThrow('of another session');
});

it('restores no file of another session as a part of one', async () => {
  const home = join(await makeTempDir(), '.codex');
  await cp(join(HOME, 'sessions'), join(home, 'sessions'), { recursive: true });
  const day = join(home, ROLLOUT, '..');
  const other = (await readdir(day)).find((name) => name.endsWith(`${OTHER}.jsonl`)) ?? '';
  const dialect = codex.sidecars ?? usualSidecars;
  const parts = [join(day, other)];
  const files = await readSessionFiles(join(home, ROLLOUT), dialect, undefined, { parts });
  const archive = join(home, '../archive');
  const lastActive = '2026-11-21T21:22:36.000Z';
  const facts = { agent: 'codex', id: OWN, cwd: '/w', title: 'Hi', lastActive, store: home };
  await openArchive(archive, 0);
  const { path: member } = await writeMember(archive, files, facts, 0);
  await rm(parts[0] ?? '');
  await expect(createRestorer({ ownStores: [home] }, 0)(member)).rejects.toThrow(
    'holds a file of another session',
  );
  expect(await readdir(day)).not.toContain(other);
});

it.each([
  [
    'by which its agent would go on',
    ['goals', 'thread_goals'],
    { thread_id: OWN, goal_id: 'g', objective: 'Mine', status: 'active' },
  ],
  [
    'about a sub-agent that is not back',
    ['state', 'thread_spawn_edges'],
    { parent_thread_id: OWN, child_thread_id: OTHER, status: 'open' },
  ],
])(
  'keeps the file while it has a row that is not put back: one %s',
  async (_, [database = '', table = ''], row) => {
    const home = join(await makeTempDir(), '.codex');
    await cp(HOME, home, { recursive: true });
    const file = join(home, `${ROLLOUT}.rows.json`);
    const content = { schemaVersion: 1, databases: { [database]: { [table]: [row] } } };
    await writeFile(file, JSON.stringify(content));
    expect(await restoreRows(file, { apply: true, open: openWritable })).toMatchObject({
      added: 0,
      omitted: [{ database, table, rows: 1 }],
    });
    expect(await readdir(join(file, '..'))).toContain(basename(file));
  },
);

it('restores the rows of a rollout that was decompressed since', async () => {
  const home = join(await makeTempDir(), '.codex');
  await cp(HOME, home, { recursive: true });
  const file = join(home, `${ROLLOUT}.zst.rows.json`);
  await writeFile(file, toRows(OWN));
  const path = join(home, ROLLOUT);
  expect(await restoreRows(file, { apply: false })).toMatchObject({ path });
  const { files } = await readSessionFiles(path, codex.sidecars ?? usualSidecars);
  expect(files.map(({ name }) => name)).toContain(`${ROLLOUT}.zst.rows.json`);
});

it.each(['sessions/2026/11/20', 'archived_sessions'])(
  'restores no second file of a thread that is in %s by now',
  async (place) => {
    const home = join(await makeTempDir(), '.codex');
    await cp(join(HOME, 'sessions'), join(home, 'sessions'), { recursive: true });
    const path = join(home, ROLLOUT);
    const files = await readSessionFiles(path, codex.sidecars ?? usualSidecars);
    const archive = join(home, '../archive');
    const lastActive = '2026-11-21T21:22:36.000Z';
    const facts = { agent: 'codex', id: OWN, cwd: '/w', title: 'Hi', lastActive, store: home };
    await openArchive(archive, 0);
    const { path: member } = await writeMember(archive, files, facts, 0);
    const moved = join(home, place, `${basename(path)}.zst`);
    await mkdir(dirname(moved), { recursive: true });
    await rename(path, moved);
    const restore = () => createRestorer({ ownStores: [home] }, 0)(member);
    await expect(restore()).rejects.toThrow(`not restored: its agent has it at ${moved}`);
    await rm(moved);
    expect(await restore()).toMatchObject({ path, changed: true });
  },
);
