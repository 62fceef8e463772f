import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../src/session/agents/index.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { getPromptsPath } from '../../../src/session/dialect/surroundings/history.ts';
import type { Agent } from '../../../src/session/model/agent.ts';
import { createRestorer } from '../../../src/store/archive/member/restore-member.ts';
import { openArchive, writeMember } from '../../../src/store/archive/member/write-member.ts';
import { PromptRestorer } from '../../../src/store/prune/prompts/restore-prompts.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const OWN = 'aaaaaaaa-1111-4111-8111-111111111111';
const OTHER = 'bbbbbbbb-2222-4222-8222-222222222222';
const TERMS = { now: 0, world: { env: {}, home: '/nobody', cwd: '/nobody' } };

const line = (sessionId: string, slug: string): string => {
  const facts = { sessionId, slug, cwd: '/w', timestamp: '2026-01-03T10:00:00.000Z' };
  const message = { role: 'user', content: 'hello' };
  return `${JSON.stringify({ parentUuid: null, isSidechain: false, ...facts, type: 'user', message, uuid: sessionId })}\n`;
};
const array = (id: string): string =>
  `[{"type":"session","id":"${id}","timestamp":"2026-01-03T10:00:00.000Z","cwd":"/w"}]`;

interface Case {
  readonly agent?: Agent;
  /** The session file. */
  readonly own: string;
  /** The files of an archive, by their names. */
  readonly held: Readonly<Record<string, string | object[]>>;
  /** What is there when it is restored. */
  readonly there?: Readonly<Record<string, string | object[]>>;
}

const CLAUDE = `projects/-w/${OWN}.jsonl`;
const own = line(OWN, 'calm-cat');
const asAgent = (text: string): string => text.replace('"isSidechain":false', '"isSidechain":true');
const other = { [`projects/-w/${OTHER}.jsonl`]: line(OTHER, 'happy-otter') };
const folders = {
  agent: 'pi',
  own: 'x/a.json',
  held: { 'x/a.json': array(OWN), 'x/a/1.png': 'i' },
} as const;
const arrays = (id: string): Case => ({
  agent: 'pi',
  own: 'x/a.jsonl',
  held: { 'x/a.jsonl': sampleSession({ id: OWN }), 'x/a.json.bak': array(id) },
});

const REFUSED: readonly (readonly [string, Case])[] = [
  [
    'a plan that its lines do not name',
    { own: CLAUDE, held: { [CLAUDE]: own, 'plans/happy-otter.md': 'x' } },
  ],
  [
    'a sub-agent that names another session',
    {
      own: CLAUDE,
      held: {
        [CLAUDE]: own,
        'projects/-w/agent-0123abcd.jsonl': asAgent(line(OTHER, 'happy-otter')),
      },
      there: other,
    },
  ],
  [
    'another file of the session that is named like a sub-agent',
    {
      own: CLAUDE,
      held: { [CLAUDE]: own, 'projects/-w/agent-0123abcd.jsonl': own },
      there: other,
    },
  ],
  [
    'files of a session that is there in another project',
    {
      own: CLAUDE,
      held: { [CLAUDE]: own, [`tasks/${OWN}/1.json`]: '{}' },
      there: { [`projects/-v/${OWN}.jsonl`]: own },
    },
  ],
  [
    'the folder of another session',
    { ...folders, there: { 'x/a.jsonl': sampleSession({ id: OTHER }) } },
  ],
  ['the array that another session was migrated from', arrays(OTHER)],
  [
    'a file for a directory of the person',
    {
      agent: 'pi',
      own: 'x/work.jsonl',
      held: { 'x/work.jsonl': sampleSession({ id: OWN }), 'x/work/Makefile': 'all:' },
      there: { 'x/work/main.c': 'int main' },
    },
  ],
];

const TAKEN: readonly (readonly [string, Case])[] = [
  [
    'sub-agents, plans and folders of its own',
    {
      own: CLAUDE,
      held: {
        [CLAUDE]: own,
        'plans/calm-cat.md': 'x',
        'projects/-w/agent-0123abcd.jsonl': asAgent(own),
        [`tasks/${OWN}/1.json`]: '{}',
      },
      there: other,
    },
  ],
  ['its own folder', folders],
  ['the array that it was migrated from', arrays(OWN)],
];

/** Makes an archive as somebody else's program may, and a function that restores it. */
async function forge({ agent = 'claude-code', own: path, held, there = {} }: Case) {
  const home = await makeTempDir();
  const [root, archive] = [join(home, 'home'), join(home, 'archive')];
  await writeFiles(root, held);
  const isNested = agent === 'claude-code';
  const names = Object.keys(held).filter((name) => name !== path);
  const forged = {
    ...usualSidecars,
    findRoot: () => (isNested ? root : join(root, 'x')),
    list: () =>
      names.map((name) => ({ name: isNested ? name : name.slice(2), kind: 'file' }) as const),
  };
  const files = await readSessionFiles(join(root, path), forged);
  await openArchive(archive, 0);
  const store = join(root, isNested ? 'projects' : 'x');
  const lastActive = '2026-01-03T10:00:00.000Z';
  const facts = { agent, id: OTHER, cwd: '/w', title: '', lastActive, store };
  const { path: member } = await writeMember(archive, files, facts, 0);
  await rm(root, { recursive: true });
  await writeFiles(root, { ...there, 'projects/-w/.keep': 'x', 'x/.keep': 'x' });
  const list = async () =>
    (await readdir(root, { recursive: true, withFileTypes: true })).filter((one) => one.isFile())
      .length;
  return { root, list, restore: () => createRestorer({ ownStores: [store] }, 0)(member) };
}

describe('an archive of somebody else', () => {
  it.each(REFUSED)('is refused with %s', async (_what, one) => {
    const { list, restore } = await forge(one);
    const before = await list();
    await expect(restore()).rejects.toThrow('is not, or not only, of its session');
    expect(await list()).toBe(before);
  });

  it('is restored without a plan that another session names, too', async () => {
    const held = { [CLAUDE]: line(OWN, 'happy-otter'), 'plans/happy-otter.md': 'x' };
    const { root, restore } = await forge({ own: CLAUDE, held, there: other });
    const { omittedFiles, ...restored } = await restore();
    expect(restored).toMatchObject({ changed: true });
    const path = join(root, 'plans/happy-otter.md');
    expect(omittedFiles).toMatchObject([
      { path, message: 'not restored: another session may name it' },
    ]);
    expect(await readdir(join(root, 'plans'))).toEqual([]);
    expect((await restore()).changed).toBe(false);
  });

  it.each(TAKEN)('is restored with %s', async (_what, one) => {
    const { list, restore } = await forge(one);
    const before = await list();
    expect(await restore()).toMatchObject({ changed: true });
    expect(await list()).toBe(before + Object.keys(one.held).length);
  });
});

describe('prompts that come with a session', () => {
  const prompt = (sessionId: string): string => `${JSON.stringify({ display: 'p', sessionId })}\n`;

  async function makeHome(there: Readonly<Record<string, string | object[]>>, more = '') {
    const root = await makeTempDir();
    await writeFiles(root, { ...there, [CLAUDE]: own });
    const path = join(root, CLAUDE);
    await writeFile(getPromptsPath(path), prompt(OWN) + more);
    return { path, list: getDialect('claude-code').history?.findFile(path) ?? '' };
  }

  it('are added if they are of the id of its file, whatever an archive says', async () => {
    const { path, list } = await makeHome({ 'history.jsonl': '' }, prompt(OTHER));
    const owner = { agent: 'claude-code', path, id: OTHER };
    const outcomes = await new PromptRestorer([], TERMS).restore([owner]);
    expect(outcomes.get(owner)).toMatchObject({
      message: expect.stringContaining('is kept: 1 line'),
    });
    expect(await readFile(list, 'utf8')).toBe(prompt(OWN));
  });

  it('are not added if another file has that id, but for one that came with it', async () => {
    const second = `projects/-v/${OWN}.jsonl`;
    const { path } = await makeHome({ 'history.jsonl': '', [second]: own });
    const owner = { agent: 'claude-code', path, id: OWN };
    const refused = await new PromptRestorer([], TERMS).restore([owner]);
    expect(refused.get(owner)).toMatchObject({
      message: expect.stringContaining('another file has its id'),
    });
    const others = [{ ...owner, path: join(dirname(dirname(path)), '-v', basename(path)) }];
    expect((await new PromptRestorer(others, TERMS).restore([owner])).get(owner)).toBe(1);
  });
});
