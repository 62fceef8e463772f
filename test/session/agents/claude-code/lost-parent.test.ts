import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { toSent } from '../../../../src/session/agents/claude-code/context/to-sent.ts';
import { forkSession } from '../../../../src/session/fork/fork-session.ts';
import { changeInPlace } from '../../../../src/session/fork/in-place.ts';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { answer, calls, returned, say } from './asked-lines.ts';
import { describeSent } from './asked.ts';
import { result, toNode, toText, user } from './healthy-session.ts';

/** The second result comes into the path by its call alone. 2.1.332 sends the same of each. */
const LINES = [
  say('n1', null, 1),
  calls('n2', 'n1', 'c1'),
  calls('n3', 'n2', 'c2'),
  returned('n4', 'n2', 'c1'),
  toNode('n5', 'gone', 20, user([result('c2', 'late')])),
  say('n6', 'n1', 50),
  answer('n7', 'n6', 51),
];
const SENT = ['u n1', 'a c1 + c2', 'u c1: a.ts + c2: late'];
const world = {
  now: () => Date.parse('2026-11-22T00:00:00Z'),
  createId: () => '0199a3f1-0000-7000-8000-000000000001',
  cwd: '/w',
};

let path: string;

beforeEach(async () => {
  path = join(await makeTempDir(), 'aaaaaaaa-0000-4000-8000-000000000001.jsonl');
  await writeFile(path, toText(LINES));
});

const readSent = async (at: string) => describeSent(toSent((await readContext(at)).messages));

describe('a result whose parent is lost', () => {
  it.each(['n2', 'n3', 'n4'])('is in a fork at %s, with all before it', async (entry) => {
    const directory = join(dirname(path), 'forks');
    await mkdir(directory);
    const start = { kind: 'at', entry } as const;
    const [fork] = await forkSession(path, { start, directory }, { world });
    expect(await readSent(fork?.path ?? '')).toEqual(SENT);
  });

  it.each(['n2', 'n3', 'n4'])('is not where a session goes on at %s in place', async (entry) => {
    const { signal } = new AbortController();
    const request = { move: { kind: 'at', entry }, summarizes: false, labels: [] } as const;
    await changeInPlace(path, request, { apply: true, world, signal });
    expect(await readSent(path)).toEqual(SENT);
  });
});
