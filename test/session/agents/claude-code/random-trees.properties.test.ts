import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FileError } from '../../../../src/errors.ts';
import { toSent } from '../../../../src/session/agents/claude-code/context/to-sent.ts';
import {
  ENTRY_REDUCERS,
  type EntryReducerName,
} from '../../../../src/session/dialect/reduction.ts';
import { forkSession } from '../../../../src/session/fork/fork-session.ts';
import { changeInPlace } from '../../../../src/session/fork/in-place.ts';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { readSession } from '../../../../src/session/read/read-session.ts';
import { reduceSession } from '../../../../src/session/reduce/reduce-session.ts';
import { openImageFiles } from '../../../../src/store/output/image-files.ts';
import { growSession } from '../../../conformance/claude-code/trees.ts';
import { runs, SEED } from '../../../harness/runs.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { describeSent } from './asked.ts';

/**
 * Found with more of them: the path holds an answer from before the boundary, a line that the client steps
 * over, a result that nothing but its call attaches (in the last, where a session is moved in place).
 */
const FOUND = [80_003_446, 80_000_017, 20_261_158, 20_261_253];
const SEEDS = [...FOUND, ...Array.from({ length: runs(8) }, (_, at) => SEED + at)];
const SETS: readonly (readonly EntryReducerName[])[] = [
  ...ENTRY_REDUCERS.map((name) => [name]),
  ENTRY_REDUCERS,
];
const { signal } = new AbortController();

let path: string;
let made = 0;

beforeEach(async () => {
  path = join(await makeTempDir(), 'aaaaaaaa-0000-4000-8000-000000000001.jsonl');
});

const world = {
  now: () => Date.parse('2026-11-22T00:00:00Z'),
  createId: () => `0199a3f1-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`,
  cwd: '/w',
};

/** The code of the reason where the session is refused. */
async function orCode<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FileError) return error.code;
    throw error;
  }
}

const readSent = (at: string) =>
  orCode(readContext(at).then(({ messages }) => describeSent(toSent(messages))));

const reduce = (entries: readonly EntryReducerName[]) =>
  reduceSession(path, {
    entries,
    images: undefined,
    toolOutput: undefined,
    openImages: openImageFiles,
    apply: true,
    signal,
  });

describe.each(SEEDS)('a random session of Claude Code (%i)', (seed) => {
  it('is sent as before when entries are taken out, all of them at once', async () => {
    await writeFile(path, growSession(seed));
    const before = await readSent(path);
    for (const set of SETS) {
      await writeFile(path, growSession(seed));
      await reduce(set);
      expect({ set, sent: await readSent(path) }).toEqual({ set, sent: before });
      expect({ set, action: (await reduce(set)).action }).not.toEqual({ set, action: 'reduce' });
    }
  });

  it('is sent by a fork as before', async () => {
    await writeFile(path, growSession(seed));
    const before = await readSent(path);
    const directory = join(dirname(path), 'forks');
    await mkdir(directory);
    for (const kind of ['leaf', 'whole'] as const) {
      const forks = await orCode(forkSession(path, { start: { kind }, directory }, { world }));
      const sent = typeof forks === 'string' ? [] : await readSent(forks[0]?.path ?? '');
      // What is not opened is not forked.
      expect(sent).toEqual(typeof before === 'string' ? [] : before);
    }
  });

  it('continues where it is moved to as a fork from there does, or refuses to move', async () => {
    await writeFile(path, growSession(seed));
    const { session } = await readSession(path);
    const messages = session.entries.filter(({ type }) => type === 'message');
    const directory = join(dirname(path), 'forks');
    await mkdir(directory);
    for (const { id = '' } of messages.filter((_, at) => at % 5 === 0)) {
      await writeFile(path, growSession(seed));
      const request = { move: { kind: 'at', entry: id }, summarizes: false, labels: [] } as const;
      const move = (apply: boolean) => changeInPlace(path, request, { apply, world, signal });
      const moved = await orCode(move(true));
      if (typeof moved === 'string') continue;
      expect({ id, action: (await move(false)).action }).toEqual({ id, action: 'unchanged' });
      const sent = await readSent(path);
      await writeFile(path, growSession(seed));
      const start = { kind: 'at', entry: id } as const;
      const [fork] = await forkSession(path, { start, directory }, { world });
      const forked = await readSent(fork?.path ?? '');
      // What stands around the last message is not copied.
      expect({ id, isOpened: Array.isArray(forked) }).toEqual({ id, isOpened: true });
      const answers = [forked].flat().filter((one) => one.startsWith('a '));
      expect({ id, sent }).toEqual({ id, sent: expect.arrayContaining(answers) as unknown });
    }
  });
});
