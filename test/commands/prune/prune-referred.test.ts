import { appendFile, chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { applyPrune, planPrune } from '../../../src/library/functions/prune.ts';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { asOrdinaryUser, shareNewFiles } from '../../ordinary-user.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

shareNewFiles();

const byText = (a: readonly unknown[], b: readonly unknown[]): number =>
  String(a) < String(b) ? -1 : 1;

const IMAGE = `${'0a'.repeat(32)}.png`;
const UUID = '10000000-0000-4000-8000-000000000001';
const REFERRED = 'keep: a kept session refers to its files';

/** A session with an image in its folder, and another one that names it there: no fork of it. */
async function makeCopy(): Promise<PruneWorld> {
  const world = await PruneWorld.make();
  const text = `[image taken out by coppice: 0199-aaa/${IMAGE}, image/png, 5 bytes]`;
  await world.add('0199-aaa', 90, { text });
  await world.add('copy', 80, { text, name: 'copy' });
  await world.add('0199-bbb', 70);
  for (const id of ['0199-aaa', '0199-bbb']) {
    await writeFiles(world.store, { [`proj/${id}/${IMAGE}`]: 'image' });
    await world.touch(`proj/${id}/${IMAGE}`, 90);
    await world.touch(`proj/${id}`, 90);
  }
  return world;
}

/** Archives all sessions, as a backup is made, and leaves that alone. */
async function archiveAll(world: PruneWorld): Promise<void> {
  const args = ['export', '--as', 'archive', '--out', 'ar', '--store', 'store', '--quiet'];
  const { exitCode } = await runTest(args, { cwd: world.dir, home: '/home/dev' });
  expect(exitCode).toBe(0);
}

async function planArchive(world: PruneWorld, ...args: string[]): Promise<object> {
  const { out } = await world.run(['--in-archive', 'ar', '--json', ...args]);
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  const entries = results.map(({ id, action, reasons }) => [
    id,
    `${action}: ${reasons.join(', ')}`,
  ]);
  return Object.fromEntries(entries) as object;
}

it('prune keeps it in an archive, too', async () => {
  const world = await makeCopy();
  await archiveAll(world);
  expect(await planArchive(world, '--keep-id', 'copy')).toEqual({
    ...EXPECTED,
    copy: 'keep: by id',
  });
  expect(await planArchive(world, '--keep-id', '0199-bbb')).toEqual({
    '0199-aaa': 'remove: no rule keeps it',
    copy: 'remove: no rule keeps it',
    '0199-bbb': 'keep: by id',
  });
  const members = await readdir(join(world.dir, 'ar'));
  const damaged = members.find((name) => name.includes('copy')) ?? '';
  const path = join(world.dir, 'ar', damaged);
  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, bytes.length - 20));
  expect(await planArchive(world, '--keep-id', 'copy')).toMatchObject({
    '0199-aaa': `keep: ${path} cannot be read, and may refer to its files`,
  });
});

const EXPECTED = {
  '0199-aaa': REFERRED,
  copy: 'keep: named',
  '0199-bbb': 'remove: no rule keeps it',
};

it('prune keeps a session with images that a kept one names', async () => {
  const world = await makeCopy();
  expect(await world.prune('--keep-named')).toEqual(EXPECTED);
  expect(await world.prune('--older-than', '85d', '--apply', '--delete')).toMatchObject({
    '0199-aaa': REFERRED,
  });
  expect(await world.prune('--keep-named', '--include-parents')).toMatchObject({
    '0199-aaa': 'remove: no rule keeps it, a kept session refers to its files',
  });
  // Removed together, neither keeps the other.
  expect(await world.prune('--older-than', '75d', '--apply', '--delete')).toMatchObject({
    '0199-aaa': 'remove: older than 75d',
    copy: 'remove: older than 75d',
  });
});

it('prune keeps it also where it is named as a target', async () => {
  const world = await makeCopy();
  expect(await world.prune(world.path('0199-aaa'), '--older-than', '30d')).toEqual({
    '0199-aaa': REFERRED,
  });
});

it.each([false, true])(
  'prune keeps it in a plan that was edited, made with --flatten: %j',
  async (flattens) => {
    const world = await makeCopy();
    const rules = ['--store', 'store', '--older-than', '30d', '--allow-empty'];
    await world.run([...rules, '--plan-out', 'plan']);
    const plan = join(world.dir, 'plan');
    const lines = (await readFile(plan, 'utf8')).split('\n');
    expect(lines.filter((line) => line.includes('copy.jsonl'))).toHaveLength(1);
    const edited = lines.filter((line) => !line.includes('copy.jsonl')).join('\n');
    expect(edited).toContain('"flatten":false');
    await writeFile(plan, edited.replace('"flatten":false', `"flatten":${flattens}`));
    const { out } = await world.run(['--plan', 'plan', '--json']);
    const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
    expect(results.find(({ id }) => id === '0199-aaa')?.reasons).toEqual([
      'a kept session refers to its files',
    ]);
  },
);

it('prune keeps every session with a folder while a file cannot be read', async () => {
  const world = await makeCopy();
  await rm(world.path('copy'));
  await world.add('0199-ccc', 90);
  const path = join(world.store, 'proj/closed.jsonl');
  await writeFile(path, '{"type":"session"}\n', { mode: 0 });
  await chmod(path, 0);
  await chmod(world.dir, 0o755);
  const results = await asOrdinaryUser(() => world.prune('--older-than', '30d', '--allow-empty'));
  expect(results).toMatchObject({
    '0199-aaa': `keep: ${path} cannot be read, and may refer to its files`,
    '0199-bbb': `keep: ${path} cannot be read, and may refer to its files`,
    '0199-ccc': 'remove: older than 30d',
  });
});

it('prune keeps long results of Claude Code that a fork names, whose own parent is gone', async () => {
  const home = await makeTempDir();
  const [source, middle, fork] = ['a', 'b', 'c'].map(
    (letter) => `${letter.repeat(8)}-1111-4111-8111-111111111111`,
  );
  const projects = join(home, '.claude/projects');
  const toLine = (sessionId = '', from?: string): object => {
    const content = `Full output saved to: ${projects}/-w/${source}/tool-results/x.txt`;
    return {
      parentUuid: null,
      isSidechain: false,
      cwd: '/w',
      sessionId,
      ...(from !== undefined && { forkedFrom: { sessionId: from, messageUuid: UUID } }),
      type: 'user',
      message: { role: 'user', content },
      uuid: from === undefined ? UUID : `copy of ${UUID}`,
      timestamp: '2026-01-03T10:00:00.000Z',
    };
  };
  const title = { type: 'custom-title', customTitle: 'kept', sessionId: fork };
  await writeFiles(join(projects, '-w'), {
    [`${source}.jsonl`]: [toLine(source)],
    [`${fork}.jsonl`]: [toLine(fork, middle), title],
    [`${source}/tool-results/x.txt`]: 'result',
  });
  const args = ['prune', '--older-than', '30d', '--grace', '0', '--keep-named', '--json'];
  const { out } = await runTest(args, { cwd: home, home });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  expect(
    results.map(({ id, action, reasons }) => [id, action, ...reasons]).toSorted(byText),
  ).toEqual([
    [source, 'keep', 'a kept session refers to its files'],
    [fork, 'keep', 'named'],
  ]);
});

const CLAUDE_CODE_IDS = [
  'aaaaaaaa-1111-4111-8111-111111111111',
  'bbbbbbbb-1111-4111-8111-111111111111',
  'cccccccc-1111-4111-8111-111111111111',
] as const;

/** A prompt of Claude Code, said on a day of January. */
function toPrompt(sessionId: string, day: number, content: string): object {
  return {
    parentUuid: null,
    isSidechain: false,
    cwd: '/w',
    sessionId,
    type: 'user',
    message: { role: 'user', content },
    uuid: `of ${sessionId}`,
    timestamp: `2026-01-0${day}T10:00:00.000Z`,
  };
}

it('prune keeps a session of Claude Code whose transcript a kept one names for the model', async () => {
  const home = await makeTempDir();
  const [plan, work, other] = CLAUDE_CODE_IDS;
  const projects = join(home, '.claude/projects');
  const title = { type: 'custom-title', customTitle: 'kept', sessionId: work };
  const pointer = `Implement the following plan:\n\nIf you need specific details from before exiting plan mode (like exact code snippets, error messages, or content you generated), read the full transcript at: ${projects}/-w/${plan}.jsonl`;
  await writeFiles(projects, {
    [`-w/${plan}.jsonl`]: [toPrompt(plan, 3, 'Plan it')],
    [`-w/${work}.jsonl`]: [toPrompt(work, 3, pointer), title],
    // A copy of what names itself does not need that.
    [`-old/${work}.jsonl`]: [toPrompt(work, 3, `read the full transcript at: /-old/${work}.jsonl`)],
    [`-w/${other}.jsonl`]: [toPrompt(other, 3, 'Plan it')],
  });
  const list = async (...args: string[]): Promise<readonly unknown[]> => {
    const { out } = await runTest(['prune', ...args, '--json'], { cwd: home, home });
    const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
    return results.map(({ id, action, reasons }) => [id, action, ...reasons]).toSorted(byText);
  };
  expect(await list('--older-than', '30d', '--grace', '0', '--keep-named')).toEqual([
    [plan, 'keep', 'a kept session refers to its files'],
    [work, 'keep', 'named'],
    [work, 'remove', 'older than 30d'],
    [other, 'remove', 'older than 30d'],
  ]);
  const backup = ['export', '--as', 'archive', '--out', 'ar', '--quiet'];
  expect((await runTest(backup, { cwd: home, home })).exitCode).toBe(0);
  expect(await list('--in-archive', 'ar', '--keep-id', work)).toEqual([
    [plan, 'keep', 'a kept session refers to its files'],
    [work, 'keep', 'by id'],
    [work, 'keep', 'by id'],
    [other, 'remove', 'no rule keeps it'],
  ]);
});

it('a session is kept where a fork of it could not be removed', async () => {
  const world = await PruneWorld.make();
  const root = await world.add('0199-aaa', 90);
  const fork = await world.add('0199-bbb', 80, { parentSession: root });
  const now = (): number => NOW;
  const plan = await planPrune([world.store], { olderThan: '30d', allowEmpty: true }, { now });
  await appendFile(fork, '{"type":"custom","customType":"x","id":"a"}\n');
  const outcomes = await applyPrune(plan, { delete: true }, { now });
  expect(
    outcomes.map(({ path, action, reasons }) => [path, action, ...reasons]).toSorted(byText),
  ).toEqual([
    [root, 'skip', 'parent of a kept fork'],
    [fork, 'skip', 'changed since it was planned'],
  ]);
});

it.each(['0199-aaa', '0199-bbb'])(
  'a program keeps two that name files of each other, and one it leaves out names those of %s',
  async (named) => {
    const world = await PruneWorld.make();
    const name = (id: string): string => `[image taken out by coppice: ${id}/${IMAGE}]`;
    await world.add('0199-aaa', 90, { text: name('0199-bbb') });
    await world.add('0199-bbb', 80, { text: name('0199-aaa') });
    await world.add('copy', 70, { text: name(named) });
    for (const id of ['0199-aaa', '0199-bbb']) {
      await writeFiles(world.store, { [`proj/${id}/${IMAGE}`]: 'image' });
      for (const one of [`proj/${id}/${IMAGE}`, `proj/${id}`]) await world.touch(one, 90);
    }
    const rules = { olderThan: '30d', allowEmpty: true };
    const plan = await planPrune([world.store], rules, { now: () => NOW });
    const decisions = plan.decisions.filter(({ candidate }) => candidate.id !== 'copy');
    const before = await world.names();
    const outcomes = await applyPrune({ ...plan, decisions }, { delete: true }, { now: () => NOW });
    expect(outcomes.map(({ action }) => action)).toEqual(['skip', 'skip']);
    expect(await world.names()).toEqual(before);
  },
);

it('prune keeps a session for the images of one in its folder, in an archive as well', async () => {
  const world = await PruneWorld.make();
  const text = `[image taken out by coppice: sub/${IMAGE}, image/png, 5 bytes]`;
  await world.add('0199-aaa', 90);
  await world.add('0199-bbb', 90);
  await writeFiles(world.store, {
    'proj/0199-aaa/sub.jsonl': sampleSession({ id: 'sub', text }),
    [`proj/0199-aaa/sub/${IMAGE}`]: 'image',
  });
  for (const name of ['.jsonl', `/${IMAGE}`, '']) await world.touch(`proj/0199-aaa/sub${name}`, 90);
  await world.touch('proj/0199-aaa', 90);
  await world.add('copy', 80, { text, name: 'copy' });
  expect(await world.prune('--keep-named')).toEqual({
    ...EXPECTED,
    sub: 'keep: kept with the session that it belongs to',
  });
  await archiveAll(world);
  expect(await planArchive(world, '--keep-id', 'copy')).toEqual({
    ...EXPECTED,
    copy: 'keep: by id',
  });
});

it('prune keeps copies for what both have, although a budget comes to the second one later', async () => {
  const home = await makeTempDir();
  const [first, twice, last] = CLAUDE_CODE_IDS;
  const title = { type: 'custom-title', customTitle: 'kept', sessionId: last };
  await writeFiles(join(home, '.claude'), {
    [`projects/-w/${first}.jsonl`]: [toPrompt(first, 1, 'one')],
    [`projects/-w/${first}/tool-results/x.txt`]: 'result',
    [`projects/-w/${twice}.jsonl`]: [toPrompt(twice, 2, 'two')],
    [`projects/-old/${twice}.jsonl`]: [toPrompt(twice, 2, 'two')],
    [`uploads/${twice}/x.txt`]: 'upload',
    [`projects/-w/${last}.jsonl`]: [
      toPrompt(last, 3, `${first}/tool-results/x.txt, uploads/${twice}/x.txt`),
      title,
    ],
  });
  const args = ['prune', '--max-sessions', '2', '--keep-named', '--grace', '0', '--json'];
  const { out } = await runTest(args, { cwd: home, home });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  expect(results.map(({ id, action }) => [id, action]).toSorted(byText)).toEqual([
    [first, 'keep'],
    [twice, 'keep'],
    [twice, 'remove'],
    [last, 'keep'],
  ]);
});
