import { existsSync } from 'node:fs';
import { chmod, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { readSession } from '../../../src/session/read/read-session.ts';
import { NOW } from '../../memory-terminal.ts';
import { asOrdinaryUser, shareNewFiles } from '../../ordinary-user.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

shareNewFiles();

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
});

describe('prune previews', () => {
  beforeEach(async () => {
    await world.add('young', 0.08, { name: 'Refactor auth module' });
    await world.add('old', 61);
    await world.add('older', 70, { name: 'Keep me' });
  });

  it('what would go and what stays, why, and how to do it', async () => {
    const { out, err, exitCode } = await world.run(
      ['--store', 'store', '--older-than', '30d', '--keep-named'],
      { columns: 100, env: { NO_COLOR: '1' } },
    );
    expect({ err, exitCode }).toEqual({ err: '', exitCode: 0 });
    expect(out).toMatch(/^ACTION {2}LAST ACTIVE {2}PROJECT {2,}SESSION {2,}SIZE {2}REASON\n/);
    expect(out).toMatch(/keep {4}1h ago {7}~\/orchard {2}Refactor auth module +\d+ B {2}named/);
    expect(out).toMatch(/remove {2}61d ago {6}~\/orchard {2}old +\d+ B {2}older than 30d\n/);
    expect(out).toContain('Would remove 1 of 3 sessions and free 6');
    expect(out).toMatch(
      /Nothing was changed\.\nTo apply: add --apply \(to the trash\), --apply --archive <dir>, or --apply --delete\.\n$/,
    );
    expect(await world.names()).toHaveLength(4);
  });

  it('without colour in a pipe, and nothing at all with --quiet when nothing would go', async () => {
    const piped = await world.run(['--store', 'store', '--older-than', '30d']);
    expect(piped.out).not.toContain('\u001b');
    const quiet = await world.run(['--store', 'store', '--older-than', '90d', '--quiet']);
    expect(quiet).toEqual({ exitCode: 0, out: '', err: '' });
  });

  it('with --quiet only what was removed, for cron', async () => {
    const args = ['--store', 'store', '--keep-named', '--quiet'];
    expect(await world.run(args)).toEqual({ exitCode: 0, out: '', err: '' });
    const { out } = await world.run([...args, '--apply', '--delete']);
    expect(out).toMatch(/^ACTION .*\n(remove .*\n)+$/);
  });

  it('the same as json', async () => {
    const { out } = await world.run(['--store', 'store', '--keep-named', '--json']);
    const report = JSON.parse(out) as { results: object[]; summary: object };
    expect(report.results[1]).toMatchObject({
      path: world.path('old'),
      action: 'remove',
      reasons: ['no rule keeps it'],
      agent: 'pi',
      id: 'old',
      lastActive: '2126-11-15T12:00:00.000Z',
      bytesAfter: 0,
    });
    expect(report.summary).toMatchObject({
      applied: false,
      sessions: 3,
      actions: { remove: 1, keep: 2 },
    });
  });

  it('also when --dry-run stands beside --apply', async () => {
    await world.prune('--keep-named', '--apply', '--delete', '--dry-run');
    expect(await world.names()).toHaveLength(4);
  });
});

describe('prune selects', () => {
  it('empty sessions, few messages, and working directories that are gone', async () => {
    await writeFiles(world.store, { 'proj/e.jsonl': sampleSession({ id: 'e' }).slice(0, 1) });
    await world.touch('proj/e.jsonl', 50);
    await world.add('here', 50, { cwd: world.dir });
    await world.add('nowhere', 50, { cwd: join(world.dir, 'gone') });
    expect(await world.prune('--empty')).toMatchObject({ e: 'remove: no user content' });
    expect(await world.prune('--max-messages', '0')).toMatchObject({
      e: 'remove: at most 0 messages',
      here: 'keep: not selected',
    });
    expect(await world.prune('--missing-cwd')).toMatchObject({
      here: 'keep: not selected',
      nowhere: 'remove: its working directory is gone',
    });
    await symlink('/not/mounted', join(world.dir, 'disk'));
    await world.add('away', 50, { cwd: join(world.dir, 'disk/work') });
    expect(await world.prune('--missing-cwd')).toMatchObject({
      away: `keep: ${join(world.dir, 'disk')} is a link that leads nowhere`,
    });
  });

  it('among targets, and still sees the forks elsewhere in the store', async () => {
    await world.add('root', 80);
    await world.add('other', 81);
    await world.add('fork', 2, { parentSession: world.path('root') });
    const target = world.path('root');
    expect(await world.prune(target, '--keep-id', 'fork')).toEqual({
      root: 'keep: parent of a kept fork',
    });
    expect(await world.prune(world.path('other'), '--max-messages', '9')).toEqual({
      other: 'remove: at most 9 messages',
    });
  });
});

describe('prune never removes', () => {
  it('what it cannot read, what is empty and what has no header', async () => {
    await world.add('a', 50);
    await world.add('b', 60);
    await writeFiles(world.store, {
      'proj/zero.jsonl': '',
      'proj/headless.jsonl': sampleSession().slice(1),
      'proj/newer.jsonl': [{ ...sampleSession()[0], id: 'newer', version: 99 }],
    });
    for (const name of ['zero', 'headless', 'newer']) await world.touch(`proj/${name}.jsonl`, 50);
    await chmod(world.path('b'), 0);
    await chmod(world.dir, 0o755);
    const results = await asOrdinaryUser(() => world.prune('--keep-last', '1'));
    expect(results[world.path('zero')]).toBe('keep: is empty: never removed');
    expect(results[world.path('headless')]).toContain('keep: has no header');
    expect(results['newer']).toContain(
      'keep: is of format version 99, newer than this coppice knows: never removed',
    );
    expect(results[world.path('b')]).toBe('keep: cannot read: permission denied: never removed');
    expect(results['a']).toBe('keep: last 1');
  });

  it('foreign files: they are not even mentioned, unless asked for by name', async () => {
    await world.add('a', 50);
    await writeFiles(world.store, { 'proj/notes.jsonl': [{ note: 'buy milk' }] });
    expect(Object.keys(await world.prune('--older-than', '1d'))).toEqual(['a']);
    const notes = join(world.store, 'proj/notes.jsonl');
    const { err, exitCode } = await world.run([notes, '--older-than', '1d', '--store', 'store']);
    expect(err).toContain('is not a session file of a known agent');
    expect(exitCode).toBe(3);
  });

  it('what is reached through a symbolic link, in the store or by name', async () => {
    await world.add('a', 50);
    await world.add('b', 51);
    await writeFiles(world.dir, { 'outside/x.jsonl': sampleSession({ id: 'x' }) });
    await symlink(join(world.dir, 'outside'), join(world.store, 'linked'));
    await symlink(world.path('a'), join(world.dir, 'by-name.jsonl'));
    const linked = 'keep: reached through a symbolic link';
    expect((await world.prune('--older-than', '1d', '--allow-empty'))['x']).toBe(linked);
    const named = await world.prune(join(world.dir, 'by-name.jsonl'), '--older-than', '1d');
    expect(named['a']).toBe(linked);
  });

  it('a session with a link in its folder', async () => {
    await world.add('a', 50);
    await world.add('b', 51);
    await writeFiles(world.store, { 'proj/a/x.png': 'x' });
    await symlink('/etc/passwd', join(world.store, 'proj/a/y.png'));
    expect((await world.prune('--older-than', '1d', '--allow-empty'))['a']).toBe(
      'keep: a/y.png is a link or a device',
    );
  });

  it('what is in use: by its own time, its file’s, or that of a file beside it', async () => {
    await world.add('active', 0.5);
    await world.add('written', 50);
    await world.touch('proj/written.jsonl', 0.5);
    await world.add('image', 50);
    await writeFiles(world.store, { 'proj/image/1.png': 'x' });
    await world.touch('proj/image/1.png', 0.5);
    await world.add('future', -2);
    const results = await world.prune('--max-messages', '99', '--allow-empty');
    for (const id of ['active', 'written', 'image']) {
      expect(results[id]).toBe('keep: changed 12 h ago, within --grace 1d');
    }
    expect(results['future']).toBe('keep: has a timestamp in the future');
  });

  it('the last session of a store, unless told to', async () => {
    await world.add('a', 50);
    await world.add('b', 51);
    const args = ['--older-than', '30d', '--apply', '--delete'];
    expect(await world.prune(...args)).toEqual({
      a: 'keep: the last session of its store (--allow-empty)',
      b: 'remove: older than 30d',
    });
    await world.prune(...args, '--allow-empty');
    expect(await world.names()).toEqual(['proj']);
  });
});

describe('prune removes', () => {
  it('a session with its folder and its rejected lines', async () => {
    await world.add('keep', 1.5);
    await writeFiles(world.store, { 'p2/x.jsonl': sampleSession({ id: 'x' }) });
    await writeFiles(world.store, { 'p2/x/1.png': 'i', 'p2/x.jsonl.rejected': 'r' });
    for (const name of ['x.jsonl', 'x/1.png', 'x.jsonl.rejected']) {
      await world.touch(`p2/${name}`, 50);
    }
    await world.prune('--older-than', '30d', '--apply', '--delete');
    expect(await world.names()).toEqual(['p2', 'proj', 'proj/keep.jsonl']);
  });

  it('and leaves what it keeps byte for byte', async () => {
    const path = await world.add('keep', 1.5);
    await world.add('old', 50);
    const { session } = await readSession(path);
    await world.prune('--older-than', '30d', '--apply', '--delete');
    expect((await readSession(path)).session).toEqual(session);
  });

  it('and names the kept forks of a parent that goes', async () => {
    await world.add('root', 80);
    await world.add('fork', 70, { parentSession: world.path('root') });
    const results = await world.prune('--keep-last', '1', '--include-parents');
    expect(results['root']).toBe('remove: no rule keeps it, a kept fork names it');
  });

  it('and when it is stopped, finishes the session in hand and tells what it did', async () => {
    await world.add('keep', 50);
    for (const id of ['x', 'y', 'z']) await world.add(id, 60);
    const abort = new AbortController();
    const now = (): number => {
      // The clock is looked at again when the first session goes into the archive.
      if (existsSync(join(world.dir, 'archive'))) abort.abort();
      return NOW;
    };
    const args = ['--store', 'store', '--keep-last', '1', '--archive', 'archive', '--jobs', '1'];
    const { out } = await world.run([...args, '--apply'], { now, signal: abort.signal });
    expect(out.match(/^remove /gm)).toHaveLength(1);
    expect(out).not.toMatch(/^skip /m);
    expect(out).toMatch(/Removed 1 of 4 sessions into archive.* Stopped: 2 not reached\.$/m);
    expect(await world.names()).toHaveLength(4);
  });
});

describe('prune refuses', () => {
  beforeEach(async () => {
    await world.add('a', 50);
    await writeFiles(world.dir, { 'no-ids.json': '{"prune":{"keep-id":[]}}' });
  });

  it.each<[string[], string]>([
    [[], 'nothing selects what to remove'],
    [['--keep-last', '0'], 'nothing selects what to remove'],
    [['--config', 'no-ids.json'], 'nothing selects what to remove'],
    [['--last', '3'], 'to keep them, use --keep-last 3'],
    [['--last', '3', '--keep-named'], 'to keep them, use --keep-last 3'],
    [['--max-sessions', ''], '--max-sessions: expected a whole number'],
    [['--max-sessions', ' '], '--max-sessions: expected a whole number'],
    [['--max-messages', ''], '--max-messages: expected a whole number'],
    [['--max-sessions', '0x10'], '--max-sessions: expected a whole number'],
    [['--keep-daily', '-2'], "--keep-daily: expected a whole number, 0 or more, or 'unlimited'"],
    [['--keep-daily', 'all'], "--keep-daily: expected a whole number, 0 or more, or 'unlimited'"],
    [['--keep-within-daily', 'long'], '--keep-within-daily long'],
    [['--older-than', '2026-02-31'], '--older-than 2026-02-31: this day does not exist'],
    [['--shard', '1/2'], 'nothing selects what to remove'],
    [['--newer-than', '9d', '--shard', '1/2'], '--newer-than 9d: cannot be combined with --shard'],
    [
      ['--larger-than', '9B', '--flatten', '--shard', '1/2'],
      '--larger-than 9B: cannot be combined with --flatten and --shard',
    ],
    [['--model', 'm', '--flatten', '--shard', '1/2'], 'forks that were made self-contained have'],
    [['store'], 'nothing selects what to remove; targets only say where to look'],
    [['--keep-id', 'nobody'], '--keep-id nobody: no session has this id'],
    [['--keep-within', '3m'], 'minutes or months?'],
    [['--max-total-size', 'big'], 'expected a size'],
    [['--older-than', '1d', '--grace', 'soon'], '--grace soon'],
    [['--older-than', '1d', '--delete', '--archive', 'x'], '--delete: cannot be combined with'],
    [['--list'], '--list: cannot be combined with --store'],
    [['--restore', 'all'], '--restore: needs --archive'],
    [['--restore', 's.rows.json.2d41323c547d'], 'is still in the trash; first restore it'],
    [['--restore', 's.jsonl.prompts.2d41323c547d'], 'is still in the trash; first restore it'],
    [['--archive', 'x', '--as-of', '1d'], '--as-of 1d: needs --restore'],
    [['--archive', 'x', '--restore', 'all', '--as-of', 'soon'], '--as-of soon'],
    [['--archive', 'x', '--restore', 'all', '--keep-named'], 'combined with --keep-named'],
    [['--archive', 'x', '--restore', 'all', '--', 'store'], 'combined with targets'],
    [['--archive', 'none', '--restore', 'all'], 'cannot read the archive'],
    [
      ['--archive', 'none', '--list', '--restore', 'all'],
      '--list: cannot be combined with --restore',
    ],
    [['--older-than', '1d', '--plan-out', 'p', '--apply'], 'cannot be combined with --apply'],
    [['--plan', 'p', '--plan-out', 'q'], '--plan-out q: cannot be combined with --plan'],
    [['--plan', 'p'], 'cannot read the plan'],
  ])('%j', async (args, message) => {
    const run = await world.run([
      ...args,
      ...(args.includes('--plan') ? [] : ['--store', 'store']),
    ]);
    expect({ exitCode: run.exitCode, out: run.out }).toEqual({ exitCode: 2, out: '' });
    expect(run.err).toContain(message);
    expect(await world.names()).toHaveLength(2);
  });

  it('to apply a plan together with a policy or a store', async () => {
    for (const [extra, named] of [
      [['--keep-last', '3'], '--keep-last'],
      [['--older-than', '1d'], '--older-than'],
      [['--store', 'store'], '--store'],
      [['--allow-empty'], '--allow-empty'],
      [['store'], 'targets'],
    ] as const) {
      const { err, exitCode } = await world.run(['--plan', 'p', ...extra]);
      expect(exitCode).toBe(2);
      expect(err).toContain(`: cannot be combined with ${named}`);
    }
  });

  it('to put an archive where it cannot be made', async () => {
    await writeFile(join(world.dir, 'file'), 'x');
    const args = ['--store', 'store', '--older-than', '1d', '--apply', '--allow-empty'];
    const { err, exitCode } = await world.run([...args, '--archive', 'file/archive']);
    expect(err).toContain(`${join(world.dir, 'file')} is not a directory`);
    expect(exitCode).toBe(2);
    expect(await world.names()).toHaveLength(2);
  });
});

describe('prune --keep-id', () => {
  it('refuses a prefix that fits several, and keeps all sessions of one id', async () => {
    await world.add('abcd-1', 50);
    await world.add('abcd-2', 50);
    await writeFiles(world.store, { 'copy/abcd-1.jsonl': sampleSession({ id: 'abcd-1' }) });
    await world.touch('copy/abcd-1.jsonl', 50);
    const run = (id: string) => world.run(['--store', 'store', '--json', '--keep-id', id]);
    expect(await run('abcd')).toMatchObject({ exitCode: 2, out: '' });
    expect((await run('abcd')).err).toContain(
      '--keep-id abcd: matches 3 sessions; type more of the id:',
    );
    expect((await run('abc')).err).toContain('at least 4 characters');
    const { results } = JSON.parse((await run('abcd-1')).out) as { results: PruneResult[] };
    const kept = results.filter(({ action }) => action === 'keep');
    expect(kept.map(({ id }) => id)).toEqual(['abcd-1', 'abcd-1']);
  });
});

it.each(['unlimited', '-1'])(
  'prune --keep-daily %s keeps the newest of every day',
  async (count) => {
    for (const days of [40, 50, 60]) await world.add(`s${days}`, days);
    await world.add('earlier', 50.1);
    expect(await world.prune('--keep-daily', count)).toEqual({
      s40: 'keep: daily unlimited',
      s50: 'keep: daily unlimited',
      s60: 'keep: daily unlimited',
      earlier: 'remove: no rule keeps it',
    });
  },
);

describe('prune of targets', () => {
  beforeEach(async () => {
    await world.add('parent', 50);
    await world.add('fork', 3, { parentSession: world.path('parent') });
    await world.add('plain', 50);
  });
  const policy = ['--max-messages', '9', '--allow-empty', '--json'];
  const judge = async (...args: string[]) => {
    const { out } = await world.run([...policy, ...args]);
    const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
    return results.map(({ id, action, reasons }) => `${id}: ${action}: ${reasons.join(', ')}`);
  };
  const KEPT = 'parent: keep: parent of a kept fork';
  const REMOVED = 'plain: remove: at most 9 messages';

  it.each([
    ['files', ['store/proj/parent.jsonl', 'store/proj/plain.jsonl']],
    ['a glob', ['store/proj/p*.jsonl']],
  ])('that are %s knows the forks that lie beside them, in no store', async (_what, targets) => {
    expect(await judge(...targets)).toEqual([KEPT, REMOVED]);
  });

  it('that are named through a link knows them, too', async () => {
    await symlink(world.store, join(world.dir, 'link'));
    const targets = ['link/proj/parent.jsonl', 'link/proj/plain.jsonl'];
    expect(await judge(...targets, '--store', 'store')).toEqual([KEPT, REMOVED]);
    expect(await judge(...targets)).toEqual([KEPT, REMOVED]);
  });
});
