import { appendFileSync, cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES, copyHome } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { makeTempDir } from '../../temp-dir.ts';

const AGED = ['--grace', '0min', '--allow-empty', '--json'];
const ALL = ['--larger-than', '1B', ...AGED];
const FORK = '01a1fffd-53cf-7253-9911-3110f15894fd';
const LEGACY = '01a1fffd-5433-7a63-ade5-edd101592fdf';
const SPAWNER = '01a1fffd-546c-7510-b5fc-2cd045944e1a';
const CHILD = '01a1fffd-54ad-7773-b355-e5616e5c1e65';

/** Runs `prune`, and returns its decision on one thread. */
async function decideOn(
  id: string,
  world: string,
  ...args: readonly string[]
): Promise<PruneResult | undefined> {
  const { out } = await runTest(['prune', ...args], { cwd: world, home: world });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  return results.find((one) => one.id === id);
}

it.each([
  ['the database no longer has', FORK, 'NULL', undefined],
  ['only the database has', LEGACY, "'Kept'", ''],
])('prune keeps a thread with a name that %s', async (_, id, name, index) => {
  const { world, home } = await copyHome();
  const database = openWritable(join(home, 'state_5.sqlite'));
  database.exec(`UPDATE threads SET name = ${name}, title = first_user_message WHERE id = '${id}'`);
  database.close();
  if (index !== undefined) writeFileSync(join(home, 'session_index.jsonl'), index);
  const prune = (...args: readonly string[]) => decideOn(id, world, ...ALL, ...args);
  expect(await prune('--keep-named')).toMatchObject({
    action: 'keep',
    reasons: ['perhaps named: its agent has a name for it that it does not show'],
  });
  expect(await prune()).toMatchObject({ action: 'remove' });
});

const APP = '.codex-global-state.json';
const toTitles = (id: string, title: string): object => ({
  'thread-titles': { titles: { [id]: title }, order: [id] },
});

describe('the titles in the app', () => {
  const decide = async (id: string, name: string, state: string, ...args: readonly string[]) => {
    const { world, home } = await copyHome();
    writeFileSync(join(home, 'session_index.jsonl'), '');
    execute(home, 'UPDATE threads SET name = NULL, title = first_user_message');
    writeFileSync(join(home, name), state);
    return decideOn(id, world, ...ALL, ...args);
  };

  it.each([
    ['of an older release', LEGACY, APP, toTitles(LEGACY, ' Mine ')],
    ['of a newer one', FORK, APP, toTitles(FORK, 'Mine')],
    ['in one of its objects', LEGACY, APP, { atoms: toTitles(LEGACY, 'Mine') }],
    ['in the backup', LEGACY, `${APP}.bak`, toTitles(LEGACY, 'Mine')],
  ])('are names: of a thread %s', async (_, id, name, state) => {
    const text = JSON.stringify(state, undefined, 2);
    expect(await decide(id, name, text, '--keep-named')).toMatchObject({
      action: 'keep',
      name: 'Mine',
      reasons: ['named'],
    });
  });

  it.each([
    ['of another thread', toTitles(FORK, 'Mine')],
    ['that is empty', toTitles(LEGACY, ' ')],
    ['of another form', { 'thread-titles': { titles: [LEGACY] } }],
  ])('are none: one %s', async (_, state) => {
    const text = JSON.stringify(state);
    expect(await decide(LEGACY, APP, text, '--keep-named')).toMatchObject({ action: 'remove' });
  });
});

it('prune keeps a thread by the title that Codex shows as its name where the list of names is gone', async () => {
  const { world, home } = await copyHome();
  writeFileSync(join(home, 'session_index.jsonl'), '');
  execute(home, 'UPDATE threads SET name = NULL');
  const decide = async (title: string): Promise<PruneResult | undefined> => {
    execute(home, `UPDATE threads SET title = ${title} WHERE id = '${LEGACY}'`);
    return decideOn(LEGACY, world, ...ALL, '--keep-named');
  };
  expect(await decide("first_user_message || ' '")).toMatchObject({ action: 'remove' });
  expect(await decide("' '")).toMatchObject({ action: 'remove' });
  expect(await decide("' Kept '")).toMatchObject({ action: 'keep', reasons: ['named'] });
});

it('prune keeps a thread that a damaged line in the list of names has, also if its database has no name', async () => {
  const { world, home } = await copyHome();
  execute(home, 'UPDATE threads SET name = NULL');
  const decide = async (line: string): Promise<PruneResult | undefined> => {
    writeFileSync(join(home, 'session_index.jsonl'), line);
    return decideOn(FORK, world, ...ALL, '--keep-named');
  };
  expect(await decide('')).toMatchObject({ action: 'remove' });
  expect(await decide('{"thread_na')).toMatchObject({ action: 'remove' });
  expect(await decide(`{"id":"${FORK}","thread_na`)).toMatchObject({ action: 'keep' });
});

it('prune --named keeps a thread that has another name in a second place', async () => {
  const { world, home } = await copyHome();
  execute(home, `UPDATE threads SET name = 'tmp' WHERE id = '${FORK}'`);
  const decide = async (name: string): Promise<string | undefined> => {
    const line = { id: FORK, thread_name: name, updated_at: '2026-11-21T11:00:00Z' };
    writeFileSync(join(home, 'session_index.jsonl'), `${JSON.stringify(line)}\n`);
    return (await decideOn(FORK, world, '--named', 'tmp', ...AGED))?.action;
  };
  expect(await decide('tmp')).toBe('remove');
  expect(await decide('Kept')).toBe('keep');
});

it.each([
  ['keeps', LEGACY, 'keep'],
  ['removes a fork that has copied', FORK, 'remove'],
])(
  'prune %s a thread with a line that names it, which no list of names has',
  async (_, id, action) => {
    const world = await makeTempDir();
    const home = join(world, '.codex');
    cpSync(join(FIXTURES, 'home', 'sessions'), join(home, 'sessions'), { recursive: true });
    const prune = () => decideOn(LEGACY, world, ...ALL, '--keep-named', '--include-pinned');
    const before = await prune();
    expect(before).toMatchObject({ action: 'remove' });
    const payload = { type: 'thread_name_updated', thread_id: id, thread_name: 'Kept' };
    const line = { timestamp: '2026-11-21T21:22:34.719Z', type: 'event_msg', payload };
    appendFileSync(before?.path ?? '', `${JSON.stringify(line)}\n`);
    expect(await prune()).toMatchObject({ action });
  },
);

it('takes a thread for as young as its last name', async () => {
  const { world, home } = await copyHome();
  const prune = async () => (await decideOn(LEGACY, world, '--older-than', '24h', ...AGED))?.action;
  expect(await prune()).toBe('remove');
  const line = { id: LEGACY, thread_name: 'Newly named', updated_at: '2127-01-15T11:00:00Z' };
  const older = { ...line, updated_at: '2026-11-21T11:00:00Z' };
  for (const one of [line, older, { ...line, updated_at: undefined }]) {
    appendFileSync(join(home, 'session_index.jsonl'), `${JSON.stringify(one)}\n`);
    expect(await prune()).toBe('keep');
  }
});

/** Removes all threads for good but named ones, and lets `act` happen in their home before the first goes. */
async function pruneWhile(home: string, act: () => void): Promise<readonly PruneResult[]> {
  const argv = ['prune', ...ALL, '--keep-named', '--include-pinned', '--apply', '--delete'];
  const world = dirname(home);
  const { out } = await runTest(argv, {
    cwd: world,
    home: world,
    startProgress: (label) => {
      if (label === 'Removing') act();
      return { advance: () => undefined, stop: () => undefined };
    },
  });
  return (JSON.parse(out) as { readonly results: readonly PruneResult[] }).results;
}

function execute(home: string, sql: string): void {
  const database = openWritable(join(home, 'state_5.sqlite'));
  database.exec(sql);
  database.close();
}

describe('a plan', () => {
  it('does not remove a thread that got a name which the client does not show', async () => {
    const { world, home } = await copyHome();
    const list = join(home, 'session_index.jsonl');
    writeFileSync(list, '');
    execute(home, 'UPDATE threads SET name = NULL');
    const run = async (...args: readonly string[]): Promise<readonly PruneResult[]> => {
      const { out } = await runTest(['prune', ...args, '--json'], { cwd: world, home: world });
      return (JSON.parse(out) as { readonly results: readonly PruneResult[] }).results;
    };
    const plan = join(world, 'plan.ndjson');
    await run(...ALL, '--keep-named', '--include-pinned', '--plan-out', plan);
    const outcome = async (): Promise<PruneResult | undefined> =>
      (await run('--plan', plan)).find(({ id }) => id === FORK);
    expect(await outcome()).toMatchObject({ action: 'remove' });
    const line = { id: FORK, thread_name: 'Kept', updated_at: '2026-11-21T11:00:00Z' };
    writeFileSync(list, `${JSON.stringify(line)}\n`);
    expect(await outcome()).not.toMatchObject({ action: 'remove' });
  });
});

const ATTACHED = '0199aaaa-0000-7000-8000-000000000001';
const ATTACH = `CREATE TEMP TABLE one AS SELECT * FROM threads WHERE id = '${FORK}';
  UPDATE one SET id = '${ATTACHED}', attached_thread_parent_id = '${FORK}';
  INSERT INTO threads SELECT * FROM one`;

describe('prune keeps a thread about which its database says since the plan', () => {
  it.each([
    ['a name', FORK, `UPDATE threads SET name = 'Kept' WHERE id = '${FORK}'`],
    ['a name of its sub-agent', SPAWNER, `UPDATE threads SET name = 'Kept' WHERE id = '${CHILD}'`],
    ['that another one is attached to it', FORK, ATTACH],
  ])('%s', async (_, id, sql) => {
    const { home } = await copyHome();
    writeFileSync(join(home, 'session_index.jsonl'), '');
    execute(home, 'UPDATE threads SET name = NULL');
    const results = await pruneWhile(home, () => execute(home, sql));
    expect(results.filter((one) => one.action === 'remove').length).toBeGreaterThan(0);
    expect(results.find((one) => one.id === id)).toMatchObject({
      action: 'skip',
      reasons: ['changed since it was planned'],
    });
  });
});

/** Makes a home without databases, as of the first releases. */
async function makeOldHome(): Promise<{ readonly home: string; readonly list: string }> {
  const home = join(await makeTempDir(), '.codex');
  cpSync(join(FIXTURES, 'home', 'sessions'), join(home, 'sessions'), { recursive: true });
  return { home, list: join(home, 'session_index.jsonl') };
}

it('prune keeps a thread that since the plan got a name in the list of names', async () => {
  const { home, list } = await makeOldHome();
  const line = { id: LEGACY, thread_name: 'Kept', updated_at: '2126-12-01T11:00:00Z' };
  const results = await pruneWhile(home, () => writeFileSync(list, `${JSON.stringify(line)}\n`));
  expect(results.filter((one) => one.action === 'remove').length).toBeGreaterThan(0);
  expect(results.find((one) => one.id === LEGACY)).toMatchObject({
    action: 'skip',
    reasons: ['changed since it was planned'],
  });
});

it('prune fails to remove threads once the list of their names cannot be read', async () => {
  const { home, list } = await makeOldHome();
  const results = await pruneWhile(home, () => symlinkSync('session_index.jsonl', list));
  expect(results.map(({ action }) => action)).not.toContain('remove');
  const [reason] = results.find((one) => one.id === LEGACY)?.reasons ?? [];
  expect(reason).toContain('too many symbolic links');
  expect(reason).toContain(list);
});

it('prune removes a thread beside a list of names that was unreadable all along', async () => {
  const { home, list } = await makeOldHome();
  symlinkSync('session_index.jsonl', list);
  const argv = ['prune', ...ALL, '--include-pinned', '--apply', '--delete'];
  const { out } = await runTest(argv, { cwd: dirname(home), home: dirname(home) });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  expect(results.find(({ id }) => id === LEGACY)).toMatchObject({ action: 'remove' });
});
