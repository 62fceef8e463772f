import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../memory-terminal.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

const ARCHIVE = ['--archive', 'archive'];

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
  await world.add('0199-api', 50, { cwd: '/src/api' });
  await world.add('0199-below', 60, { cwd: '/src/api/below' });
  await world.add('0199-web', 90, { cwd: '/src/web' });
  await world.prune('--older-than', '30d', '--allow-empty', '--apply', ...ARCHIVE);
});

/** The ids of the results. */
async function ask(...args: readonly string[]): Promise<readonly string[]> {
  const { out, err } = await world.run([...ARCHIVE, ...args, '--json']);
  if (out === '') throw new Error(err);
  const { results } = JSON.parse(out) as { results: readonly { id: string }[] };
  return results.map(({ id }) => id).toSorted();
}

describe('an archive, by selectors', () => {
  it.each([
    [
      ['--project', '/src/api'],
      ['0199-api', '0199-below'],
    ],
    [
      ['--project', '/src'],
      ['0199-api', '0199-below', '0199-web'],
    ],
    [
      ['--older-than', '55d'],
      ['0199-below', '0199-web'],
    ],
    [['--newer-than', '80d', '--project', '/src/api/below'], ['0199-below']],
    [['--agent', 'codex'], []],
  ])('lists and restores those that %j fits', async (selectors, ids) => {
    expect(await ask('--list', ...selectors)).toEqual(ids);
    expect(await ask('--restore', 'all', '--store', 'store', '--dry-run', ...selectors)).toEqual(
      ids,
    );
    expect(await ask('--restore', 'all', '--store', 'store', ...selectors)).toEqual(ids);
    const restored = (await world.names()).filter((name) => name.endsWith('.jsonl'));
    expect(restored).toEqual(ids.map((id) => `proj/${id}.jsonl`));
  });

  it('says how many sessions it has beside those that it lists', async () => {
    const list = async (...args: readonly string[]): Promise<string> =>
      (await world.run([...ARCHIVE, '--list', ...args])).out.split('\n').at(-2) ?? '';
    expect(await list()).toMatch(/^3 sessions, /);
    expect(await list('--project', '/src/api')).toMatch(/^2 of 3 sessions, /);
    expect(await list('--agent', 'codex')).toMatch(/^0 of 3 sessions, /);
  });

  it('has a prefix that several have for one of them', async () => {
    const web = ['--restore', '0199-', '--store', 'store', '--project', '/src/web'];
    expect(await ask(...web)).toEqual(['0199-web']);
    const none = await world.run([...ARCHIVE, '--restore', '0199-api', '--project', '/src/web']);
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('do not fit')]);
  });

  it('does not ask those of a configuration, which are about what is removed', async () => {
    await writeFiles(world.dir, { 'own.json': '{"prune":{"older-than":"70d","agent":"codex"}}' });
    expect(await ask('--list', '--config', 'own.json')).toHaveLength(3);
    expect(await ask('--restore', 'all', '--store', 'store', '--config', 'own.json')).toHaveLength(
      3,
    );
  });

  it.each([[['other']], [['other', 'store']], [['other', 'third']]])(
    'does not move sessions into the stores of a configuration, which are those to search: %j',
    async (stores) => {
      await writeFiles(world.dir, {
        'own.json': JSON.stringify({ defaults: { store: stores } }),
        'other/-/kept': '',
      });
      const asked = [...ARCHIVE, '--restore', 'all', '--config', 'own.json'];
      const { exitCode, err } = await world.run(asked);
      const isBack = stores.includes('store');
      expect([exitCode, err.includes('name the store')]).toEqual(isBack ? [0, false] : [3, true]);
      expect(await world.names(join(world.dir, 'other'))).toEqual(['-', '-/kept']);
      const restored = (await world.names(world.dir)).filter((name) => /^store.*l$/.test(name));
      expect(restored).toHaveLength(isBack ? 3 : 0);
    },
  );

  it('leaves those of a configuration to what is removed', async () => {
    await world.add('0199-old', 50);
    await world.add('0199-new', 2);
    await writeFiles(world.dir, { 'own.json': '{"prune":{"older-than":"30d"}}' });
    expect(await world.prune('--config', 'own.json')).toEqual({
      '0199-old': 'remove: older than 30d',
      '0199-new': 'keep: not older than 30d',
    });
  });

  it('takes the last state of a session, or none', async () => {
    await world.add('0199-api', 40, { cwd: '/src/api', text: 'Later.' });
    const again = [
      '--store',
      'store',
      '--older-than',
      '30d',
      '--allow-empty',
      '--apply',
      ...ARCHIVE,
    ];
    await world.run(again, { now: () => NOW + 3_600_000 });
    expect(await ask('--list', '--older-than', '45d')).toContain('0199-api');
    const old = ['--restore', 'all', '--store', 'store', '--older-than', '45d'];
    expect(await ask(...old)).toEqual(['0199-below', '0199-web']);
  });

  it.each([
    [['--list', '--named', 'x'], '--list: cannot be combined with --named'],
    [['--check', '--project', '/src'], '--check: cannot be combined with --project'],
    [['--restore', 'all', '--larger-than', '1kB'], 'cannot be combined with --larger-than'],
  ])('%j has nothing to ask', async (args, message) => {
    const { exitCode, err } = await world.run([...ARCHIVE, ...args]);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('is needed for them', async () => {
    const { exitCode, err } = await world.run(['--restore', 's.rows.json', '--agent', 'codex']);
    expect([exitCode, err]).toEqual([2, expect.stringContaining('--agent: needs --archive')]);
  });
});
