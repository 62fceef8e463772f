import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrateSession } from '../../../src/index.ts';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import { toAsidePath } from '../../../src/session/jsonl/files/temp-file.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { makeOld, makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const DEAD_PID = spawnSync(process.execPath, ['--version']).pid;

interface Place {
  readonly store: string;
  readonly old: string;
  readonly now: string;
  readonly id: string;
  readonly lines: readonly object[];
}

const TIME = '2025-01-01T00:00:00.000Z';
const HEADER = { type: 'session', version: 3, id: 's', timestamp: TIME, cwd: '/src/api' };
const MESSAGE = { timestamp: TIME, message: { role: 'user', content: 'hi', timestamp: 1 } };
const PI: Place = {
  store: 's',
  old: 's/--src-api--',
  now: 's/--work-api--',
  id: '1',
  lines: [HEADER, { type: 'message', id: 'a', parentId: null, ...MESSAGE }],
};
const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const CLAUDE: Place = {
  store: '.claude/projects',
  old: '.claude/projects/-src-api',
  now: '.claude/projects/-work-api',
  id: ID,
  lines: [
    { type: 'user', uuid: 'u', parentUuid: null, sessionId: ID, cwd: '/src/api', ...MESSAGE },
  ],
};
const ARRAY = JSON.stringify([
  { ...HEADER, version: undefined },
  { type: 'message', ...MESSAGE },
]);

/** Files beside the session in its old directory, and in the new one. */
async function setUp(
  { store, old, now, id, lines }: Place,
  beside: Readonly<Record<string, string>>,
  there: Readonly<Record<string, string>> = {},
) {
  const dir = await makeTempDir();
  const files = { [`${id}.jsonl`]: toJsonl(lines), ...beside };
  await writeFiles(join(dir, old), files);
  await writeFiles(join(dir, now), there);
  await makeOld(Object.keys(files).map((name) => join(dir, old, name)));
  const run = async (...argv: readonly string[]) => {
    const move = ['migrate', '--cwd', '/src/api=/work/api', '--store', join(dir, store), '--json'];
    const { exitCode, out } = await runTest([...move, ...argv], { home: dir });
    const { results } = JSON.parse(out) as {
      results: readonly { action: string; reasons: readonly string[] }[];
    };
    return { exitCode, results };
  };
  return {
    dir,
    run,
    /** Each file by its path, with its content; directories and links by their path. */
    read: () => readTree(join(dir, store)),
  };
}

function readTree(directory: string): Readonly<Record<string, string>> {
  const found = readdirSync(directory, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    found.map((one) => {
      const path = join(one.parentPath, one.name);
      return [path, one.isFile() ? readFileSync(path, 'utf8') : ''];
    }),
  );
}

/** Runs it in the preview and for good, and returns what both say; it must change nothing. */
async function runLeft({ run, read }: Awaited<ReturnType<typeof setUp>>): Promise<string> {
  const before = read();
  const outcomes: string[] = [];
  for (const argv of [[], ['--apply']]) {
    const { exitCode, results } = await run(...argv);
    const reasons = results.map(({ action, reasons: [reason = ''] }) => `${action}: ${reason}`);
    outcomes.push([`exit ${exitCode}`, ...reasons].join(', '));
  }
  expect(read()).toEqual(before);
  expect(outcomes[1]).toBe(outcomes[0]);
  return outcomes[0] ?? '';
}

const taken = (path: string): string =>
  `exit 3, fail: its sidecar cannot move along: ${path} already exists`;

it('a session whose name, or that of a file beside it, is too long to be given up is left where it is', async () => {
  const said = 'exit 3, fail: its name is too long to be moved';
  const spare = 255 - basename(toAsidePath('/.jsonl.rejected')).length;
  const beside = (id: string) => ({ [`${id}.jsonl.rejected`]: 'a line' });
  const [fits, tooLong] = ['n'.repeat(spare), 'n'.repeat(spare + 1)];
  const { dir, ...world } = await setUp({ ...PI, id: tooLong }, beside(tooLong));
  const rejected = join(dir, PI.old, `${tooLong}.jsonl.rejected`);
  expect(await runLeft({ dir, ...world })).toBe(
    `exit 3, fail: ${rejected}: its name is too long to be moved`,
  );
  expect(await runLeft(await setUp({ ...PI, id: `${tooLong}.rejected` }, {}))).toBe(said);
  const { run, read } = await setUp({ ...PI, id: fits }, beside(fits));
  expect((await run('--apply')).exitCode).toBe(0);
  expect(Object.keys(read()).filter((path) => path.includes('--src-api--/'))).toEqual([]);
});

describe.each([
  ['pi', PI],
  ['Claude Code', CLAUDE],
])('migrate --cwd of a session of %s', (_agent, place) => {
  const { id, old, now } = place;
  const beside = { [`${id}/1.png`]: 'pixels', [`${id}.jsonl.rejected`]: 'torn' };

  it.each([
    ['a folder with something in it', { [`${id}/2.png`]: 'theirs' }],
    ['a file', { [id]: 'theirs' }],
  ])('leaves it where it is if its folder meets %s', async (_, there) => {
    const world = await setUp(place, beside, there);
    expect(await runLeft(world)).toBe(taken(join(world.dir, now, id)));
  });

  it('leaves it where it is if its folder meets a link', async () => {
    const world = await setUp(place, beside, { other: '' });
    symlinkSync('other', join(world.dir, now, id));
    expect(await runLeft(world)).toBe(taken(join(world.dir, now, id)));
  });

  it('leaves it where it is if what repairs took out meets another file', async () => {
    const world = await setUp(place, beside, { [`${id}.jsonl.rejected`]: 'theirs' });
    expect(await runLeft(world)).toBe(taken(join(world.dir, now, `${id}.jsonl.rejected`)));
  });

  const moved = toJsonl(place.lines).replaceAll('/src/api', '/work/api');

  it.each([
    ['the same', moved],
    ['more lines, too', `${moved}{"type":"later"}\n`],
  ])('removes the old file if another run has put there %s', async (_, content) => {
    const world = await setUp(place, beside, { [`${id}.jsonl`]: content });
    const newPath = join(world.dir, now, `${id}.jsonl`);
    const reasons = ['its project moved', `${newPath} holds it already`];
    const outcome = { exitCode: 0, results: [{ action: 'relocate', reasons, newPath }] };
    expect(await world.run()).toMatchObject(outcome);
    expect(await world.run('--apply')).toMatchObject(outcome);
    const names = [id, `${id}.jsonl`, `${id}.jsonl.rejected`];
    expect(readdirSync(join(world.dir, now)).toSorted()).toEqual(names);
    expect(world.read()[newPath]).toBe(content);
    expect((await world.run('--apply')).results).toEqual([]);
  });

  it.each([
    ['a part of it', moved.slice(0, -1)],
    ['another session', moved.replace('hi', 'ho')],
    ['nothing', ''],
  ])('leaves it where it is if its file meets one with %s', async (_, content) => {
    const world = await setUp(place, beside, { [`${id}.jsonl`]: content });
    const newPath = join(world.dir, now, `${id}.jsonl`);
    expect(await runLeft(world)).toBe(`exit 3, fail: would overwrite another file: ${newPath}`);
  });

  it('leaves it where it is if its file meets a directory', async () => {
    const world = await setUp(place, {});
    const newPath = join(world.dir, now, `${id}.jsonl`);
    mkdirSync(newPath, { recursive: true });
    expect(await runLeft(world)).toBe(`exit 3, fail: would overwrite another file: ${newPath}`);
  });

  it('leaves it as it is if its new directory cannot be made', async () => {
    const world = await setUp(place, {});
    await writeFiles(join(world.dir, place.store), { [basename(now)]: 'a file' });
    const before = world.read();
    const newPath = join(world.dir, now, `${id}.jsonl`);
    const reasons = [`cannot move to ${newPath}: a part of the path is not a directory`];
    expect((await world.run('--apply')).results).toMatchObject([{ action: 'fail', reasons }]);
    expect(world.read()).toEqual(before);
  });

  it.each([
    ['has no other file', {}],
    ['is at its new place already', { [`${id}.jsonl`]: moved }],
  ])('finishes what a killed run has taken aside, and that %s', async (_, there) => {
    const world = await setUp(place, beside, there);
    const path = join(world.dir, old, `${id}.jsonl`);
    const aside = `${path}.${DEAD_PID}@${getOwnPlace()}.0123456789ab.coppice-moved.json`;
    renameSync(path, aside);
    expect(await world.run()).toMatchObject({ exitCode: 3, results: [{ path: aside }] });
    expect(world.read()[aside]).toBe(toJsonl(place.lines));
    expect(await world.run('--apply')).toMatchObject({ exitCode: 0, results: [{ path }] });
    const names = [id, `${id}.jsonl`, `${id}.jsonl.rejected`];
    expect(readdirSync(join(world.dir, now)).toSorted()).toEqual(names);
    expect(Object.keys(world.read()).filter((one) => one.startsWith(path))).toEqual([]);
  });

  it.each<[string, (path: string, newPath: string) => void]>([
    ['it gets more lines', (path) => appendFileSync(path, '{}\n')],
    ['the new one goes away', (_, newPath) => rmSync(newPath)],
    ['the new one is cut', (_, newPath) => truncateSync(newPath, 9)],
  ])('keeps the old file, which was to become a backup, if %s meanwhile', async (_, change) => {
    const world = await setUp(place, {}, { [`${id}.jsonl`]: moved });
    const path = join(world.dir, old, `${id}.jsonl`);
    const moveTo = join(world.dir, now, `${id}.jsonl`);
    const move = { from: '/src/api', to: '/work/api' };
    const changes = { cwd: '/work/api', parentSession: undefined };
    let asked = 0;
    const result = await migrateSession(path, {
      apply: true,
      backupSuffix: '.bak',
      relocation: { changes, move, moveTo, reasons: [], obstacle: undefined },
      // Asked last when all lines have been seen.
      findUse: () => {
        asked += 1;
        if (asked === 2) change(path, moveTo);
        return undefined;
      },
    });
    expect(asked).toBe(2);
    expect(result).not.toMatchObject({ action: 'relocate' });
    expect(readdirSync(join(world.dir, old))).toEqual([`${id}.jsonl`]);
  });

  it('leaves it where it is if its file meets a link to one with the same', async () => {
    const world = await setUp(place, beside, { same: moved });
    symlinkSync('same', join(world.dir, now, `${id}.jsonl`));
    const newPath = join(world.dir, now, `${id}.jsonl`);
    expect(await runLeft(world)).toBe(`exit 3, fail: would overwrite another file: ${newPath}`);
  });

  it('skips it if its folder is a link', async () => {
    const world = await setUp(place, { 'images/1.png': 'pixels' });
    symlinkSync('images', join(world.dir, old, id));
    expect(await runLeft(world)).toBe(`exit 0, skip: ${id} is a link or a device`);
  });

  it('puts its folder in the place of an empty one', async () => {
    const world = await setUp(place, beside);
    mkdirSync(join(world.dir, now, id), { recursive: true });
    expect(await world.run('--apply')).toMatchObject({
      exitCode: 0,
      results: [{ action: 'relocate' }],
    });
    expect(readTree(join(world.dir, now))).toMatchObject({
      [join(world.dir, now, id, '1.png')]: 'pixels',
      [join(world.dir, now, `${id}.jsonl.rejected`)]: 'torn',
    });
    expect(
      Object.keys(world.read()).filter((path) => dirname(path) === join(world.dir, old)),
    ).toEqual([]);
  });

  it('follows its folder, which a run that was ended had moved', async () => {
    const world = await setUp(place, beside);
    mkdirSync(join(world.dir, now));
    renameSync(join(world.dir, old, id), join(world.dir, now, id));
    expect((await world.run('--apply')).exitCode).toBe(0);
    const names = [id, `${id}.jsonl`, `${id}.jsonl.rejected`];
    expect(readdirSync(join(world.dir, now)).toSorted()).toEqual(names);
  });

  it('reports that it has moved in part if something comes in between', async () => {
    const world = await setUp(place, beside);
    const path = join(world.dir, old, `${id}.jsonl`);
    const moveTo = join(world.dir, now, `${id}.jsonl`);
    const move = { from: '/src/api', to: '/work/api' };
    const changes = { cwd: '/work/api', parentSession: undefined };
    const result = await migrateSession(path, {
      apply: true,
      relocation: { changes, move, moveTo, reasons: [], obstacle: undefined },
      // Asked when all lines have been seen: the folder comes after its place was looked at.
      findUse: () => {
        mkdirSync(join(world.dir, now, id, 'theirs'), { recursive: true });
        return undefined;
      },
    });
    const reason = `cannot move to ${join(world.dir, now, id)}: the directory is not empty; it has moved only in part: run this again`;
    expect(result).toMatchObject({ action: 'fail', reasons: [reason] });
    expect(readdirSync(join(world.dir, now))).toEqual([id]);
    expect(readdirSync(join(world.dir, old, id))).toEqual(['1.png']);
  });
});

describe('migrate --cwd', () => {
  it.each(['1.json.migrated', '1.json.v1', '1.json'])(
    'takes along the array that a session was migrated from, as %s',
    async (name) => {
      const world = await setUp(PI, { [name]: ARRAY });
      expect((await world.run()).results).toHaveLength(1);
      expect(await world.run('--apply')).toMatchObject({
        exitCode: 0,
        results: [{ action: 'relocate', newPath: join(world.dir, PI.now, '1.jsonl') }],
      });
      expect(readdirSync(join(world.dir, PI.now)).toSorted()).toEqual([name, '1.jsonl'].toSorted());
      expect(readdirSync(join(world.dir, PI.old))).toEqual([]);
    },
  );

  it('leaves the array of another session beside it', async () => {
    const other = ARRAY.replace('"s"', '"other"');
    const world = await setUp(PI, { '1.json.migrated': other });
    await world.run('--apply');
    expect(readdirSync(join(world.dir, PI.old))).toEqual(['1.json.migrated']);
  });

  it('skips a session beside a directory that may belong to something else', async () => {
    const world = await setUp(PI, { '1/thesis.tex': 'years of work' });
    const reason = 'the directory beside it may not belong to it';
    expect(await runLeft(world)).toBe(`exit 0, skip: ${reason}`);
  });

  it('skips a session in whose folder somebody keeps something', async () => {
    const world = await setUp(CLAUDE, { [`${ID}/notes.md`]: 'mine' });
    expect(await runLeft(world)).toBe(`exit 0, skip: ${ID}/notes.md may be somebody's own`);
  });

  it('leaves a file that is named like the folder of a session', async () => {
    const world = await setUp(PI, { '1': 'notes' });
    expect((await world.run('--apply')).exitCode).toBe(0);
    expect(readdirSync(join(world.dir, PI.old))).toEqual(['1']);
  });

  it('takes along the folder of a session that is an array', async () => {
    const world = await setUp({ ...PI, id: 'gone' }, { '1.json': ARRAY, '1/1.png': 'pixels' });
    expect((await world.run('--apply')).exitCode).toBe(0);
    expect(readdirSync(join(world.dir, PI.now)).toSorted()).toEqual([
      '1',
      '1.json.migrated',
      '1.jsonl',
      'gone.jsonl',
    ]);
    expect(readdirSync(join(world.dir, PI.now, '1'))).toEqual(['1.png']);
  });

  it('leaves a session where it is if a sub-agent of it meets another file', async () => {
    const name = 'agent-0a1b2c3d.jsonl';
    const agent = toJsonl(
      CLAUDE.lines.map((line) => ({ ...line, isSidechain: true, agentId: 'a' })),
    );
    const world = await setUp(CLAUDE, { [name]: agent }, { [name]: 'theirs' });
    expect(await runLeft(world)).toBe(taken(join(world.dir, CLAUDE.now, name)));
  });

  it('leaves sessions that have lines in one log together', async () => {
    const [second, third] = [ID.replace(/1$/, '2'), ID.replace(/1$/, '3')];
    const toLines = (...ids: readonly string[]) =>
      toJsonl(ids.flatMap((sessionId) => CLAUDE.lines.map((line) => ({ ...line, sessionId }))));
    const toLog = (...ids: readonly string[]) =>
      toLines(...ids).replaceAll('"type"', '"isSidechain":true,"agentId":"a","type"');
    const world = await setUp(CLAUDE, {
      [`${second}.jsonl`]: toLines(second),
      [`${third}.jsonl`]: toLines(third),
      'agent-0a1b2c3d.jsonl': toLog(ID, second),
      'agent-0a1b2c3e.jsonl': toLog(second, third),
    });
    const before = world.read();
    const some = [ID, second].map((id) => join(world.dir, CLAUDE.old, `${id}.jsonl`));
    expect((await world.run(...some, '--apply')).results.map(({ reasons }) => reasons)).toEqual([
      [`${second}.jsonl does not move, and has lines in agent-0a1b2c3d.jsonl, too`],
      [`${third}.jsonl does not move, and has lines in agent-0a1b2c3e.jsonl, too`],
    ]);
    const inUse = join(world.dir, CLAUDE.old, `${third}.jsonl`);
    utimesSync(inUse, new Date(NOW), new Date(NOW));
    expect((await world.run('--apply')).results.map(({ action }) => action)).toEqual([
      'skip',
      'skip',
      'skip',
    ]);
    expect(world.read()).toEqual(before);
    await makeOld([inUse]);
    await world.run('--apply');
    expect(readdirSync(join(world.dir, CLAUDE.now))).toHaveLength(5);
  });
});
