import {
  appendFile,
  mkdir,
  readFile,
  readdir,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { planRetention } from '../../../src/store/prune/retention/archive-retention.ts';
import { removeState } from '../../../src/store/prune/retention/remove-states.ts';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { readArchive } from '../../../src/store/archive/index/archive-index.ts';
import { openArchive, writeMember } from '../../../src/store/archive/member/write-member.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;
let archive: string;

const HOUR = 3_600_000;
const facts = (id: string) => ({ agent: 'pi', id, cwd: '/w', title: id, store: world.store });

/** Archives a session as it is now, so many hours after the first. */
async function archiveState(id: string, hours: number) {
  const files = await readSessionFiles(world.path(id), usualSidecars);
  const time = NOW + (hours - 10) * HOUR;
  const lastActive = new Date(time - 1000).toISOString();
  const member = await writeMember(archive, files, { ...facts(id), lastActive }, time);
  await utimes(member.path, time / 1000, time / 1000);
  return member;
}

beforeEach(async () => {
  world = await PruneWorld.make();
  archive = join(world.dir, 'archive');
  await openArchive(archive, NOW);
  for (const [index, id] of ['0199-aaa', '0199-bbb'].entries()) {
    await world.add(id, 50 + index);
    for (const state of [0, 1, 2]) {
      await appendFile(world.path(id), `{"type":"custom","customType":"x","id":"${state}"}\n`);
      await archiveState(id, state);
    }
  }
});

const inArchive = (...args: string[]) => world.run(['--in-archive', 'archive', ...args]);
const members = async () => (await readdir(archive)).filter((name) => name.endsWith('.gz'));

describe('prune --in-archive', () => {
  it('keeps the last states of each session, and shows first what it would remove', async () => {
    const preview = await inArchive('--keep-states', '1');
    expect(preview.out).toContain('Would remove 4 of 6 states');
    expect(preview.out).toMatch(/^remove .* not of the last state$/m);
    expect(await members()).toHaveLength(6);
    const { out, exitCode } = await inArchive('--keep-states', '1', '--apply');
    expect([exitCode, out]).toEqual([0, expect.stringContaining('Removed 4 of 6 states')]);
    const whole = await readFile(world.path('0199-aaa'), 'utf8');
    await rm(world.store, { recursive: true });
    await world.run(['--archive', 'archive', '--restore', 'all', '--store', 'store']);
    expect(await readFile(world.path('0199-aaa'), 'utf8')).toBe(whole);
    expect((await world.run(['--archive', 'archive', '--check'])).exitCode).toBe(0);
  });

  it('keeps a session of which the last activity cannot be true, whatever the rules', async () => {
    await world.add('0199-slip', 1);
    const files = await readSessionFiles(world.path('0199-slip'), usualSidecars);
    const lastActive = '1970-01-20T00:00:00.000Z';
    await writeMember(archive, files, { ...facts('0199-slip'), lastActive }, NOW);
    const { out } = await inArchive('--keep-last', '1', '--json');
    const { results } = JSON.parse(out) as { results: PruneResult[] };
    expect(results.find(({ id }) => id === '0199-slip')).toMatchObject({
      action: 'keep',
      reasons: ['its last activity is unknown'],
    });
    expect(results.some(({ id, action }) => id !== '0199-slip' && action === 'keep')).toBe(true);
  });

  it('removes no state for one whose times cannot be true', async () => {
    for (const name of await members()) await utimes(join(archive, name), 0, 0);
    expect((await inArchive('--keep-states', '1')).out).toContain('Would remove 0 of 6 states');
    for (const name of await members()) await utimes(join(archive, name), NOW / 1000, NOW / 1000);
    const files = await readSessionFiles(world.path('0199-aaa'), usualSidecars);
    const lastActive = new Date(NOW + HOUR).toISOString();
    await rm(join(archive, 'index.ndjson'));
    await writeMember(archive, files, { ...facts('0199-aaa'), lastActive }, NOW - 20 * HOUR);
    const { out } = await inArchive('--keep-states', '1', '--json');
    const { results } = JSON.parse(out) as { results: PruneResult[] };
    const own = results.filter(({ id }) => id === '0199-aaa');
    expect(own.map(({ action, reasons }) => `${action}: ${String(reasons)}`).toSorted()).toEqual([
      'keep: its last activity is unknown',
      'keep: last state',
      ...Array.from({ length: 2 }, () => 'remove: not of the last state'),
    ]);
    const restored = await world.run(['--archive', 'archive', '--restore', 'all', '--json']);
    expect(restored.out).not.toContain(lastActive);
  });

  it('keeps whole sessions by rules, those of the last state of each', async () => {
    const { out } = await inArchive('--keep-last', '1', '--keep-states', '2', '--apply', '--json');
    const { results } = JSON.parse(out) as { results: { id: string; action: string }[] };
    const removed = results.filter(({ action }) => action === 'remove').map(({ id }) => id);
    expect(removed.toSorted()).toEqual(['0199-aaa', '0199-bbb', '0199-bbb', '0199-bbb']);
    expect(await members()).toHaveLength(2);
  });

  it('keeps the last session unless --allow-empty, and what --keep-id names', async () => {
    const only = await inArchive('--keep-within', '1min', '--keep-id', '0199-b', '--json');
    expect(only.out).toContain('"keep"');
    await inArchive('--keep-id', '0199-aaa', '--apply');
    expect(await members()).toHaveLength(3);
    expect((await inArchive('--keep-id', 'nobody')).exitCode).toBe(2);
  });

  it('gives a damaged state no place among the last, and keeps it', async () => {
    const damaged = await archiveState('0199-aaa', 2);
    const { atime, mtime } = await stat(damaged.path);
    await writeFile(damaged.path, (await readFile(damaged.path)).subarray(0, 300));
    await utimes(damaged.path, atime, mtime);
    const { out } = await inArchive('--keep-states', '1', '--apply', '--json');
    const { results } = JSON.parse(out) as {
      results: { id: string; action: string; reasons: string[] }[];
    };
    const own = results.filter(({ id }) => id === '0199-aaa');
    expect(own.map(({ action, reasons }) => `${action}: ${String(reasons)}`)).toEqual([
      'keep: is damaged, and does not count',
      'keep: last state',
      'remove: not of the last state',
    ]);
  });

  it('goes by the last activity where the index does not know when states came', async () => {
    await rm(join(archive, 'index.ndjson'));
    const names = (await members()).filter((name) => name.includes('0199-aaa'));
    // As a copy leaves them, the newest first.
    const { sessions } = await readArchive(archive);
    const newest = sessions
      .filter(({ facts: { id } }) => id === '0199-aaa')
      .toSorted((a, b) => (a.facts.lastActive < b.facts.lastActive ? 1 : -1));
    for (const [index, { member }] of newest.entries()) {
      await utimes(join(archive, member), NOW / 1000 + index, NOW / 1000 + index);
    }
    const { out } = await inArchive('--keep-states', '1', '--apply', '--json');
    const { results } = JSON.parse(out) as { results: { archived: string; action: string }[] };
    const kept = results.filter(({ action }) => action === 'keep').map((one) => one.archived);
    expect(names).toHaveLength(3);
    expect(kept).toContain(join(archive, newest[0]?.member ?? ''));
    const restore = ['--archive', 'archive', '--restore', 'all', '--store', 'other'];
    await world.run(restore);
    const restored = await readFile(join(world.dir, 'other/proj/0199-aaa.jsonl'), 'utf8');
    expect(restored).toContain('"id":"2"');
  });

  it('lets no damaged session take the place of a sound one', async () => {
    const last = (await members()).findLast((name) => name.includes('0199-aaa')) ?? '';
    const path = join(archive, last);
    await writeFile(path, (await readFile(path)).subarray(0, 300));
    const { out } = await inArchive('--keep-last', '1', '--apply', '--json');
    const { results } = JSON.parse(out) as { results: { id: string; action: string }[] };
    expect(results.filter(({ action }) => action === 'remove')).toEqual([]);
    expect(out).toContain('is damaged, and does not count');
  });

  it('takes two sessions that had one path at different times for two', async () => {
    await world.add('0199-aaa', 3, { id: '0199-ccc' });
    const files = await readSessionFiles(world.path('0199-aaa'), usualSidecars);
    const lastActive = new Date(NOW - HOUR).toISOString();
    await writeMember(archive, files, { ...facts('0199-ccc'), lastActive }, NOW);
    const { out } = await inArchive('--keep-states', '1', '--json');
    const { results } = JSON.parse(out) as { results: { id: string; action: string }[] };
    const kept = results.filter(({ action }) => action === 'keep').map(({ id }) => id);
    expect(kept.toSorted()).toEqual(['0199-aaa', '0199-bbb', '0199-ccc']);
    const restore = ['--archive', 'archive', '--restore', '0199-aaa', '--store', 'other'];
    expect((await world.run(restore)).exitCode).toBe(0);
  });

  it.each([
    ['the last one came first', (state: number) => (state === 2 ? 0 : undefined)],
    ['the first one came last', (state: number) => (state === 0 ? NOW + 99 * HOUR : undefined)],
  ])('does not believe an index that says that %s', async (_what, lie) => {
    const index = join(archive, 'index.ndjson');
    const lines = (await readFile(index, 'utf8')).trimEnd().split('\n');
    const changed = lines.map((line, at) => {
      const { check: _check, ...rest } = JSON.parse(line) as Record<string, unknown>;
      const time = lie(at % 3);
      const archivedAt = time === undefined ? rest['archivedAt'] : new Date(time).toISOString();
      return `${JSON.stringify({ ...rest, archivedAt })}\n`;
    });
    await writeFile(index, changed.join(''));
    await inArchive('--keep-states', '1', '--apply');
    await rm(world.store, { recursive: true });
    await world.run(['--archive', 'archive', '--restore', 'all', '--store', 'store']);
    expect(await readFile(world.path('0199-aaa'), 'utf8')).toContain('"id":"2"');
  });

  it('lets no line of the index about a session that is kept decide about another', async () => {
    const index = join(archive, 'index.ndjson');
    const lines = (await readFile(index, 'utf8')).split('\n');
    const forged = lines.map((line) =>
      line.includes('0199-bbb')
        ? line.replace(/"lastActive":"[^"]+"/, `"lastActive":"${new Date(NOW).toISOString()}"`)
        : line,
    );
    await writeFile(index, forged.join('\n'));
    const { out } = await inArchive('--keep-last', '1', '--apply', '--json');
    const { results } = JSON.parse(out) as { results: { action: string; reasons: string[] }[] };
    expect(new Set(results.map(({ action }) => action))).toEqual(new Set(['keep']));
    expect(out).toContain('the index contradicts it; use --rebuild-index');
  });

  it('keeps a state that another run has archived again since it was planned', async () => {
    const run = { now: NOW, signal: new AbortController().signal };
    const { decisions } = await planRetention(archive, { rules: undefined, states: 2 }, run);
    const first = decisions.find(({ action }) => action === 'remove');
    if (!first) throw new Error('nothing to remove');
    // As a run does that is about to remove a session in this state.
    await utimes(join(archive, first.state.member), 1, 1);
    expect(await removeState(archive, first, NOW)).toBe(false);
    expect(await members()).toContain(first.state.member);
  });

  it('is not steered by a configuration file', async () => {
    await writeFiles(world.dir, {
      'own.json': '{"prune":{"keep-last":1,"archive":"elsewhere","older-than":"1d","grace":"1d"}}',
    });
    const { out } = await inArchive('--keep-states', '2', '--config', 'own.json');
    expect(out).toContain('Would remove 2 of 6 states');
    const none = await inArchive('--config', 'own.json');
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('needs a keep rule')]);
    await writeFiles(world.dir, { 'own.json': '{"prune":{"in-archive":"archive"}}' });
    const file = await world.run(['--config', 'own.json']);
    expect(file.err).toContain('is only accepted on the command line');
  });

  it.each([
    [['--archive', 'x']],
    [['--store', 'store']],
    [['--keep-named']],
    [['--older-than', '1d']],
    [['--delete']],
    [['0199-aaa']],
  ])('cannot be combined with %s', async (args) => {
    const { exitCode, err } = await inArchive('--keep-states', '1', ...args);
    expect([exitCode, err]).toEqual([2, expect.stringContaining('cannot be combined with')]);
  });
});

it.each([
  ['', {}],
  [
    ', with tasks of the same numbers',
    { toolUseResult: { newTodos: [{ id: '1', content: 'x' }] } },
  ],
])('keeps the state of another session whose file had the same name%s', async (_what, result) => {
  const path = join(world.store, 'work.jsonl');
  const archiveAs = async (uuid: string, hours: number) => {
    const message = { role: 'user', content: 'hello' };
    const more = {
      parentUuid: null,
      sessionId: uuid,
      timestamp: '2026-01-03T10:00:00.000Z',
      ...result,
    };
    await writeFile(path, `${JSON.stringify({ type: 'user', uuid, ...more, message })}\n`);
    const time = NOW + (hours - 10) * HOUR;
    const own = { ...facts('work'), agent: 'claude-code', id: 'work' };
    const lastActive = new Date(time - 1000).toISOString();
    const files = await readSessionFiles(path, usualSidecars);
    const member = await writeMember(archive, files, { ...own, lastActive }, time);
    await utimes(member.path, time / 1000, time / 1000);
  };
  await archiveAs('thesis', 0);
  await archiveAs('other', 1);
  const { out } = await inArchive('--keep-states', '1', '--json');
  const { results } = JSON.parse(out) as { results: { id: string; action: string }[] };
  const own = results.filter(({ id }) => id === 'work');
  expect(own.map(({ action }) => action)).toEqual(['keep', 'keep']);
  const whole = await inArchive('--keep-last', '1', '--group-by', 'none');
  expect(whole.out).toContain('Would remove 3 of 8 states');
  await rm(path);
  const restored = await world.run(['--archive', archive, '--restore', 'all', '--store', 'store']);
  expect(restored.exitCode).toBe(3);
  expect(await readFile(path, 'utf8')).toContain('other');
  const [how = ''] = /--restore work --as-of \S+/.exec(restored.err) ?? [];
  const again = await world.run(['--archive', archive, ...how.split(' '), '--store', 'second']);
  expect(again.exitCode).toBe(0);
  expect(await readFile(join(world.dir, 'second/work.jsonl'), 'utf8')).toContain('thesis');
});

it('keeps an older state that alone has the files which another session names', async () => {
  const folder = world.path('0199-aaa').slice(0, -'.jsonl'.length);
  await mkdir(folder);
  await writeFile(join(folder, 'one.png'), 'image');
  const named = await archiveState('0199-aaa', 3);
  await rm(folder, { recursive: true });
  const last = await archiveState('0199-aaa', 4);
  await inArchive('--keep-states', '1', '--apply');
  expect(await members()).not.toContain(basename(named.path));
  await mkdir(folder);
  await writeFile(join(folder, 'one.png'), 'image');
  await appendFile(world.path('0199-aaa'), '{"type":"custom","customType":"x","id":"3"}\n');
  const again = await archiveState('0199-aaa', 5);
  await rm(folder, { recursive: true });
  await appendFile(world.path('0199-aaa'), '{"type":"custom","customType":"x","id":"4"}\n');
  await archiveState('0199-aaa', 6);
  const line = { type: 'custom', customType: 'x', id: '5', data: `${folder}/one.png` };
  await appendFile(world.path('0199-bbb'), `${JSON.stringify(line)}\n`);
  await archiveState('0199-bbb', 7);
  const { out } = await inArchive('--keep-states', '1', '--apply');
  expect(out).toContain('a kept session refers to its files');
  expect(await members()).toContain(basename(again.path));
  expect(await members()).not.toContain(basename(last.path));
});

it('keeps a session whose files are named by one that was to go and cannot be removed', async () => {
  const folder = world.path('0199-aaa').slice(0, -'.jsonl'.length);
  await mkdir(folder);
  await writeFile(join(folder, 'one.png'), 'image');
  const named = await archiveState('0199-aaa', 3);
  const line = { type: 'custom', customType: 'x', id: '3', data: `${folder}/one.png` };
  await appendFile(world.path('0199-bbb'), `${JSON.stringify(line)}\n`);
  const naming = await archiveState('0199-bbb', 4);
  await world.add('0199-ccc', 1);
  await archiveState('0199-ccc', 5);
  const index = join(archive, 'index.ndjson');
  const lines = (await readFile(index, 'utf8')).split('\n');
  const forged = lines.map((one) =>
    one.includes(basename(naming.path)) ? one.replace('"title":"', '"title":"x') : one,
  );
  await writeFile(index, forged.join('\n'));
  const { out, err, exitCode } = await inArchive('--keep-last', '1', '--apply');
  expect(exitCode).toBe(3);
  expect(err).toContain('the index contradicts it; use --rebuild-index');
  expect(out).toContain('a kept session refers to its files');
  expect(await members()).toEqual(
    expect.arrayContaining([basename(named.path), basename(naming.path)]),
  );
});

it("leaves somebody's own file of the name of an index as it is", async () => {
  const own = '{"image":"1.png"}\n';
  await writeFiles(world.dir, { 'data/index.ndjson': own });
  for (const args of [
    ['--archive', 'data', '--rebuild-index'],
    ['--store', 'store', '--older-than', '30d', '--allow-empty', '--archive', 'data', '--apply'],
  ]) {
    const { exitCode, err } = await world.run(args);
    expect([exitCode, err]).toEqual([2, expect.stringContaining('is not an index of coppice')]);
  }
  expect(await readFile(join(world.dir, 'data/index.ndjson'), 'utf8')).toBe(own);
});

it('keeps an older state that alone has the sub-agent beside it which a kept one names', async () => {
  const home = await makeTempDir();
  const project = join(home, '.claude/projects/-w');
  const [own, other] = ['aaaaaaaa', 'bbbbbbbb'].map((one) => `${one}-0000-4000-8000-000000000001`);
  const toLine = (sessionId: string | undefined, content: string, isSidechain = false): string => {
    const message = { role: 'user', content };
    const place = { sessionId, cwd: '/w', isSidechain, parentUuid: null, uuid: content };
    return `${JSON.stringify({ type: 'user', ...place, timestamp: '2026-01-03T10:00:00.000Z', message })}\n`;
  };
  const agent = join(project, 'agent-0123abcd.jsonl');
  const back = async (): Promise<void> => {
    const argv = ['export', '--as', 'archive', '--no-redact', '--out', 'ar', '--quiet'];
    expect((await runTest(argv, { cwd: home, home })).exitCode).toBe(0);
  };
  await writeFiles(project, {
    [`${own}.jsonl`]: toLine(own, 'one'),
    [`${other}.jsonl`]: toLine(other, `see ${agent}`),
    'agent-0123abcd.jsonl': toLine(own, 'work', true),
  });
  await back();
  await rm(agent);
  await appendFile(join(project, `${own}.jsonl`), toLine(own, 'two'));
  await back();
  const argv = ['prune', '--in-archive', 'ar', '--keep-states', '1', '--json'];
  const { out } = await runTest(argv, { cwd: home, home });
  const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
  const states = results.filter(({ id }) => id === own).flatMap(({ reasons }) => reasons);
  expect(states.toSorted()).toEqual(['a kept session refers to its files', 'last state']);
});
