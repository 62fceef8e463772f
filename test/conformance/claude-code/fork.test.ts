import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import type { ForkStart } from '../../../src/session/dialect/forking.ts';
import { changeInPlace } from '../../../src/session/fork/in-place.ts';
import { forkSession } from '../../../src/session/fork/fork-session.ts';
import { readSession } from '../../../src/session/read/read-session.ts';
import type { Resumed } from './client.ts';
import { type Corpus, CORPUS } from './corpus.ts';
import { useClient } from './use-client.ts';

const { client, dir } = useClient();
let made = 0;

const world = {
  now: () => Date.parse('2026-11-22T00:00:00Z'),
  createId: () => `0199a3f1-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`,
  cwd: '/w',
};

/** Undefined where there is nothing to fork. */
async function fork(path: string, start: ForkStart): Promise<readonly string[] | undefined> {
  const directory = join(dir, `forks-${(made += 1)}`);
  mkdirSync(directory);
  try {
    const forks = await forkSession(path, { start, directory }, { world });
    return forks.map((one) => one.path);
  } catch {
    return undefined;
  }
}

/** A copy in which a person has chosen where it goes on; undefined where that is refused. */
async function pin({ name, path }: Corpus, entry: string): Promise<string | undefined> {
  const copy = join(dir, `pin-${(made += 1)}`, `${name}.jsonl`);
  mkdirSync(dirname(copy));
  cpSync(path, copy);
  const { signal } = new AbortController();
  try {
    const move = { kind: 'at', entry } as const;
    const request = { move, summarizes: false, labels: [] };
    await changeInPlace(copy, request, { apply: true, world, signal });
    return copy;
  } catch {
    return undefined;
  }
}

const opened = (resumed: Resumed) => ({ exit: resumed.exit, sent: resumed.sent });

/** With tools, compactions, a rewind, and what a boundary keeps. */
const RICH = CORPUS.filter(({ name }) =>
  /auto-compact|rename-rewind|siblings|preserved|summarize-from/.test(name),
);

describe.concurrent('the client opens a fork, and sends', () => {
  it.for(CORPUS)('what it sends of the source: $name', async (recorded, { expect }) => {
    const [leaf] = (await fork(recorded.path, { kind: 'leaf' })) ?? [];
    const [whole] = (await fork(recorded.path, { kind: 'whole' })) ?? [];
    const before = await client.resume(recorded.path);
    const forks = [leaf, whole].filter((path) => path !== undefined);
    expect(forks).toHaveLength(before.context?.length ? 2 : 0);
    for (const path of forks) expect(opened(await client.resume(path))).toEqual(opened(before));
  });

  it.for(RICH)('what the source sends that goes on there: $name', async (recorded, { expect }) => {
    const { session } = await readSession(recorded.path);
    const nodes = session.entries.filter(({ aside, type }) => !aside && type === 'message');
    const step = Math.max(1, Math.floor(nodes.length / 3));
    for (const { id = '' } of nodes.filter((_, at) => at % step === 1)) {
      const [path = ''] = (await fork(recorded.path, { kind: 'at', entry: id })) ?? [];
      // What the client does not load can be forked, and not be gone on from.
      const pinned = await pin(recorded, id);
      if (pinned === undefined) continue;
      const [forked, chosen] = await Promise.all([client.resume(path), client.resume(pinned)]);
      expect({ id, ...opened(forked) }).toEqual({ id, ...opened(chosen) });
      expect(forked.exit).toBe(0);
    }
  });
});
