import { cp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { getDialect } from '../../../src/session/agents/index.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { getPromptsPath } from '../../../src/session/dialect/surroundings/history.ts';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import { fileExists } from '../../../src/session/jsonl/read/read-lines.ts';
import { PromptRestorer } from '../../../src/store/prune/prompts/restore-prompts.ts';
import { PromptHistory } from '../../../src/store/prune/prompts/prompt-history.ts';
import { removeSession } from '../../../src/store/remove/remove-session.ts';
import type { RemovalTarget } from '../../../src/store/remove/remove-whole.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/claude-code/home/.claude');
const NOW = Date.parse('2026-11-21T12:00:00Z');
const TERMS = { now: NOW, world: { env: {}, home: '/nobody', cwd: '/nobody' } };
const ID = '9ea00f87-f67b-45df-9923-ae7bf95e99d0';

it.each([
  ['none', undefined],
  ['those that waited there', `{"display":"old","timestamp":1,"sessionId":"${ID}"}\n`],
])('leaves beside a session that could not be removed %s', async (_, waiting) => {
  const config = join(await makeTempDir(), '.claude');
  await cp(FIXTURE, config, { recursive: true });
  await rm(join(config, 'sessions'), { recursive: true });
  const path = join(config, `projects/-home-u-demo-project/${ID}.jsonl`);
  const owner = { agent: 'claude-code' as const, id: ID, path };
  const files = await readSessionFiles(path, getDialect('claude-code').sidecars ?? usualSidecars);
  const history = await PromptHistory.read([owner], [], [], TERMS);
  const prompts = getPromptsPath(path);
  if (waiting !== undefined) await writeFile(prompts, waiting);
  const read = () => readFile(prompts, 'utf8').catch(() => undefined);
  const seen: (string | undefined)[] = [];
  const fail = async (): Promise<never> => {
    seen.push(await read());
    throw new FileError(path, 'EIO', 'cannot remove');
  };
  const leaving = { candidate: owner, files } as unknown as RemovalTarget;
  await expect(history.removeWith(leaving, fail)).rejects.toThrow('cannot remove');
  const lines = (await readFile(join(config, 'history.jsonl'), 'utf8')).split('\n');
  const own = lines.filter((line) => line.includes(ID));
  expect(seen).toEqual([`${waiting ?? ''}${own.join('\n')}\n`]);
  expect(await read()).toBe(waiting);
});

/** A home of Claude Code, where it does not run, and the paths of its sessions. */
async function makeHome() {
  const config = join(await makeTempDir(), '.claude');
  await cp(FIXTURE, config, { recursive: true });
  await rm(join(config, 'sessions'), { recursive: true });
  const list = join(config, 'history.jsonl');
  const toOwner = (id: string) => ({
    agent: 'claude-code' as const,
    id,
    path: join(config, `projects/-home-u-demo-project/${id}.jsonl`),
  });
  const read = () => readFile(list, 'utf8');
  const count = async (id: string): Promise<number> => (await read()).split(id).length - 1;
  const [removed, there] = [toOwner(ID), toOwner('62070c02-3ff3-438d-8a64-9ef9f43b5b5b')];
  return { config, list, removed, there, read, count };
}

it.each(['file-history/ID/new@v1', 'projects/-home-u-demo-project/ID/subagents/agent-a1.jsonl'])(
  'keeps a session that got %s since the plan',
  async (place) => {
    const { config, removed, read } = await makeHome();
    const before = await read();
    const { sidecars = usualSidecars } = getDialect('claude-code');
    const files = await readSessionFiles(removed.path, sidecars);
    const history = await PromptHistory.read([removed], [], [], TERMS);
    const added = join(config, place.replace('ID', ID));
    await writeFiles(config, { [relative(config, added)]: 'new' });
    const leaving = { candidate: removed, files } as unknown as RemovalTarget;
    const remove = async (target: RemovalTarget) => ({
      removal: await removeSession(target.files),
    });
    expect(await history.removeWith(leaving, remove)).toEqual({ removal: 'changed' });
    expect(await Promise.all([removed.path, added].map(fileExists))).toEqual([true, true]);
    expect(await fileExists(getPromptsPath(removed.path))).toBe(false);
    expect(await history.removeLines([])).toEqual([]);
    expect(await read()).toBe(before);
  },
);

/** Notes of a run that is no longer there: no process has such an id. */
async function noteAsKilled(list: string, lines: readonly object[]): Promise<string> {
  const name = `.${basename(list)}.4194999@${getOwnPlace()}.0123456789ab.coppice-leaving`;
  const path = join(dirname(list), name);
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

/** What a run does that removes nothing itself. */
async function finishOthers(other: Parameters<typeof PromptHistory.read>[1][number]) {
  const history = await PromptHistory.read([], [other], [], TERMS);
  expect(await history.removeLines([])).toEqual([]);
}

it('takes out the lines that a run which was killed has left, and none of a session that is there', async () => {
  const { list, removed, there, read, count } = await makeHome();
  const [own, others] = [await count(ID), await count(there.id)];
  const note = await noteAsKilled(list, [
    { path: removed.path, id: ID, count: own },
    { path: there.path, id: there.id, count: others },
  ]);
  const before = await read();
  await finishOthers(there);
  // Its file is there, so nothing says that the other run removed it.
  expect(await read()).toBe(before);
  expect(await fileExists(note)).toBe(false);
  await noteAsKilled(list, [{ path: removed.path, id: ID, count: own }]);
  await rm(removed.path);
  await finishOthers(there);
  expect([await count(ID), await count(there.id)]).toEqual([0, others]);
  expect(await fileExists(note)).toBe(false);
});

it('leaves the lines of a session that is not the one whose file a note names', async () => {
  const { list, removed, there, read } = await makeHome();
  const before = await read();
  await noteAsKilled(list, [note({ path: removed.path, id: there.id }, 9)]);
  await rm(removed.path);
  await finishOthers(there);
  expect(await read()).toBe(before);
});

it('ends the run where the list cannot be looked up', async () => {
  const { list, removed } = await makeHome();
  await rm(list);
  expect((await PromptHistory.read([removed], [], [], TERMS)).count(removed)).toBe(0);
  await symlink(basename(list), list);
  const reading = PromptHistory.read([removed], [], [], TERMS);
  await expect(reading).rejects.toMatchObject({ path: list, code: 'ELOOP' });
});

it('leaves the lines of a session that stayed after all', async () => {
  const { list, removed, there, read } = await makeHome();
  const path = await noteAsKilled(list, [note(removed, 9), note(removed, 0)]);
  await rm(removed.path);
  const before = await read();
  await finishOthers(there);
  expect(await read()).toBe(before);
  expect(await fileExists(path)).toBe(false);
});

const note = ({ path, id }: { path: string; id: string }, count: number) => ({ path, id, count });

it('leaves lines that were not copied, and those of a session that was restored since', async () => {
  const { list, removed, there, count } = await makeHome();
  const before = await count(ID);
  expect(before).toBeGreaterThan(1);
  await noteAsKilled(list, [note(removed, 1)]);
  const session = await readFile(removed.path);
  await rm(removed.path);
  await finishOthers(there);
  expect(await count(ID)).toBe(before - 1);
  await noteAsKilled(list, [note(removed, 1)]);
  await writeFile(removed.path, session);
  await new PromptRestorer([removed], TERMS).restore([removed]);
  await rm(removed.path);
  await finishOthers(there);
  expect(await count(ID)).toBe(before - 1);
});

it('takes out what each of two runs has removed that work side by side', async () => {
  const { config, removed, there, count } = await makeHome();
  const begin = (owner: typeof removed) => PromptHistory.read([owner], [], [], TERMS);
  const remove = async (history: PromptHistory, owner: typeof removed): Promise<void> => {
    const files = await readSessionFiles(
      owner.path,
      getDialect('claude-code').sidecars ?? usualSidecars,
    );
    const leaving = { candidate: owner, files } as unknown as RemovalTarget;
    await history.removeWith(leaving, async () => {
      for (const path of [owner.path, getPromptsPath(owner.path)]) await rm(path);
      return { removal: 'removed' };
    });
  };
  const [first, second] = [await begin(removed), await begin(there)];
  await remove(first, removed);
  await remove(second, there);
  const problems = await Promise.all([first.removeLines([removed]), second.removeLines([there])]);
  expect(problems).toEqual([[], []]);
  expect([await count(ID), await count(there.id)]).toEqual([0, 0]);
  expect((await readdir(config)).filter((name) => name.includes('leaving'))).toEqual([]);
});

const toPrompt = (sessionId: string, timestamp: number) => JSON.stringify({ timestamp, sessionId });

it.each([
  ['the first line', [`\uFEFF${toPrompt(ID, 1)}`]],
  [
    'a line that would be the first once others are gone',
    [toPrompt(ID, 1), `\uFEFF${toPrompt(ID, 2)}`],
  ],
])('keeps a copy of %s behind a byte order mark, and puts it back', async (_, own) => {
  const { list, removed, read } = await makeHome();
  const toList = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
  const other = toPrompt('another', 3);
  const before = toList([...own, other]);
  await writeFile(list, before);
  const { sidecars = usualSidecars } = getDialect('claude-code');
  const files = await readSessionFiles(removed.path, sidecars);
  const history = await PromptHistory.read([removed], [], [], TERMS);
  const leaving = { candidate: removed, files } as unknown as RemovalTarget;
  const session = await readFile(removed.path);
  await history.removeWith(leaving, async () => {
    await rm(removed.path);
    return { removal: 'removed' };
  });
  expect(await history.removeLines([removed])).toEqual([]);
  expect(await read()).toBe(toList([other]));
  expect(await readFile(getPromptsPath(removed.path), 'utf8')).toBe(toList(own));
  await writeFile(removed.path, session);
  await new PromptRestorer([removed], TERMS).restore([removed]);
  expect(await read()).toBe(before);
});

it('removes what killed runs have left where it writes', async () => {
  const { config, list, removed } = await makeHome();
  const history = await PromptHistory.read([removed], [], [], TERMS);
  const left = [list, getPromptsPath(removed.path)].map((path) =>
    join(dirname(path), `.x.4194999@${getOwnPlace()}.0123456789ab.coppice-tmp`),
  );
  for (const path of left) await writeFile(path, '');
  const sidecars = getDialect('claude-code').sidecars ?? usualSidecars;
  const files = await readSessionFiles(removed.path, sidecars);
  const target = { candidate: removed, files } as unknown as RemovalTarget;
  await history.removeWith(target, () => Promise.resolve({ removal: 'open' }));
  await history.removeLines([]);
  expect((await readdir(config, { recursive: true })).join()).not.toContain('coppice-tmp');
});

it('puts the prompts of a restored session back into a list that they were the whole of', async () => {
  const { list, removed, read } = await makeHome();
  const line = `{"display":"p","timestamp":1,"sessionId":"${ID}"}\n`;
  await writeFile(getPromptsPath(removed.path), line);
  await writeFile(list, '');
  const added = await new PromptRestorer([removed], TERMS).restore([removed]);
  expect(added.get(removed)).toBe(1);
  expect(await read()).toBe(line);
});

it.each([
  ['cut off', '{"display":"torn, "sess'],
  ['of another session', '{"display":"p","timestamp":2,"sessionId":"0"}'],
])('keeps the file of prompts with a line in it that is %s', async (_, other) => {
  const { list, removed, read } = await makeHome();
  const own = `{"display":"p","timestamp":1,"sessionId":"${ID}"}\n`;
  const from = getPromptsPath(removed.path);
  await writeFile(from, own + other);
  await writeFile(list, '');
  const added = await new PromptRestorer([removed], TERMS).restore([removed]);
  expect(added.get(removed)).toMatchObject({
    path: from,
    message: 'its file of prompts is kept: 1 line in it is not a prompt of this session',
  });
  expect([await read(), await readFile(from, 'utf8')]).toEqual([own, own + other]);
});

it.each([1, 9 * 1024 * 1024])(
  'puts the prompts of two sessions back by their time, also in parts: %d characters each',
  async (size) => {
    const { list, removed, there, read } = await makeHome();
    const owners = [removed, there];
    const toLine = (sessionId: string, timestamp: number): string =>
      `${JSON.stringify({ timestamp, sessionId, display: 'x'.repeat(size) })}\n`;
    const times = new Map([
      [removed, [1, 6]],
      [there, [3, 5]],
    ]);
    for (const [{ id, path }, own] of times) {
      await writeFile(getPromptsPath(path), own.map((time) => toLine(id, time)).join(''));
    }
    await writeFile(list, toLine('0', 4));
    const outcomes = await new PromptRestorer(owners, TERMS).restore(owners);
    expect([...outcomes.values()]).toEqual([2, 2]);
    const lines = (await read()).trimEnd().split('\n');
    expect(lines.map((line) => line.slice(0, 14))).toEqual(
      [1, 3, 4, 5, 6].map((time) => `{"timestamp":${time}`),
    );
    for (const { path } of owners) expect(await fileExists(getPromptsPath(path))).toBe(false);
  },
);
