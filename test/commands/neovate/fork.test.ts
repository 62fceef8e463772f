import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import {
  findNextParent,
  loadConfig,
  loadNeovate,
} from '../../session/agents/neovate/neovate-loader.ts';
import { getRecorded, OPENED } from '../../session/agents/neovate/recorded.ts';
import { writeFiles } from '../../temp-dir.ts';
import { makeHome, type NeovateHome, PROJECT } from './world.ts';

let world: NeovateHome;

beforeEach(async () => {
  world = await makeHome({ withPi: true });
});

interface Made {
  readonly path: string;
  readonly id: string;
  readonly leafId: string | null;
  readonly text?: string;
}

async function fork(...args: string[]): Promise<readonly Made[]> {
  const { exitCode, out, err } = await world.run('fork', ...args, '--json');
  if (exitCode !== 0) throw new Error(err);
  return (JSON.parse(out) as { results: readonly Made[] }).results;
}

async function forkOne(...args: string[]): Promise<Made & { readonly content: string }> {
  const [made, ...others] = await fork(...args);
  if (!made || others.length > 0) throw new Error('one fork was expected');
  return { ...made, content: await readFile(made.path, 'utf8') };
}

const uuids = (text: string): readonly string[] => loadNeovate(text).map(({ uuid }) => uuid);
/** The messages without what tells a fork from its source. */
const said = (text: string): readonly unknown[] =>
  loadNeovate(text).map(({ role, content }) => [role, content]);

describe('fork of a Neovate session', () => {
  it.each(OPENED.filter((one) => one.uuids.length > 0))(
    'loads the path of its source: $name',
    async ({ path, text }) => {
      const { content, leafId } = await forkOne(path, '--out', 'forks');
      expect(said(content)).toEqual(said(text));
      expect(findNextParent(content)).toBe(leafId);
      expect(loadConfig(content)).toEqual(loadConfig(text));
    },
  );

  it.each(OPENED.filter((one) => one.uuids.length > 0))(
    'holds all there is when it is whole: $name',
    async ({ path, text }) => {
      const { content } = await forkOne(path, '--out', 'forks', '--whole');
      expect(said(content)).toEqual(said(text));
      const count = (from: string): number => from.match(/"type":"message"/g)?.length ?? 0;
      expect(count(content)).toBe(count(text));
    },
  );

  it('is beside its source, for its owner only, and names it on every line', async () => {
    const { path, id, content } = await forkOne('f05de3d5');
    expect(dirname(path)).toBe(join(world.home, PROJECT));
    expect(basename(path)).toBe(`${id}.jsonl`);
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    for (const message of loadNeovate(content)) {
      expect(message).toMatchObject({
        sessionId: id,
        forkedFrom: { sessionId: 'f05de3d5', messageUuid: message.uuid },
      });
    }
    const [row] = await world.results('list', path);
    const parentSessionPath = join(world.home, PROJECT, 'f05de3d5.jsonl');
    expect(row).toMatchObject({ parentSessionPath, name: 'Sorting helper (branch)' });
  });

  it('has no findings of its own', async () => {
    const { path } = await forkOne('f05de3d5', '--whole');
    const validation = await validateSession(path, { levels: new Map() });
    expect(validation?.findings).toEqual([]);
  });

  it('ends with a message, after which every release finds its place', async () => {
    const { path, text } = getRecorded('newer-snapshot-title');
    await writeFiles(world.home, {
      'x/abc.jsonl': `${text}{"type":"custom-title","customTitle":"Z"}\n`,
    });
    for (const [index, file] of [path, 'x/abc.jsonl'].entries()) {
      for (const how of [['--whole'], []]) {
        const out = `forks${index}${how.length}`;
        const { content } = await forkOne(file, '--out', out, ...how);
        const last: unknown = JSON.parse(content.trimEnd().split('\n').at(-1) ?? '');
        expect(last).toMatchObject({ type: 'message' });
      }
    }
    const [row] = await world.results('list', (await forkOne('x/abc.jsonl', '--whole')).path);
    expect(row).toMatchObject({ name: 'Z (branch)' });
  });

  it('is at any message, or before one, whose text comes back', async () => {
    const at = await forkOne('f05de3d5', '--at', '57ea4c5b');
    expect(uuids(at.content).at(-1)).toMatch(/^57ea4c5b/);
    const before = await forkOne('f05de3d5', '--before', '712f88b2', '--out', 'o');
    expect(before.text).toBe('Make it generic');
    expect(uuids(before.content)).toEqual(uuids(at.content));
  });

  it('is empty before the first message, where Neovate itself cannot fork', async () => {
    const { content, leafId, text } = await forkOne('f05de3d5', '--before', '318ede0e');
    expect([loadNeovate(content), leafId, text]).toEqual([[], null, 'Write a sort function']);
    expect(loadConfig(content)).toMatchObject({ approvalMode: 'default' });
  });

  it('begins at a summary where the path does', async () => {
    const { content } = await forkOne('cec9cd23');
    expect(uuids(content)).toHaveLength(3);
    expect(content).not.toContain('Question one');
  });

  it('refuses an end behind which the file repeats a message before it', async () => {
    const { path } = getRecorded('broken-duplicate-uuid');
    const { exitCode, err } = await world.run('fork', path, '--at', '039af51d', '--out', 'o');
    expect(exitCode).toBe(2);
    expect(err).toMatch(/line \d+ repeats the uuid of a message before 039af51d/);
  });

  it('makes a session of each branch, but for results that a cancelled turn left', async () => {
    const branches = await fork('f05de3d5', '--each-leaf');
    expect(branches.map(({ leafId }) => leafId?.slice(0, 8))).toEqual(['039af51d', 'b853a534']);
    const cancelled = await fork(getRecorded('cancelled-tools').path, '--each-leaf', '--out', 'o');
    expect(cancelled).toHaveLength(1);
  });

  it('goes to the directory of another project', async () => {
    const { path } = await forkOne('f05de3d5', '--cwd', '/srv/Other Project');
    expect(dirname(path)).toBe(join(world.home, '.neovate/projects/srv-other-project'));
  });

  it('takes an id and a title', async () => {
    const { id, content } = await forkOne('f05de3d5', '--id', 'mine', '--name', 'A\nB');
    expect(id).toBe('mine');
    expect(content).toContain('{"type":"custom-title","customTitle":"A B","sessionId":"mine"}');
  });

  it('is of both agents in one go', async () => {
    const made = await fork('f05de3d5', 'pi-one', '--dry-run');
    expect(made.map(({ path }) => path.includes('/.pi/'))).toContain(true);
    expect(made.map(({ path }) => path.includes('/.neovate/'))).toContain(true);
  });

  it('lists the messages that it can be made before', async () => {
    const points = await world.results('fork', 'f05de3d5', '--points');
    expect(points.map(({ text }) => text)).toEqual([
      'Write a sort function',
      'Use bubble sort instead',
      'Make it generic',
      'Use merge sort instead',
    ]);
  });

  it.each([
    [['f05de3d5', '--at', 'ffffffff'], 'has no entry'],
    [['f05de3d5', '--before', 'e40985c8'], 'is not a user message'],
    [['f05de3d5', '--id', 'a/b'], '--id a/b'],
    [['f05de3d5', '--id', 'x.jsonl'], '--id x.jsonl'],
    [['f05de3d5', '--id', 'cec9cd23'], 'exists'],
    [['f05de3d5', '--id', 'cec9cd23', '--dry-run'], 'exists'],
    [['d764940e'], 'has no messages'],
    [['f05de3d5', '--at', 'e40985c8', '--summarize'], 'no place for a summary'],
    [[getRecorded('broken-self-parent').path, '--out', 'o'], 'is a cycle'],
  ])('refuses %j', async (args, message) => {
    const { exitCode, err } = await world.run('fork', ...args);
    expect(exitCode).not.toBe(0);
    expect(err).toContain(message);
  });
});
