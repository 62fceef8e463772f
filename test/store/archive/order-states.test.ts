import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openArchive, writeMember } from '../../../src/store/archive/member/write-member.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { PruneWorld } from '../../commands/prune/prune-world.ts';

const HOUR = 3_600_000;
const ID = '0199-aaa';

let world: PruneWorld;
let archive: string;

beforeEach(async () => {
  world = await PruneWorld.make();
  archive = join(world.dir, 'archive');
  await openArchive(archive, NOW);
  await world.add(ID, 50);
});

const toTime = (hours: number): number => NOW + hours * HOUR;
const append = (id: string, text: string): Promise<void> =>
  appendFile(world.path(id), `{"type":"custom","customType":"x","id":"${text}"}\n`);

interface When {
  readonly active: number;
  /** When it is archived, unless that is soon after. */
  readonly archived?: number;
}

/** Archives a session as it is. Times are in hours from now. */
async function archiveState(
  id: string,
  { active, archived = active + 0.1 }: When,
  from = world.path(id),
) {
  const files = await readSessionFiles(from, usualSidecars);
  const facts = { agent: 'pi', id, cwd: '/w', title: id, store: world.store };
  const lastActive = new Date(toTime(active)).toISOString();
  const { path } = await writeMember(archive, files, { ...facts, lastActive }, toTime(archived));
  await utimes(path, toTime(archived) / 1000, toTime(archived) / 1000);
}

async function listKept(...args: readonly string[]) {
  const { out } = await world.run(['--in-archive', 'archive', ...args, '--json']);
  const { results } = JSON.parse(out) as {
    results: { id: string; lastActive: string; action: string; reasons: string[] }[];
  };
  return results
    .filter(({ action }) => action === 'keep')
    .map((one) => ({ ...one, hours: (Date.parse(one.lastActive) - NOW) / HOUR }));
}

async function restoreText(...args: readonly string[]): Promise<string> {
  const to = ['--store', join(world.dir, 'other')];
  const { err } = await world.run(['--archive', 'archive', '--restore', ID, ...to, ...args]);
  const path = join(world.dir, 'other', 'proj', `${ID}.jsonl`);
  return readFile(path, 'utf8').catch(() => err);
}

it('takes a state to which a session has come back for the last one', async () => {
  const path = world.path(ID);
  const backUp = (hours: number) => {
    const argv = ['export', '--store', 'store', '--as', 'archive', '--out', archive];
    return runTest(argv, { cwd: world.dir, home: world.dir, now: () => toTime(hours) });
  };
  const time = toTime(-50) / 1000;
  await copyFile(path, `${path}.first`);
  await utimes(path, time, time);
  await backUp(-3);
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('Hello', 'Others'));
  await append(ID, 'second');
  await backUp(-2);
  await copyFile(`${path}.first`, path);
  await utimes(path, time, time);
  await backUp(-1);
  expect(await restoreText('--as-of', new Date(toTime(-2)).toISOString(), '--dry-run')).toContain(
    new Date(toTime(-2)).toISOString(),
  );
  await world.run(['--in-archive', 'archive', '--keep-states', '1', '--apply']);
  expect(await restoreText()).toBe(await readFile(`${path}.first`, 'utf8'));
});

it('restores a state as of a time before it was archived again', async () => {
  await archiveState(ID, { active: -9, archived: -8 });
  await archiveState(ID, { active: -9, archived: -1 });
  const text = await readFile(world.path(ID), 'utf8');
  expect(await restoreText('--as-of', new Date(toTime(-7)).toISOString())).toBe(text);
});

it('removes no state for one that was archived in the future, nor restores that instead', async () => {
  await archiveState(ID, { active: -9, archived: 999 });
  await append(ID, 'true');
  await archiveState(ID, { active: -5 });
  await append(ID, 'last');
  await archiveState(ID, { active: -3 });
  const kept = await listKept('--keep-states', '1');
  expect(kept.map(({ hours, reasons }) => `${hours}: ${reasons.join()}`).toSorted()).toEqual([
    '-3: last state',
    '-9: it was archived in the future',
  ]);
  expect(await restoreText()).toContain('"last"');
});

describe('where the index and the time of a file give the states another order', () => {
  const touch = async (hours: number): Promise<void> => {
    const lines = (await readFile(join(archive, 'index.ndjson'), 'utf8')).trimEnd().split('\n');
    const { member } = JSON.parse(lines.at(-1) ?? '') as { member: string };
    await utimes(join(archive, member), toTime(hours) / 1000, toTime(hours) / 1000);
  };

  it('removes neither of them for the other', async () => {
    await archiveState(ID, { active: -9, archived: -4 });
    await append(ID, 'last');
    await archiveState(ID, { active: -6, archived: -3 });
    // As a copy does that gives files the time of something else.
    await touch(-5);
    const kept = await listKept('--keep-states', '1');
    expect(kept.map(({ hours, reasons }) => `${hours}: ${reasons.join()}`).toSorted()).toEqual([
      '-6: its file is older than the archiving time in the index',
      '-9: last state',
    ]);
  });

  it('keeps the session, which may be younger than by the last of them', async () => {
    await archiveState(ID, { active: -9, archived: -4 });
    await append(ID, 'last');
    await archiveState(ID, { active: -6, archived: -3 });
    await touch(-5);
    await world.add('0199-bbb', 5);
    await archiveState('0199-bbb', { active: -8 });
    const kept = await listKept('--keep-last', '1');
    expect(new Set(kept.map(({ id }) => id))).toEqual(new Set([ID, '0199-bbb']));
  });

  it('removes older ones where all files are early, as by the clock of a server', async () => {
    await archiveState(ID, { active: -9, archived: -4 });
    await touch(-5);
    await append(ID, 'last');
    await archiveState(ID, { active: -6, archived: -3 });
    await touch(-4);
    const kept = await listKept('--keep-states', '1');
    expect(kept.map(({ hours }) => hours)).toEqual([-6]);
  });
});

it('goes by the last activity also once the index was made again', async () => {
  await archiveState(ID, { active: -9, archived: -1 });
  const index = join(archive, 'index.ndjson');
  const first = await readFile(index, 'utf8');
  await append(ID, 'last');
  await archiveState(ID, { active: -3 });
  // Members that somebody has copied from another archive.
  await writeFile(index, first);
  await world.run(['--archive', 'archive', '--rebuild-index']);
  const kept = await listKept('--keep-states', '1');
  expect(kept.map(({ hours }) => hours)).toEqual([-3]);
  expect(await restoreText()).toContain('"last"');
});

it('removes no state that was last active with the last one where the index is lost', async () => {
  await archiveState(ID, { active: -9, archived: -8 });
  await append(ID, 'second');
  await archiveState(ID, { active: -5, archived: -4 });
  await append(ID, 'last');
  await archiveState(ID, { active: -5, archived: -3 });
  const index = join(archive, 'index.ndjson');
  const lines = await readFile(index, 'utf8');
  expect(await listKept('--keep-states', '1')).toHaveLength(1);
  await rm(index);
  // A copy that does not keep times.
  for (const name of await readdir(archive)) {
    await utimes(join(archive, name), toTime(-1) / 1000, toTime(-1) / 1000);
  }
  const kept = await listKept('--keep-states', '1');
  expect(kept.map(({ hours }) => hours)).toEqual([-5, -5]);
  // An index that knows when one of them was archived says no more of their order.
  await writeFile(index, `${lines.trimEnd().split('\n').at(-1) ?? ''}\n`);
  await world.run(['--archive', 'archive', '--rebuild-index']);
  const still = await listKept('--keep-states', '1');
  expect(still.map(({ hours }) => hours)).toEqual([-5, -5]);
  await writeFile(index, lines);
  expect(await listKept('--keep-states', '1')).toHaveLength(1);
});

it('applies rules to a session by its last state, though an older one was active later', async () => {
  await archiveState(ID, { active: -2, archived: -1.5 });
  await append(ID, 'from a backup');
  await archiveState(ID, { active: -9, archived: -1 });
  await world.add('0199-bbb', 5);
  await archiveState('0199-bbb', { active: -5 });
  const kept = await listKept('--keep-last', '1');
  expect(kept.map(({ id }) => id)).toEqual(['0199-bbb']);
});

it('gives a session with a state of the future no place among the last', async () => {
  await archiveState(ID, { active: 99, archived: -1 });
  await world.add('0199-bbb', 5);
  await archiveState('0199-bbb', { active: -5 });
  await world.add('0199-ccc', 5);
  await archiveState('0199-ccc', { active: -9 });
  const kept = await listKept('--keep-last', '1');
  expect(kept.map(({ id }) => id).toSorted()).toEqual([ID, '0199-bbb']);
});

it('gives a copy of a member under another name no place among the last', async () => {
  await archiveState(ID, { active: -9 });
  await append(ID, 'last');
  await archiveState(ID, { active: -5 });
  await append(ID, 'more');
  await archiveState(ID, { active: -3 });
  const index = await readFile(join(archive, 'index.ndjson'), 'utf8');
  const last = (JSON.parse(index.trimEnd().split('\n').at(-1) ?? '') as { member: string }).member;
  const copy = join(archive, last.replace('.tar.gz', '.conflict.tar.gz'));
  await copyFile(join(archive, last), copy);
  await utimes(copy, toTime(-2) / 1000, toTime(-2) / 1000);
  const kept = await listKept('--keep-states', '2');
  expect(kept.map(({ hours, reasons }) => `${hours}: ${reasons.join()}`).toSorted()).toEqual([
    '-3: has the name of another state',
    '-3: last 2 states',
    '-5: last 2 states',
  ]);
});

it('goes by the index beside a copy of a member under another name', async () => {
  await archiveState(ID, { active: -3 });
  const longer = (await readdir(archive)).find((one) => one.endsWith('.gz')) ?? '';
  await append(ID, 'last');
  await archiveState(ID, { active: -5, archived: -1 });
  const copy = join(archive, longer.replace('.tar.gz', '.conflict.tar.gz'));
  await copyFile(join(archive, longer), copy);
  await utimes(copy, toTime(-0.5) / 1000, toTime(-0.5) / 1000);
  const kept = await listKept('--keep-states', '1');
  expect(kept.map(({ hours }) => hours)).toEqual([-5]);
  expect(await restoreText()).toContain('last');
});

/** Archives a state of a session whose id is the name that somebody has given its file. */
async function archiveLines(active: number, ...uuids: readonly string[]): Promise<void> {
  const lines = uuids.map((uuid) => `{"type":"user","uuid":"${uuid}"}\n`);
  await writeFile(join(world.store, 'proj', 'work.jsonl'), lines.join(''));
  await archiveState('work', { active });
}

it('names the sessions of one name that are not restored, of those that were archived by then', async () => {
  await archiveLines(-9, 'a1');
  await archiveLines(-8, 'a1', 'a2');
  await archiveLines(-7, 'b1');
  await archiveLines(-6, 'c1');
  const to = ['--store', join(world.dir, 'other'), '--dry-run'];
  const restore = (...asOf: readonly string[]) =>
    world.run(['--archive', 'archive', '--restore', 'all', ...to, ...asOf]);
  const toAsOf = (hours: number) => ['--as-of', new Date(toTime(hours)).toISOString()];
  const listOmitted = async (...asOf: readonly string[]) =>
    [...(await restore(...asOf)).err.matchAll(/another session has its name and path/g)].length;
  expect(await listOmitted()).toBe(2);
  expect(await listOmitted(...toAsOf(-6.5))).toBe(1);
  expect(await listOmitted(...toAsOf(-7.5))).toBe(0);
  expect((await restore(...toAsOf(-7.5))).exitCode).toBe(0);
  expect((await restore()).exitCode).toBe(3);
});

it('keeps the last states of each of the sessions whose files had one name', async () => {
  await archiveLines(-9, 'a1');
  await archiveLines(-8, 'a1', 'a2');
  await archiveLines(-7, 'b1');
  await archiveLines(-6, 'b1', 'b2');
  await archiveLines(-5, 'a1', 'a2', 'a3');
  const toHours = async (count: string) =>
    (await listKept('--keep-states', count)).map(({ hours }) => hours);
  expect(new Set(await toHours('2'))).toEqual(new Set([-5, -6, -7, -8]));
  expect(new Set(await toHours('1'))).toEqual(new Set([-5, -6]));
});

it('removes a state that an archive has under the names of two kinds', async () => {
  await archiveState(ID, { active: -9 });
  const member = (await readdir(archive)).find((one) => one.startsWith('s_')) ?? '';
  const copied = join(archive, member.replace('s_', 'b_'));
  await copyFile(join(archive, member), copied);
  await utimes(copied, toTime(-10) / 1000, toTime(-10) / 1000);
  await append(ID, 'last');
  await archiveState(ID, { active: -3 });
  await world.run(['--in-archive', 'archive', '--keep-states', '1', '--apply']);
  expect((await readdir(archive)).filter((one) => one.endsWith('.gz'))).toHaveLength(1);
});

it('counts a session that was at two paths once among the last', async () => {
  const id = '0199c0de-0000-7000-8000-00000000abcd';
  await world.add(id, 5);
  await archiveState(id, { active: -3 });
  const moved = join(world.store, 'moved', `${id}.jsonl`);
  await mkdir(dirname(moved));
  await copyFile(world.path(id), moved);
  await archiveState(id, { active: -4 }, moved);
  for (const [at, other] of ['0199-bbb', '0199-ccc'].entries()) {
    await world.add(other, 5);
    await archiveState(other, { active: -5 - at });
  }
  const kept = await listKept('--keep-last', '2');
  expect(kept.map((one) => one.id).toSorted()).toEqual(['0199-bbb', id, id].toSorted());
});
