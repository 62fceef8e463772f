import { readdirSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { readForkPoints } from '../../../src/session/fork/points.ts';
import type { Entry } from '../../../src/session/model/entry.ts';
import { createRootTest } from '../../../src/session/model/tree/path-test.ts';
import { getPath, treeOf } from '../../../src/session/model/tree/tree.ts';
import { readSession } from '../../../src/session/read/read-session.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WORLD = { now: () => 0, createId: () => '01900000-0000-7000-8000-000000000000', cwd: '/w' };

function list(directory: string): readonly string[] {
  const names = readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(directory, name));
}

/** The user messages of a file that points may be, by whether a fork before them is taken: by the test, and by a plan. */
async function compare(path: string): Promise<readonly (readonly [boolean, boolean])[]> {
  const { session, dialect } = await readSession(path, {});
  const { forking } = dialect;
  const tree = treeOf(session);
  if (!forking || !isForkable(() => forking.plan(session, { start: { kind: 'each-leaf' } }, WORLD)))
    return [];
  const isTaken = forking.createBeforeTest(session, tree);
  const messages = session.entries.filter(
    (entry) => isNamed(entry) && tree.get(entry.id ?? '') === entry,
  );
  return messages.map((entry) => {
    const start = { kind: 'before', entry: entry.id ?? '' } as const;
    return [isTaken(entry), isForkable(() => forking.plan(session, { start }, WORLD))];
  });
}

function isNamed({ id, role, type }: Entry): boolean {
  return id !== undefined && role === 'user' && type === 'message';
}

function isForkable(plan: () => unknown): boolean {
  try {
    plan();
    return true;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

describe('the points of a session', () => {
  it.each([
    'fixtures/claude-code',
    'fixtures/codex',
    'fixtures/neovate',
    'fixtures/recorded',
    '../samples',
  ])('are those that a fork can be made before: %s', async (directory) => {
    let count = 0;
    for (const file of list(directory)) {
      const answers = await compare(join(ROOT, file)).catch(() => []);
      count += answers.length;
      expect([file, answers.map(([isTaken]) => isTaken)]).toEqual([
        file,
        answers.map(([, isPlanned]) => isPlanned),
      ]);
    }
    expect(count).toBeGreaterThan(3);
  });

  it('are of a thread of Codex the first prompts of turns, but for those of the first turn', async () => {
    const dir = await makeTempDir();
    const timestamp = '2026-01-01T00:00:00.000Z';
    const id = '01900000-0000-7000-8000-000000000001';
    const meta = {
      id,
      timestamp,
      cwd: '/w',
      originator: 'x',
      cli_version: '0.120.0',
      source: 'cli',
    };
    const event = (type: string) => ({ timestamp, type: 'event_msg', payload: { type } });
    const say = (role: string, text: string) => {
      const content = [{ type: role === 'user' ? 'input_text' : 'output_text', text }];
      return { timestamp, type: 'response_item', payload: { type: 'message', role, content } };
    };
    const turn = (name: string) => [
      event('task_started'),
      say('user', name),
      say('assistant', 'working'),
      say('user', `${name}, typed during the turn`),
      event('task_complete'),
    ];
    const name = `rollout-2026-01-01T00-00-00-${id}.jsonl`;
    const lines = [
      { timestamp, type: 'session_meta', payload: meta },
      ...turn('first'),
      ...turn('second'),
    ];
    await writeFiles(dir, { [name]: lines });
    const path = join(dir, name);
    expect((await readForkPoints(path)).map(({ text }) => text)).toEqual(['second']);
    expect(await compare(path)).toEqual([
      [false, false],
      [false, false],
      [true, true],
      [false, false],
    ]);
  });

  it('are none that are attached to what is missing, or that come around in a circle', async () => {
    const dir = await makeTempDir();
    const [header = {}, first = {}, answer = {}] = sampleSession();
    const toEntry = (id: string, parentId: string) => ({ ...first, id, parentId });
    await writeFiles(dir, {
      's.jsonl': [
        header,
        first,
        answer,
        toEntry('bbbbbbb1', 'aaaaaaa2'),
        toEntry('bbbbbbb2', 'missing1'),
        toEntry('ccccccc1', 'ccccccc2'),
        toEntry('ccccccc2', 'ccccccc1'),
      ],
    });
    const path = join(dir, 's.jsonl');
    const points = await readForkPoints(path);
    expect(points.map(({ id }) => id)).toEqual(['aaaaaaa1', 'bbbbbbb1']);
    const answers = await compare(path);
    expect(answers.map(([isTaken]) => isTaken)).toEqual(answers.map(([, isPlanned]) => isPlanned));
    const { session } = await readSession(path, {});
    const tree = treeOf(session);
    const hasRoot = createRootTest(tree);
    for (const entry of session.entries) {
      const [root] = getPath(tree, entry);
      expect(hasRoot(entry)).toBe(root !== undefined && tree.parentOf(root) === undefined);
    }
  });

  it.each([
    ['of an unknown version', { type: 'session', version: 9, id: 's1' }, 'version-unknown'],
    ['without a header', { type: 'custom', id: 'cccccccc', parentId: null }, 'header-missing'],
  ])('are not listed of a session %s, of which no fork is made', async (_what, header, code) => {
    const dir = await makeTempDir();
    const [, message = {}] = sampleSession({ id: 's1' });
    await writeFiles(dir, {
      's.jsonl': [{ timestamp: '2026-01-01T00:00:00.000Z', ...header }, message],
    });
    await expect(readForkPoints(join(dir, 's.jsonl'))).rejects.toMatchObject({ code });
  });

  it('are not listed of a thread without the file that it continues from', async () => {
    const dir = await makeTempDir();
    const name = 'rollout-2026-11-21T21-22-34-01a1fffd-53cf-7253-9911-3110f15894fd.jsonl';
    const home = join(ROOT, 'fixtures/codex/home/sessions/2026/11/21');
    await cp(join(home, name), join(dir, 'sessions/2026/11/21', name));
    const path = join(dir, 'sessions/2026/11/21', name);
    await expect(readForkPoints(path)).rejects.toMatchObject({ code: 'session-unusable' });
  });
});
