import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { getRecorded, placeIn, RECORDED } from '../../session/agents/codex/corpus.ts';
import { runTest } from '../../memory-terminal.ts';
import { Codex, type Thread } from './client.ts';
import { keepRecorded, readStore } from './sent.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

interface Fork {
  readonly path: string;
  readonly id: string;
  readonly problem?: unknown;
}

async function fork(home: string, argv: readonly string[]): Promise<readonly Fork[]> {
  const { out } = await runTest(['fork', '--json', ...argv], { home, cwd: home });
  return (JSON.parse(out) as { readonly results: readonly Fork[] }).results;
}

/** All files of a home but one, by their bytes. */
function readOthers(home: string, but: readonly string[]): ReadonlyMap<string, string> {
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('rollout-') && !but.includes(join(home, file)))
    .toSorted();
  return new Map(files.map((file) => [file, readFileSync(join(home, file), 'latin1')]));
}

/** What a thread shows: what was typed, said and run, turn by turn. */
function toShown({ turns }: Thread) {
  return turns.map(({ items, status }) => ({
    status,
    items: items.map(({ id: _, ...item }) => item),
  }));
}

/** Not opened alone by the client, whatever file it is in. */
const TEAM = 'subagent-v2-parent';
const OPENED = RECORDED.filter(({ name, input }) => input !== undefined && name !== TEAM);
/** Of these the client shows more of a fork than of the source: it could not place some lines there. */
const HEALED = /^broken-paginated|^made-rollback|^reverted-second/;

interface Answers {
  readonly warmed?: readonly string[];
  readonly resume: { readonly id?: string };
}

describe.concurrent('the client lists, opens, shows and goes on with a fork', () => {
  it.each(OPENED.map((recorded) => [recorded.name, recorded] as const))(
    '%s',
    async (name, recorded) => {
      const home = client.makeHome();
      const path = await placeIn(home, recorded);
      const before = readOthers(home, []);
      const [made] = await fork(home, [path]);
      expect(made?.problem).toBeUndefined();
      const { id = '', path: file = '' } = made ?? {};
      expect(readOthers(home, [file])).toEqual(before);
      const text = readStore(home);
      const { messages } = await readContext(path);
      expect((await readContext(file)).messages).toEqual(messages);
      const server = await client.start(home);
      expect((await server.list()).map((one) => one.id)).toContain(id);
      const { warmed = [], resume } = recorded as unknown as Answers;
      for (const parent of warmed) await server.resume({ threadId: parent });
      const thread = await server.resume({ threadId: id });
      const asked = { threadId: resume.id ?? '', path };
      const source = HEALED.test(name) ? thread : await server.resume(asked);
      expect(toShown(thread)).toEqual(toShown(source));
      expect(keepRecorded(await server.probe(id), text)).toEqual(messages);
      expect((await server.turn(id, 'Go on')).status).toBe('completed');
      const read = { threadId: id, includeTurns: true };
      const again = await server.call<{ thread: Thread }>('thread/read', read);
      expect(again.thread.turns).toHaveLength(thread.turns.length + 2);
      await server.stop();
    },
  );
});

/** Items without ids: in its forks of older threads, the client gives them new ones. */
function toSaid(items: readonly JsonObject[]): readonly JsonObject[] {
  return items.map(({ id: _, ...item }) => item);
}

const CUT = [
  'fork-parent',
  'fork-of-fork',
  'reverted-second-generation',
  'compacted-manual',
  'era-0.130',
  'era-0.130-fork',
  'legacy-linear',
] as const;

describe.concurrent('a fork at a turn sends what the client sends that forks there', () => {
  it.each(CUT)('%s', async (name) => {
    const home = client.makeHome();
    const recorded = getRecorded(name);
    const path = await placeIn(home, recorded);
    const { warmed = [], resume } = recorded as unknown as Answers;
    const threadId = resume.id ?? '';
    const first = await client.start(home);
    for (const parent of warmed) await first.resume({ threadId: parent });
    const { turns } = await first.resume({ threadId });
    await first.stop();
    const ours = new Map<string, string>();
    for (const [at, { id }] of turns.entries()) {
      const own = `01900000-0000-7000-8000-00000000000${at}`;
      const [made] = await fork(home, [path, '--at', id, '--id', own]);
      expect(made).toMatchObject({ id: own });
      ours.set(id, own);
    }
    const server = await client.start(home);
    for (const [lastTurnId, id] of ours) {
      const theirs = await server.call<{ thread: Thread }>('thread/fork', { threadId, lastTurnId });
      const thread = await server.resume({ threadId: id });
      expect(toShown(thread)).toEqual(toShown(theirs.thread));
      const text = readStore(home);
      const sent = toSaid(keepRecorded(await server.probe(theirs.thread.id), text));
      expect(toSaid(keepRecorded(await server.probe(id), text))).toEqual(sent);
    }
    await server.stop();
  });
});

describe.concurrent('of a fork, the client knows', () => {
  it('where it works, and how it is called', async () => {
    const home = client.makeHome();
    const path = await placeIn(home, getRecorded('legacy-linear'));
    const [made] = await fork(home, [path, '--cwd', home, '--name', 'Second  try']);
    const id = made?.id ?? '';
    const server = await client.start(home);
    const listed = (await server.list()).find((one) => one.id === id);
    expect(listed).toMatchObject({ name: 'Second  try', cwd: home });
    expect(await server.resume({ threadId: id })).toMatchObject({ name: 'Second  try', cwd: home });
    await server.stop();
  });

  it('how it is called, since 0.148 by its database', async () => {
    const home = client.makeHome();
    const path = await placeIn(home, getRecorded('linear-tools'));
    await (await client.start(home)).stop();
    const [made] = await fork(home, [path, '--name', 'Second  try']);
    const threadId = made?.id ?? '';
    const server = await client.start(home);
    const listed = (await server.list()).find((one) => one.id === threadId);
    expect(listed).toMatchObject({ name: 'Second  try', preview: 'List the files' });
    expect(await server.resume({ threadId })).toMatchObject({ name: 'Second  try' });
    await server.turn(threadId, 'Go on');
    await server.stop();
  });

  it.each(['linear-tools', 'model-and-cwd-switch'])('where it works: %s', async (name) => {
    const home = client.makeHome();
    const path = await placeIn(home, getRecorded(name));
    const [made] = await fork(home, [path, '--cwd', home]);
    const server = await client.start(home);
    expect(await server.resume({ threadId: made?.id ?? '' })).toMatchObject({ cwd: home });
    await server.stop();
  });
});
