import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES, copyHome } from '../../session/agents/codex/corpus.ts';

const ALL = ['--larger-than', '1B', '--grace', '0min', '--allow-empty', '--json'];
const ID = '01a1fffd-5433-7a63-ade5-edd101592fdf';
/** A thread of these fixtures without a name. */
const UNNAMED = '01a1fffd-5c5c-7740-8733-f25d59bb2ffe';
const STATE = '.codex-global-state.json';

async function makeHome(): Promise<string> {
  const { home } = await copyHome();
  return home;
}

function write(home: string, name: string, text: string | Buffer): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}

async function prune(home: string, args: readonly string[], act?: () => void) {
  const { out, exitCode } = await runTest(['prune', ...ALL, ...args], {
    cwd: dirname(home),
    home: dirname(home),
    startProgress: (label) => {
      if (label === 'Removing') act?.();
      return { advance: () => undefined, stop: () => undefined };
    },
  });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  return { exitCode, results, one: results.find(({ id }) => id === ID) };
}

it.each([
  ['is pinned', STATE, JSON.stringify({ 'pinned-thread-ids': [ID] })],
  ['is pinned', STATE, JSON.stringify({ atoms: { 'pinned-thread-ids': [ID] } })],
  ['has a queued prompt', STATE, JSON.stringify({ 'queued-follow-ups': { [ID]: [{ id: 'q' }] } })],
  ['is pinned', `${STATE}.bak`, JSON.stringify({ 'pinned-thread-ids': [ID] })],
  ['has an automation', 'automations/a/automation.toml', `id = "a"\ntarget_thread_id = "${ID}"\n`],
])('prune keeps a thread that %s in the app, by %s', async (reason, name, text) => {
  const home = await makeHome();
  expect((await prune(home, [])).one).toMatchObject({ action: 'remove' });
  write(home, name, text);
  expect((await prune(home, [])).one).toMatchObject({
    action: 'keep',
    reasons: [`${reason} (--include-pinned)`],
  });
  expect((await prune(home, ['--include-pinned'])).one).toMatchObject({ action: 'remove' });
});

it.each(['.codex', 'other'])(
  'prune keeps a thread of two homes that is pinned in %s',
  async (noted) => {
    const own = await makeHome();
    const [user, other] = [dirname(own), join(dirname(own), 'other')];
    renameSync(own, other);
    cpSync(join(FIXTURES, 'home'), own, { recursive: true });
    for (const name of ['sessions', 'archived_sessions']) {
      rmSync(join(own, name), { recursive: true });
      symlinkSync(join(other, name), join(own, name));
    }
    const decide = async (): Promise<PruneResult | undefined> => {
      const world = { cwd: user, home: user, env: { CODEX_HOME: other } };
      const { out } = await runTest(['prune', ...ALL], world);
      const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
      return results.find(({ id }) => id === ID);
    };
    expect(await decide()).toMatchObject({ action: 'remove' });
    write(join(user, noted), STATE, JSON.stringify({ 'pinned-thread-ids': [ID] }));
    expect(await decide()).toMatchObject({
      action: 'keep',
      reasons: ['is pinned (--include-pinned)'],
    });
  },
);

describe('prune without CODEX_HOME', () => {
  /** Two homes, of which the second has the sessions of the first by links. */
  async function makeSharer(): Promise<{ readonly own: string; readonly other: string }> {
    const own = await makeHome();
    const other = join(dirname(own), 'work');
    cpSync(join(FIXTURES, 'home'), other, { recursive: true });
    for (const name of ['sessions', 'archived_sessions']) {
      rmSync(join(other, name), { recursive: true });
      symlinkSync(join(own, name), join(other, name));
    }
    return { own, other };
  }

  it('keeps a thread that another home beside it has pinned, where both share it by a link', async () => {
    const { own, other } = await makeSharer();
    expect((await prune(own, [])).one).toMatchObject({ action: 'remove' });
    write(other, STATE, JSON.stringify({ 'pinned-thread-ids': [ID] }));
    expect((await prune(own, [])).one).toMatchObject({
      action: 'keep',
      reasons: ['is pinned (--include-pinned)'],
    });
  });

  it('keeps with --keep-named a thread that has a name in the other home alone', async () => {
    const { own, other } = await makeSharer();
    const unnamed = async (): Promise<PruneResult | undefined> => {
      const { results } = await prune(own, ['--keep-named', '--include-parents']);
      return results.find(({ id }) => id === UNNAMED);
    };
    expect(await unnamed()).toMatchObject({ action: 'remove' });
    const line = { id: UNNAMED, thread_name: 'Precious', updated_at: '2026-01-01T00:00:00Z' };
    appendFileSync(join(other, 'session_index.jsonl'), `${JSON.stringify(line)}\n`);
    expect(await unnamed()).toMatchObject({
      action: 'keep',
      reasons: ['perhaps named: its agent has a name for it that it does not show'],
    });
  });

  it('does not ask what is no home', async () => {
    const { own, other } = await makeSharer();
    for (const name of readdirSync(other)) {
      if (!name.endsWith('sessions')) rmSync(join(other, name), { recursive: true });
    }
    expect((await prune(own, [])).one).toMatchObject({ action: 'remove' });
  });
});

it('prune keeps all threads, and exits 3, if the app has notes that cannot be read', async () => {
  const home = await makeHome();
  write(home, STATE, '{"pinned-thread-ids":');
  const { exitCode, results } = await prune(home, []);
  expect(exitCode).toBe(3);
  expect(results.map(({ action }) => action)).not.toContain('remove');
});

it('prune keeps a thread that a list of pins may name, however deep it is nested', async () => {
  const home = await makeHome();
  // Node 26 can write it again, and earlier releases cannot.
  write(home, STATE, `{"pinned-thread-ids":${'['.repeat(DEPTH)}"${ID}"${']'.repeat(DEPTH)}}`);
  expect((await prune(home, [])).one).toMatchObject({ action: 'keep' });
});

it('prune takes the backup of the notes of the app for older than the notes', async () => {
  const home = await makeHome();
  write(home, `${STATE}.bak`, JSON.stringify({ 'pinned-thread-ids': [ID] }));
  write(home, STATE, '{}');
  expect((await prune(home, [])).one).toMatchObject({ action: 'remove' });
});

const AUTOMATION = 'automations/a/automation.toml';
const DEPTH = 100_000;
const HEAD = 'version = 1\nid = "a"\nkind = "heartbeat"\n';

it.each([
  ['is empty', AUTOMATION, ''],
  ['is full of NULs', AUTOMATION, '\0'.repeat(90)],
  ['ends in its first line', AUTOMATION, 'vers'],
  ['ends before the thread', AUTOMATION, `${HEAD}status = "ACTIVE"\n`],
  ['ends in the id of the thread', AUTOMATION, `${HEAD}target_thread_id = "${ID.slice(0, 9)}`],
  ['is in UTF-16', AUTOMATION, Buffer.from(`target_thread_id = "${ID}"\n`, 'utf16le')],
  ['has a queue of another form', STATE, JSON.stringify({ 'queued-follow-ups': [{ id: ID }] })],
  ['has a damaged id', STATE, damage(JSON.stringify({ 'pinned-thread-ids': [ID] }))],
  ['is a backup with a damaged id', `${STATE}.bak`, damage(`{"pinned-thread-ids":["${ID}"]}`)],
])('prune keeps all threads, and exits 3, where a note of the app %s', async (_, name, text) => {
  const home = await makeHome();
  write(home, name, text);
  const { exitCode, results } = await prune(home, []);
  expect(exitCode).toBe(3);
  expect(results.map(({ action }) => action)).not.toContain('remove');
});

/** Puts a byte into an id that makes it no text. */
function damage(text: string): Buffer {
  const [before = '', after = ''] = text.split(ID);
  return Buffer.concat([Buffer.from(before + ID.slice(0, 9)), Buffer.of(0xff), Buffer.from(after)]);
}

it('an automation that begins a thread each time keeps none', async () => {
  const home = await makeHome();
  write(home, AUTOMATION, 'version = 1\nid = "a"\nkind = "cron"\nstatus = "ACTIVE"\n');
  expect((await prune(home, [])).one).toMatchObject({ action: 'remove' });
});

it.each(['automations', 'automations/a', AUTOMATION, STATE, 'config.toml'])(
  'prune keeps all threads, and exits 3, where %s is a link that leads nowhere',
  async (name) => {
    const home = await makeHome();
    mkdirSync(dirname(join(home, name)), { recursive: true });
    symlinkSync(join(home, 'nowhere'), join(home, name));
    const { exitCode, results } = await prune(home, []);
    expect(exitCode).toBe(3);
    expect(results.map(({ action }) => action)).not.toContain('remove');
  },
);

it('prune exits 3 if the database of the client is damaged', async () => {
  const home = await makeHome();
  write(home, 'state_5.sqlite', 'nothing');
  const { exitCode, results } = await prune(home, []);
  expect(exitCode).toBe(3);
  expect(results.map(({ action }) => action)).not.toContain('remove');
});

describe('prune where rows are written', () => {
  it('keeps a thread that the app has pinned since the plan', async () => {
    const home = await makeHome();
    const pin = (): void => write(home, STATE, JSON.stringify({ 'pinned-thread-ids': [ID] }));
    const { results, one } = await prune(home, ['--apply', '--delete'], pin);
    expect(one).toMatchObject({ action: 'skip', reasons: ['changed since it was planned'] });
    expect(results.filter(({ action }) => action === 'remove').length).toBeGreaterThan(0);
  });
});
