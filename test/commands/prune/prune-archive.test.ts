import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import { sampleSession } from '../../sample-session.ts';
import { toJsonl, writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
  await world.add('0199-keep', 2, { name: 'Keep' });
  await world.add('0199-aaa', 50);
  await world.add('0199-bbb', 60);
  await writeFiles(world.store, { 'proj/0199-aaa/1.png': 'image' });
  await world.touch('proj/0199-aaa/1.png', 50);
});

/** Restores, where the store is the agent's own. */
const restore = (...args: string[]) => {
  const env = { PI_CODING_AGENT_SESSION_DIR: world.store };
  return world.run(['--archive', 'archive', '--restore', ...args], { env });
};

const toArchive = ['--older-than', '30d', '--archive', 'archive', '--apply'];
const withoutProject = ({ proj: _proj, ...rest }: Record<string, string>) => rest;

describe('prune --archive', () => {
  it('moves sessions away, and --restore all brings them back as they were', async () => {
    const before = withoutProject(await snapshot(world.store));
    const { out, exitCode } = await world.run(['--store', 'store', ...toArchive]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/Removed 2 of 3 sessions(?: into archive and freed \d+ B)?\.\n$/);
    expect(await world.names()).toEqual(['proj', 'proj/0199-keep.jsonl']);
    const restored = await restore('all');
    expect(restored.out).toContain('Restored 2 of 2 sessions.');
    expect(withoutProject(await snapshot(world.store))).toEqual(before);
  });

  it('says in a preview that it frees at most the size of the sessions, since the archive takes room', async () => {
    const preview = toArchive.filter((word) => word !== '--apply');
    const { out } = await world.run(['--store', 'store', ...preview]);
    expect(out).toMatch(
      /^Would remove 2 of 3 sessions into archive and free at most [\d.]+ k?B\./m,
    );
  });

  it('shows what it holds', async () => {
    const long = `0199-${'c'.repeat(60)}`;
    await world.add(long, 70);
    await world.prune(...toArchive);
    const { out: whole } = await world.run(['--archive', 'archive', '--list'], { columns: 80 });
    expect(whole).toContain(` ${long}\n`);
    const { out } = await world.run(['--archive', 'archive', '--list']);
    expect(out).toMatch(/^LAST ACTIVE {2}ARCHIVED {2}PROJECT +SESSION +SIZE {2}ID\n/);
    expect(out).toMatch(/^50d ago +just now +~\/orchard +0199-aaa +\d+ B +0199-aaa *\n/m);
    expect(out).toMatch(/\n3 sessions, \d\.\d kB in \d\S+ k?B\.\n$/);
    const { out: json } = await world.run(['--archive', 'archive', '--list', '--json']);
    expect((JSON.parse(json) as { results: object[] }).results[0]).toMatchObject({
      id: '0199-aaa',
      path: world.path('0199-aaa'),
      cwd: '/home/dev/orchard',
    });
  });

  it('restores one by a prefix of its id, into another store', async () => {
    await world.prune(...toArchive);
    const into = ['--archive', 'archive', '--restore', '0199-a', '--store', 'other'];
    const { exitCode } = await world.run(into);
    expect(exitCode).toBe(0);
    expect(await world.names(join(world.dir, 'other'))).toEqual([
      'proj',
      'proj/0199-aaa',
      'proj/0199-aaa.jsonl',
      'proj/0199-aaa/1.png',
    ]);
  });

  it.each([
    ['0199', 'matches 2 sessions; type more of the id:'],
    ['01', 'needs at least 4 characters'],
    ['nobody', 'no session in the archive has this id'],
  ])('refuses to restore %s', async (id, message) => {
    await world.prune(...toArchive);
    const { err, exitCode } = await restore(id);
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });

  it('never restores over another file, and does the rest', async () => {
    await world.prune(...toArchive);
    await writeFiles(world.store, { 'proj/0199-aaa.jsonl': 'mine' });
    const { out, err, exitCode } = await restore('all');
    expect(exitCode).toBe(3);
    expect(out).toContain('Restored 1 of 2 sessions. 1 failed.');
    expect(err).toContain('not restored: another file already exists');
    expect(await readFile(world.path('0199-aaa'), 'utf8')).toBe('mine');
  });

  it("restores nothing outside of the agents' stores unless --store names it", async () => {
    await world.prune(...toArchive);
    const args = ['--archive', 'archive', '--restore', 'all'];
    for (const more of [[], ['--dry-run']]) {
      const { err, exitCode } = await world.run([...args, ...more]);
      expect(exitCode).toBe(3);
      expect(err).toContain(
        "is outside of the agents' stores; name the store to restore into with --store\n",
      );
      expect(await world.names()).toHaveLength(2);
    }
    const named = await world.run([...args, '--store', 'store']);
    expect(named.out).toContain('Restored 2 of 2 sessions.');
  });

  it('does not believe an index that describes another session than the member', async () => {
    await world.prune(...toArchive);
    const index = join(world.dir, 'archive', 'index.ndjson');
    const lie = (await readFile(index, 'utf8')).replaceAll('orchard', 'harmless');
    await writeFile(index, lie);
    for (const more of [[], ['--dry-run']]) {
      const { err, out, exitCode } = await restore('all', '--json', ...more);
      expect(exitCode).toBe(3);
      expect(err).toContain('index.ndjson contradicts it; remove index.ndjson');
      expect(JSON.parse(out)).toMatchObject({ results: [{ action: 'fail' }, { action: 'fail' }] });
    }
    expect(await world.names()).toHaveLength(2);
    await rm(index);
    expect((await restore('all')).out).toContain('Restored 2 of 2 sessions.');
  });

  it('restores nothing with --dry-run, and shows the path of each session', async () => {
    await world.prune(...toArchive);
    const preview = await restore('all', '--dry-run');
    expect(preview.out).toMatch(/^ACTION +LAST ACTIVE {2}SESSION +SIZE {2}TO\n/);
    expect(preview.out).toContain(world.path('0199-aaa'));
    const { out } = await restore('all', '--dry-run');
    expect(out).toContain('Would restore 2 of 2 sessions. Nothing was changed.');
    expect(await world.names()).toHaveLength(2);
  });

  it('brings back the latest of two states, and keeps both', async () => {
    await world.prune(...toArchive);
    await restore('all');
    await appendFile(world.path('0199-bbb'), '{"type":"custom","customType":"x","id":"1"}\n');
    await world.touch('proj/0199-bbb.jsonl', 40);
    const changed = await readFile(world.path('0199-bbb'), 'utf8');
    await world.prune(...toArchive);
    expect(await readdir(join(world.dir, 'archive'))).toHaveLength(4);
    await rm(join(world.dir, 'archive', 'index.ndjson'));
    await restore('0199-bbb');
    expect(await readFile(world.path('0199-bbb'), 'utf8')).toBe(changed);
  });

  it('lists the states of a session, and brings back the one of a date', async () => {
    const now = (iso: string) => ({ now: () => Date.parse(iso) });
    const store = ['--store', 'store', ...toArchive];
    const [first, second] = ['2127-01-15T12:00:00.000Z', '2127-02-15T12:00:00.000Z'];
    const old = await readFile(world.path('0199-bbb'), 'utf8');
    await world.run(store, now(first));
    await restore('all');
    await appendFile(world.path('0199-bbb'), '{"type":"custom","customType":"x","id":"1"}\n');
    await world.touch('proj/0199-bbb.jsonl', 40);
    await world.run(store, now(second));

    const latest = await restore('0199-bbb', '--dry-run');
    expect(latest.err).toBe(
      `coppice: 0199-bbb: the state archived at ${second}; --as-of chooses another: ${first}\n`,
    );
    const tooEarly = await restore('0199-bbb', '--as-of', '2026-01-01');
    expect([tooEarly.exitCode, tooEarly.err]).toEqual([
      2,
      `coppice: --restore 0199-bbb: was archived after --as-of only: ${second}, ${first}\n`,
    ]);
    expect((await restore('all', '--as-of', '2026-01-01')).out).toContain('Restored 0 of 0');
    await restore('0199-bbb', '--as-of', first);
    expect(await readFile(world.path('0199-bbb'), 'utf8')).toBe(old);
  });

  it('restores nothing into a hidden directory, whatever the store is called', async () => {
    const hidden = join(world.store, '.vscode', 'x.json');
    const lines = sampleSession({ id: '0199-ccc', start: '2026-01-01T00:00:00.000Z' });
    await writeFiles(world.store, { '.vscode/x.json': toJsonl(lines) });
    await world.touch('.vscode/x.json', 50);
    const archive = ['--archive', 'archive', '--apply', '--allow-empty', '--older-than', '30d'];
    expect((await world.run([hidden, ...archive])).exitCode).toBe(0);
    const { err, exitCode } = await restore('all');
    expect([exitCode, err]).toEqual([
      3,
      expect.stringContaining(
        'not restored: .vscode is hidden, and agents look for no session there',
      ),
    ]);
    expect(await world.names(join(world.store, '.vscode'))).toEqual([]);
  });

  it('believes a member only that holds this session, whatever its name', async () => {
    const before = withoutProject(await snapshot(world.store));
    await world.prune(...toArchive);
    const archive = join(world.dir, 'archive');
    const names = (await readdir(archive)).filter((name) => name.endsWith('.gz'));
    await restore('all');
    const [one = '', other = ''] = names;
    await writeFile(join(archive, other), await readFile(join(archive, one)));
    await rm(join(archive, 'index.ndjson'));
    await world.prune(...toArchive);
    await rm(join(archive, 'index.ndjson'));
    expect((await restore('all')).exitCode).toBe(0);
    expect(withoutProject(await snapshot(world.store))).toEqual(before);
  });

  it('keeps a session that could not be archived', async () => {
    await world.prune(...toArchive);
    await restore('all');
    await rm(join(world.dir, 'archive', 'index.ndjson'));
    await writeFiles(world.dir, { 'archive/index.ndjson/x': 'a directory is in the way' });
    const { err, exitCode } = await world.run(['--store', 'store', ...toArchive]);
    expect(exitCode).toBe(3);
    expect(err).toContain('is a directory');
    expect(await world.names()).toHaveLength(6);
  });
});

describe('prune --plan', () => {
  const planOut = ['--older-than', '30d', '--plan-out', 'plan.ndjson'];
  const apply = ['--plan', 'plan.ndjson', '--apply', '--delete', '--json'];
  const planFile = (): string => join(world.dir, 'plan.ndjson');

  async function results(): Promise<Record<string, string>> {
    const { out } = await world.run(apply);
    const { results: all } = JSON.parse(out) as {
      results: readonly { path: string; action: string; reasons: readonly string[] }[];
    };
    return Object.fromEntries(
      all.map(({ path, action, reasons }) => [
        path.slice(path.lastIndexOf('/') + 1),
        `${action}: ${reasons.join(', ')}`,
      ]),
    );
  }

  it('removes what the edited plan still names, for the reasons in it', async () => {
    const { out } = await world.run(['--store', 'store', ...planOut]);
    expect(out).toContain('edit plan.ndjson, then coppice prune --plan plan.ndjson --apply');
    const lines = (await readFile(planFile(), 'utf8')).split('\n');
    await writeFile(planFile(), lines.filter((line) => !line.includes('0199-aaa')).join('\n'));
    expect(await results()).toMatchObject({
      '0199-aaa.jsonl': 'keep: not selected',
      '0199-bbb.jsonl': 'remove: older than 30d',
    });
    expect(await world.names()).not.toContain('proj/0199-bbb.jsonl');
  });

  it.each([
    [1, '{"path"', '{"keep":true,"path"', 'plan.ndjson:2: a prune plan has no member "keep"'],
    [1, '"reasons"', '"remove":false,"reasons"', 'a prune plan has no member "remove"'],
    [
      0,
      '"grace"',
      '"keepNamed":true,"grace"',
      'plan.ndjson:1: a prune plan has no member "keepNamed"',
    ],
  ])('refuses what a plan does not hold, in line %d: %s as %s', async (at, from, to, message) => {
    await world.prune(...planOut);
    const lines = (await readFile(planFile(), 'utf8')).split('\n');
    const edited = lines.map((line, index) => (index === at ? line.replace(from, to) : line));
    expect(edited).not.toEqual(lines);
    await writeFile(planFile(), edited.join('\n'));
    const { exitCode, err } = await world.run(apply);
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
    expect(await world.names()).toHaveLength(6);
  });

  it('shows it first', async () => {
    await world.prune(...planOut);
    const { out } = await world.run(['--plan', 'plan.ndjson']);
    expect(out).toContain('Would remove 2 of 3 sessions');
    expect(await world.names()).toHaveLength(6);
  });

  it('skips what changed, also when size and mtime are the same, and what is gone', async () => {
    await world.prune(...planOut);
    const text = await readFile(world.path('0199-aaa'), 'utf8');
    await writeFile(world.path('0199-aaa'), text.replace('Hello', 'Jello'));
    await world.touch('proj/0199-aaa.jsonl', 50);
    await rm(world.path('0199-bbb'));
    expect(await results()).toMatchObject({
      '0199-aaa.jsonl': 'skip: changed since it was planned',
      '0199-bbb.jsonl': 'skip: no longer exists',
    });
    expect(await world.names()).toContain('proj/0199-aaa.jsonl');
  });

  it('skips what got another image beside it', async () => {
    await world.prune(...planOut);
    await writeFiles(world.store, { 'proj/0199-aaa/2.png': 'new' });
    expect((await results())['0199-aaa.jsonl']).toBe('skip: changed since it was planned');
  });

  it('keeps a parent whose fork was taken out of the plan', async () => {
    await world.add('fork', 55, { parentSession: world.path('0199-bbb') });
    await world.prune(...planOut);
    const lines = (await readFile(planFile(), 'utf8')).split('\n');
    await writeFile(planFile(), lines.filter((line) => !line.includes('/fork.jsonl')).join('\n'));
    expect((await results())['0199-bbb.jsonl']).toBe('keep: parent of a kept fork');
  });

  it('keeps the last session though all are in the plan', async () => {
    await rm(world.path('0199-keep'));
    await world.prune(...planOut, '--allow-empty');
    const text = await readFile(planFile(), 'utf8');
    await writeFile(planFile(), text.replace('"allowEmpty":true', '"allowEmpty":false'));
    expect((await results())['0199-aaa.jsonl']).toContain('keep: the last session of its store');
  });
});

describe('an archive itself', () => {
  const index = (): string => join(world.dir, 'archive', 'index.ndjson');
  const archive = (...args: string[]) => world.run(['--archive', 'archive', ...args]);

  it('is checked, and gets a new index that says what the old one said', async () => {
    await world.prune(...toArchive);
    const before = await archive('--list', '--json');
    expect((await archive('--check')).out).toMatch(
      /^Checked 2 states, \d\S* k?B\. All are sound\.\n$/,
    );
    await appendFile(index(), '{"torn');
    const torn = await archive('--check');
    expect([torn.exitCode, torn.out]).toEqual([1, expect.stringContaining('index.ndjson:3')]);
    expect((await archive('--rebuild-index', '--json')).out).toBe(before.out);
    expect((await archive('--check')).exitCode).toBe(0);
    expect((await archive('--list', '--json')).out).toBe(before.out);
  });

  it('is named by the member that is damaged, where a session of it is restored', async () => {
    await world.prune(...toArchive);
    const names = await readdir(join(world.dir, 'archive'));
    const name = names.find((one) => one.endsWith('.tar.gz')) ?? '';
    await writeFile(join(world.dir, 'archive', name), 'damaged');
    const { exitCode, err } = await archive('--restore', 'all', '--store', 'store');
    expect([exitCode, err]).toEqual([3, expect.stringContaining(`${name} is damaged: no whole`)]);
  });

  it('keeps what is damaged out of a new index, and names it', async () => {
    await world.prune(...toArchive);
    const names = (await readdir(join(world.dir, 'archive'))).toSorted();
    await writeFile(join(world.dir, 'archive', names[1] ?? ''), 'damaged');
    const { exitCode, err } = await archive('--rebuild-index');
    expect([exitCode, err]).toEqual([3, expect.stringContaining('is damaged')]);
    expect((await readFile(index(), 'utf8')).trimEnd().split('\n')).toHaveLength(1);
    expect((await archive('--check')).out).toContain('1 damaged or missing.');
    const { results } = JSON.parse((await archive('--list', '--json')).out) as {
      results: object[];
    };
    expect(results).toMatchObject([{ id: expect.anything() }, { problem: { code: 'EARCHIVE' } }]);
  });

  it.each([
    ['--check', '--list'],
    ['--check', '--rebuild-index'],
    ['--list', '--rebuild-index'],
    ['--check', '--restore', 'all'],
    ['--check', '--apply'],
    ['--rebuild-index', '--keep-last', '1'],
    ['--check', '--store', 'x'],
    ['--check', '0199-aaa'],
  ])('is not asked two things at once: %s %s', async (...args) => {
    const { exitCode, err } = await archive(...args);
    expect([exitCode, err]).toEqual([2, expect.stringContaining('cannot be combined with')]);
  });

  it('is not asked anything where there is none', async () => {
    expect((await world.run(['--check'])).err).toContain('--check: needs --archive');
    const none = await world.run(['--archive', 'none', '--check']);
    expect([none.exitCode, none.err]).toEqual([2, expect.stringContaining('no such file')]);
  });
});

it('gives back a file with a backslash in its name', async () => {
  await world.add('0199a3f1', 50);
  await world.add('other', 1);
  const image = 'proj/0199a3f1/\\1\\.png';
  await writeFiles(world.store, { [image]: 'image' });
  await world.touch(image, 50);
  await world.touch('proj/0199a3f1', 50);
  await world.prune('--older-than', '30d', ...toArchive);
  expect(await readdir(join(world.store, 'proj'))).not.toContain('0199a3f1');
  await restore('0199a3f1');
  expect(await readFile(join(world.store, image), 'utf8')).toBe('image');
});
