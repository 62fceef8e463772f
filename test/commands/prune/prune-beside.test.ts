import { link, mkdir, readdir, rename, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
  await world.add('other', 2);
});

const empty = (id: string): object[] => sampleSession({ id }).slice(0, 1);
const array = (id: string): string => JSON.stringify(empty(id));

/** Files below `proj`, all of them 50 days old. */
async function put(files: Readonly<Record<string, string | readonly object[]>>): Promise<void> {
  await writeFiles(join(world.store, 'proj'), files);
  const names = Object.keys(files).flatMap((name) => {
    const parts = name.split('/');
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  for (const name of names) await world.touch(`proj/${name}`, 50);
}

/** What is left in `proj` when all that is empty, or else what these options select, was removed. */
async function left(...args: readonly string[]): Promise<string[]> {
  await world.prune(...(args.length > 0 ? args : ['--empty']), '--delete', '--apply');
  const names = await readdir(join(world.store, 'proj'), { recursive: true });
  return names.filter((name) => name !== 'other.jsonl').toSorted();
}

describe('prune leaves beside a session that it removes', () => {
  it('a file that is named like its folder, though it be a session', async () => {
    await put({ 'x.jsonl': sampleSession({ id: 'x' }), 'x.jsonl.jsonl': empty('y') });
    await put({ 'work.jsonl': empty('z'), work: 'notes' });
    expect(await left()).toEqual(['work', 'x.jsonl']);
  });

  it('a directory that is named like its rejected lines', async () => {
    await put({ 'x.jsonl': empty('x'), 'x.jsonl.rejected/thesis.tex': 'years of work' });
    expect(await left()).toEqual(['x.jsonl.rejected', 'x.jsonl.rejected/thesis.tex']);
  });

  it('the folder that a session in a newer file has there', async () => {
    await put({ 'x.json': array('x'), 'x.jsonl': sampleSession({ id: 'y' }), 'x/1.png': 'image' });
    await put({ 'x/sub.jsonl': sampleSession({ id: 'sub' }) });
    expect(await left()).toEqual(['x', 'x.jsonl', 'x/1.png', 'x/sub.jsonl']);
  });
});

describe('prune keeps a session', () => {
  it('from --max-messages by the prompts in its folder', async () => {
    const prompts = (id: string, count: number): object[] =>
      Array.from({ length: count }, (_, index) => ({
        type: 'message',
        id: `${id}${index}`,
        parentId: index === 0 ? null : `${id}${index - 1}`,
        timestamp: '2026-01-01T00:00:00.000Z',
        message: { role: 'user', content: 'go on', timestamp: 1_767_225_600_000 },
      }));
    const id = 'a1b2c3d4';
    await put({ [`${id}.jsonl`]: [...empty(id), ...prompts('a', 1)] });
    await put({ [`${id}/sub.jsonl`]: [...empty('sub'), ...prompts('b', 3)] });
    expect(await left('--max-messages', '3')).toEqual([id, `${id}.jsonl`, `${id}/sub.jsonl`]);
    expect(await left('--max-messages', '4', '--allow-empty')).toEqual([]);
  });

  it('from --max-messages by entries in its folder that may be prompts', async () => {
    const id = 'a1b2c3d4';
    const entry = { type: 'said', id: '1', parentId: null, timestamp: '2026-01-01T00:00:00.000Z' };
    await put({ [`${id}.jsonl`]: empty(id), [`${id}/sub.jsonl`]: [...empty('sub'), entry] });
    expect(await left('--max-messages', '9')).toEqual([id, `${id}.jsonl`, `${id}/sub.jsonl`]);
  });

  it.each([
    ['5 days', 5, ['--keep-last', '2'], ['old', 'old.jsonl', 'old/sub.jsonl']],
    ['no time yet', -5, ['--keep-last', '2'], ['new.jsonl', 'old', 'old.jsonl', 'old/sub.jsonl']],
  ])('among the last by what is in its folder, active before %s', async (_, days, rule, kept) => {
    const at = (id: string, age: number): object[] => {
      const start = new Date(NOW - age * 86_400_000).toISOString();
      return sampleSession({ id, start });
    };
    await put({ 'old.jsonl': at('old', 100), 'old/sub.jsonl': at('sub', days) });
    await put({ 'new.jsonl': at('new', 50) });
    expect(await left(...rule)).toEqual(kept);
  });

  it('within the grace time after its folder was written, be that empty', async () => {
    await put({ 'a1b2c3d4.jsonl': empty('a1b2c3d4') });
    await mkdir(join(world.store, 'proj/a1b2c3d4'));
    await world.touch('proj/a1b2c3d4', 0.5);
    expect(await left()).toEqual(['a1b2c3d4', 'a1b2c3d4.jsonl']);
    await world.touch('proj/a1b2c3d4', 1.5);
    expect(await left()).toEqual([]);
  });

  it.each([
    ['--keep-id', 'a1b2c3d4'],
    ['--keep-named', '--keep-last', '1'],
    ['--keep-labeled', '--keep-last', '1'],
  ])('with one in its folder that %s keeps', async (...rule) => {
    const inside = sampleSession({ id: 'a1b2c3d4', name: 'Mine' });
    const label = { type: 'label', id: 'l1', parentId: null, targetId: 'x', label: 'here' };
    await put({ 'x.jsonl': sampleSession({ id: 'x' }), 'x/sub.jsonl': [...inside, label] });
    expect(await left(...rule)).toEqual(['x', 'x.jsonl', 'x/sub.jsonl']);
  });

  it.each([
    ['src2', '2'],
    ['release-2', '2'],
    ['2026-11', '2026-11'],
    ['2026-feb', '2026-feb'],
  ])('beside the directory %s with other files, also if its id is %s', async (name, id) => {
    await put({ [`${name}.jsonl`]: empty(id), [`${name}/main.c`]: 'int main' });
    expect((await world.prune('--empty'))[id]).toBe(
      'keep: the directory beside it may not belong to it',
    );
  });

  it.each([
    ['proj', '2026-01-01T09-30-00-000Z_mine'],
    ['--w--', '2026-01-01T09-30-00-000Z_0199a3f1-0000-7000-8000-000000000001'],
    ['-w', '0199a3f1-0000-4000-8000-000000000001'],
    ['home-dev-api', '0199a3f1'],
  ])('beside the directory %s, in which an agent keeps sessions such as %s', async (name, own) => {
    const inside = sampleSession({ id: own.replace(/^.*_/, '') });
    await put({
      [`${name}.jsonl`]: sampleSession({ id: 'all' }),
      [`${name}/${own}.jsonl`]: inside,
    });
    expect(await world.prune(world.path(name), '--older-than', '30d')).toEqual({
      all: 'keep: the directory beside it may not belong to it',
    });
    expect(await left('--older-than', '30d')).toContain(`${name}/${own}.jsonl`);
  });

  it('with a hidden one in its folder, which no rule can see', async () => {
    const inside = sampleSession({ id: 'a1b2c3d4', name: 'Mine' });
    await put({ 'x.jsonl': sampleSession({ id: 'x' }), 'x/.sub/y.jsonl': inside });
    expect(await left('--older-than', '30d', '--keep-named')).toContain('x/.sub/y.jsonl');
  });

  it('with one in its folder that a rule keeps, by whatever path either was named', async () => {
    const [id, kept] = ['a1b2c3d4', 'a1b2c3d4/sub.jsonl'];
    await put({ [`${id}.jsonl`]: sampleSession({ id }) });
    await put({ [kept]: sampleSession({ id: 'sub', name: 'Mine' }) });
    const proj = join(world.store, 'proj');
    const [whole, folder] = [join(world.dir, 'whole'), join(world.dir, 'folder')];
    await symlink(proj, whole);
    await symlink(join(proj, id), folder);
    const named = [
      [join(proj, `${id}.jsonl`), folder],
      [join(whole, `${id}.jsonl`)],
      ['--store', folder, '--store', proj],
    ];
    for (const targets of named) {
      const names = await left(...targets, '--older-than', '30d', '--keep-named', '--allow-empty');
      expect(names).toContain(kept);
    }
    expect(await left(join(whole, `${id}.jsonl`), '--older-than', '30d')).toEqual([]);
  });

  it.each<[string, (folder: string) => readonly string[]]>([
    ['as a store', (folder) => ['--store', folder]],
    ['as a store, as one below it', (folder) => ['--store', join(folder, 'sub')]],
    ['as a target', (folder) => [folder]],
    ['by a file in it', (folder) => [join(folder, 'sub', 'y.jsonl')]],
  ])('with the one in whose folder it is, if only that was named %s', async (_, toArgs) => {
    await put({
      'x.jsonl': sampleSession({ id: 'x' }),
      'x/sub/y.jsonl': sampleSession({ id: 'y' }),
    });
    const elsewhere = join(world.dir, 'elsewhere');
    await rename(world.store, elsewhere);
    await mkdir(world.store);
    const alias = join(world.dir, 'link');
    await symlink(join(elsewhere, 'proj', 'x'), alias);
    for (const folder of [join(elsewhere, 'proj', 'x'), alias]) {
      const args = [...toArgs(folder), '--older-than', '30d', '--allow-empty'];
      expect(await world.prune(...args, '--delete', '--apply')).toEqual({
        y: 'keep: kept with the session that it belongs to',
      });
    }
    expect(await readdir(join(elsewhere, 'proj', 'x', 'sub'))).toEqual(['y.jsonl']);
  });

  it.each([['x'], ['x/sub'], ['x', 'x/sub']])(
    'with the last ones of a store that was named in its folder: %s %s',
    async (...inner) => {
      await put({
        'x.jsonl': sampleSession({ id: 'x' }),
        'x/sub/y.jsonl': sampleSession({ id: 'y' }),
      });
      const stores = inner.flatMap((one) => ['--store', join(world.store, 'proj', one)]);
      const args = [...stores, '--older-than', '30d'];
      expect(await world.prune(...args)).toMatchObject({
        x: 'keep: the last session of its store (--allow-empty)',
      });
      expect(await left(...args, '--allow-empty')).toEqual([]);
    },
  );

  it('no longer once all in its folder is named as targets', async () => {
    await put({ 'x.jsonl': sampleSession({ id: 'x' }), 'x/y.jsonl': sampleSession({ id: 'y' }) });
    const targets = ['x.jsonl', 'x'].map((name) => join(world.store, 'proj', name));
    expect(await left(...targets, '--older-than', '30d')).toEqual([]);
  });

  it.each<[string, string, (proj: string) => string]>([
    ['named', 'x', (proj) => join(proj, 'x.jsonl')],
    ['named', 'x/sub', (proj) => join(proj, '*.jsonl')],
    ['1 line could not be read', 'x', (proj) => join(proj, 'x.jsonl')],
  ])('with one in its folder that is %s, if it is in no store: %s', async (why, folder, toName) => {
    const inside = sampleSession({ id: 'y', ...(why === 'named' && { name: 'Mine' }) });
    const torn = why === 'named' ? '' : '{"type":"mess';
    const text = inside.map((line) => `${JSON.stringify(line)}\n`).join('') + torn;
    await put({ 'x.jsonl': sampleSession({ id: 'x' }), [`${folder}/y.jsonl`]: text });
    const elsewhere = join(world.dir, 'elsewhere');
    await rename(world.store, elsewhere);
    await mkdir(world.store);
    const target = toName(join(elsewhere, 'proj'));
    const args = [target, '--older-than', '30d', '--keep-named', '--delete', '--apply'];
    expect((await world.prune(...args))['x']).toContain(`keep: a session in its folder: ${why}`);
    expect(await readdir(join(elsewhere, 'proj', folder))).toEqual(['y.jsonl']);
  });

  it.each(['x/1.png', 'x/log.jsonl', 'x.jsonl.rejected'])(
    'as not empty while %s lies beside it',
    async (name) => {
      await put({ 'x.jsonl': empty('x'), [name]: 'weeks of work' });
      expect((await world.prune('--empty'))['x']).toBe('keep: not selected');
    },
  );

  it('as not empty while a session in its folder holds work', async () => {
    await put({ 'x.jsonl': empty('x'), 'x/sub.jsonl': sampleSession({ id: 'sub' }) });
    expect((await world.prune('--empty'))['x']).toBe('keep: not selected');
    await put({ 'x/sub.jsonl': empty('sub') });
    expect((await world.prune('--empty'))['x']).toBe('remove: no user content');
  });
});

it.each(['0199a3f1', '2026-01-01T09-30-00-000Z_mine-2'])(
  'takes along the folder of %s, whatever is in it',
  async (name) => {
    const id = name.replace(/^.*_/, '');
    await put({ [`${name}.jsonl`]: empty(id), [`${name}/plan.md`]: 'of an agent' });
    expect(await left('--older-than', '30d')).toEqual([]);
  },
);

describe('--empty keeps a session of Neovate with', () => {
  it.each([
    ['a title', { summary: 'Fix the login' }],
    ['prompts', { history: ['fix the login'] }],
    ['pasted text', { pastedTextMap: { '#1': 'a long log' } }],
    ['a pasted image', { pastedImageMap: { '#1': 'aGk=' } }],
    ['what no release is known to write', { goal: 'ship it by Friday' }],
    ['a list of what no release is known to write', { queue: ['and then the tests'] }],
  ])('%s', async (_, config) => {
    await put({ 'a1b2c3d4.jsonl': [{ type: 'config', config }] });
    expect((await world.prune('--empty'))['a1b2c3d4']).toBe('keep: not selected');
  });

  it('but none with settings only', async () => {
    const config = { approvalTools: ['bash'], pastedTextMap: {}, pastedImageMap: {}, summary: '' };
    await put({ 'a1b2c3d4.jsonl': [{ type: 'config', config }] });
    expect((await world.prune('--empty'))['a1b2c3d4']).toBe('remove: no user content');
  });
});

it('archives, restores and plans a file that is named and lies in no store', async () => {
  await put({ 'x.jsonl': sampleSession({ id: 'x' }), 'y.jsonl': sampleSession({ id: 'y' }) });
  const path = world.path('x');
  const run = async (...args: string[]) => (await world.run(args)).exitCode;
  const asked = [path, '--older-than', '30d', '--allow-empty'];
  expect(await run(...asked, '--archive', 'old', '--apply')).toBe(0);
  expect(await readdir(join(world.store, 'proj'))).not.toContain('x.jsonl');
  expect(await run('--archive', 'old', '--restore', 'all', '--store', 'store/proj')).toBe(0);
  expect(await run(...asked, '--plan-out', 'plan')).toBe(0);
  expect(await run('--plan', 'plan', '--delete', '--apply')).toBe(0);
  expect(await readdir(join(world.store, 'proj'))).not.toContain('x.jsonl');
});

it('prune frees a file that has two names with the last of them', async () => {
  const path = await world.add('a1b2c3d4', 50);
  await mkdir(join(world.store, 'copy'));
  await link(path, join(world.store, 'copy/a1b2c3d4.jsonl'));
  const { size } = await stat(path);
  const free = async (...args: string[]): Promise<unknown> => {
    const { out } = await world.run([...args, '--older-than', '30d', '--json']);
    return (JSON.parse(out) as { summary: { bytesReclaimed: number } }).summary.bytesReclaimed;
  };
  expect(await free('--store', 'store')).toBe(size);
  expect(await free(path, '--store', 'store', '--delete', '--apply')).toBe(0);
  expect(await free('--store', 'store', '--delete', '--apply')).toBe(size);
});
