import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fork, forkSession } from '../../src/session/fork/fork-session.ts';
import type { ForkStart } from '../../src/session/dialect/forking.ts';
import { readContext } from '../../src/session/read/read-context.ts';
import { readSession } from '../../src/session/read/read-session.ts';
import { validateSession } from '../../src/session/validate/validate-session.ts';
import { extractive } from '../../src/summarize/extractive/extractive.ts';
import { branchedSession } from '../branched-session.ts';
import { createIds, NOW } from '../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { type Fork as TheirFork, Reference } from './reference.ts';
import { findSessionFiles } from './session-files.ts';

/** Of longer sessions so many entries, evenly spread. */
const MOST_ENTRIES = 150;

let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(() => reference.close());

/** As JSON: what is undefined on either side is not there. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

const world = { now: () => NOW, createId: createIds(), cwd: '/nowhere' };

async function forkOurs(path: string, start: ForkStart, directory: string): Promise<Fork> {
  const [fork] = await forkSession(path, { start, directory }, { world });
  if (!fork) throw new Error('no fork was made');
  return fork;
}

/** The entries of a file as they must be in both: new ids and the header's own facts are chance. */
function toComparable(text: string): unknown {
  const lines = text.trimEnd().split('\n');
  const [header, ...entries] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const ordinals = new Map(entries.map(({ id }, ordinal) => [id, ordinal]));
  const keys = ['id', 'parentId', 'targetId', 'firstKeptEntryId', 'fromId'];
  const named = entries.map((entry) => {
    const places = keys
      .filter((key) => ordinals.has(entry[key]))
      .map((key): [string, unknown] => [key, ordinals.get(entry[key])]);
    return { ...entry, ...Object.fromEntries(places) };
  });
  return [Object.keys(header ?? {}).toSorted(), header?.['version'], header?.['cwd'], named];
}

async function expectSame(fork: Fork, theirs: TheirFork, name: string): Promise<void> {
  expect(toJson(await readContext(fork.path)), `${name}: context`).toEqual(toJson(theirs.context));
  const ours = await readFile(fork.path, 'utf8');
  expect(toComparable(ours), `${name}: entries`).toEqual(toComparable(theirs.text));
  const opened = await reference.ask({ ask: 'session', path: fork.path });
  expect(opened.context, `${name}: opened in pi`).toEqual(theirs.context);
  expect(opened).toMatchObject({ entryCount: fork.entries, leafId: fork.leafId });
}

/** What a fork in the midst of a turn has, whoever makes it. */
const IN_A_TURN = 'tool-call-open';

/** What is wrong with a fork must have been wrong with its source. */
async function expectNoNewFinding(fork: Fork): Promise<void> {
  const [before, after] = await Promise.all(
    [fork.source, fork.path].map((path) => validateSession(path, { levels: new Map() })),
  );
  const known = new Set([IN_A_TURN, ...(before?.findings ?? []).map(({ rule }) => rule)]);
  const found = after?.findings.filter(({ level, rule }) => level !== 'info' && !known.has(rule));
  expect(found, `${fork.source} → ${fork.path}`).toEqual([]);
}

describe('a fork at any entry is the one that pi would make', () => {
  it.each(findSessionFiles().map((path) => [basename(path), path]))('%s', async (_name, path) => {
    const { session } = await readSession(path);
    const directory = await makeTempDir();
    const step = Math.ceil(session.entries.length / MOST_ENTRIES);
    let compared = 0;
    for (const [ordinal, { id }] of session.entries.entries()) {
      if (id === undefined || (ordinal % step !== 0 && ordinal < session.entries.length - 1))
        continue;
      const theirs = await reference.ask({ ask: 'fork', path, entryOrdinal: ordinal });
      const fork = await forkOurs(path, { kind: 'at', entry: id }, directory);
      await expectSame(fork, theirs, `at ${ordinal}`);
      await expectNoNewFinding(fork);
      compared += 1;
    }
    const withIds = session.entries.filter(({ id }) => id !== undefined);
    expect(compared > 0).toBe(withIds.length > 0);
  });
});

describe('a fork of the whole is the one that pi would make', () => {
  it.each(findSessionFiles().map((path) => [basename(path), path]))('%s', async (_name, path) => {
    const { session } = await readSession(path);
    const fork = await forkOurs(path, { kind: 'whole' }, await makeTempDir());
    await expectNoNewFinding(fork);
    const ours = toJson(await readContext(fork.path));
    // pi copies old entries under a new header, unmigrated: its own migration is the measure then.
    const theirs =
      session.formatVersion < 3
        ? (await reference.ask({ ask: 'session', path })).context
        : (await reference.ask({ ask: 'forkWhole', path, cwd: '/elsewhere' })).context;
    expect(ours).toEqual(toJson(theirs));
    const opened = await reference.ask({ ask: 'session', path: fork.path });
    expect(opened.context).toEqual(theirs);
    expect(opened.entryCount).toBe(session.entries.length);
  });
});

it('finds the forked sessions where pi would put them', async () => {
  const path = findSessionFiles().find((name) => name.includes('0.87.1-compactions')) ?? '';
  const directory = await makeTempDir();
  const fork = await forkOurs(path, { kind: 'leaf' }, directory);
  const listed = await reference.ask({ ask: 'list', dir: directory });
  expect(listed).toMatchObject([{ path: fork.path, id: fork.id, parentSessionPath: path }]);
  expect(basename(fork.path)).toBe(`2127-01-15T12-00-00-000Z_${fork.id}.jsonl`);
  expect(join(directory, basename(fork.path))).toBe(fork.path);
});

it('ends a fork with a summary that pi sees', async () => {
  const path = join(await makeTempDir(), 's.jsonl');
  await writeFiles(dirname(path), { 's.jsonl': branchedSession() });
  const request = {
    start: { kind: 'at', entry: 'start' },
    directory: await makeTempDir(),
  } as const;
  const [fork] = await forkSession(path, request, { world, summarize: { summarizer: extractive } });
  const opened = await reference.ask({ ask: 'session', path: fork?.path ?? '' });
  expect(opened).toMatchObject({ leafId: fork?.leafId, entryCount: fork?.entries });
  const { summary } = fork?.left ?? {};
  expect(opened.context.messages.at(-1)).toMatchObject({ role: 'branchSummary', summary });
  expect(toJson(await readContext(fork?.path ?? ''))).toEqual(toJson(opened.context));
});
