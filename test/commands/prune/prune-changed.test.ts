import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { planPrune } from '../../../src/library/functions/prune.ts';
import { ReferrerSearch } from '../../../src/store/prune/reading/referrers.ts';
import { NOW } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeOld, makeTempDir, writeFiles } from '../../temp-dir.ts';

const DAY = 24 * 60 * 60 * 1000;

function daysAgo(days: number): string {
  return new Date(NOW - days * DAY).toISOString();
}

/** What is there of a session while it is being copied, or before it is put back. */
const STARTS: Readonly<Record<string, (text: string) => string>> = {
  'is empty': () => '',
  'ends in its header': (text) => text.slice(0, 20),
  'ends before what it names': (text) => text.slice(0, text.indexOf('\n') + 1),
  'holds something else': () => '{"level":30,"msg":"started"}\n',
};

/** Plans while `change` is called each time that sessions were searched; returns the action and the reasons for `old`. */
async function planWhileChanging(store: string, change: () => Promise<void>): Promise<string> {
  // oxlint-disable-next-line typescript/unbound-method -- called with the search below
  const { read } = ReferrerSearch.prototype;
  const spy = vi.spyOn(ReferrerSearch.prototype, 'read').mockImplementation(async function (
    this: ReferrerSearch,
    ...args
  ) {
    const outcome = await read.apply(this, args);
    await change();
    return outcome;
  });
  const { decisions } = await planPrune([store], { olderThan: '30d' }, { now: () => NOW });
  spy.mockRestore();
  const path = join(store, 'old.jsonl');
  const decision = decisions.find(({ candidate }) => candidate.path === path);
  return `${decision?.action}: ${decision?.reasons.join(', ')}`;
}

/** Plans when the session `young` is only begun, and whole once all sessions were searched. */
async function planWhileComing(store: string, begin: (text: string) => string): Promise<string> {
  const young = join(store, 'young.jsonl');
  const whole = await readFile(young, 'utf8');
  await writeFile(young, begin(whole));
  return planWhileChanging(store, () => writeFile(young, whole));
}

async function makeStore(young: object): Promise<string> {
  const store = await makeTempDir();
  await writeFiles(store, {
    'old.jsonl': sampleSession({ id: 'old', start: daysAgo(90) }),
    'old/image.png': 'image',
    'other.jsonl': sampleSession({ id: 'other', start: daysAgo(5) }),
    'young.jsonl': sampleSession({ id: 'young', start: daysAgo(4), ...young }),
  });
  await makeOld(['old.jsonl', 'old/image.png', 'old'].map((name) => join(store, name)));
  return store;
}

it.each(Object.entries(STARTS))(
  'prune keeps the parent of a fork that %s when it is read first',
  async (_, begin) => {
    const store = await makeStore({ parentSession: 'old.jsonl' });
    const reason = 'not older than 30d, as forks of it are newer';
    expect(await planWhileComing(store, begin)).toBe(`keep: ${reason}`);
  },
);

it.each(Object.entries(STARTS))(
  'prune keeps a session with files that a session names which %s when it is read first',
  async (_, begin) => {
    const store = await makeStore({ text: 'see old/image.png' });
    const reason = 'a kept session refers to its files';
    expect(await planWhileComing(store, begin)).toBe(`keep: ${reason}`);
  },
);

it('prune removes a session beside one that is written on and on', async () => {
  const store = await makeStore({});
  const young = join(store, 'young.jsonl');
  const writeOn = async (): Promise<void> => {
    const { length } = await readFile(young);
    const entry = { type: 'custom', id: `${length}`, parentId: null, timestamp: daysAgo(4) };
    await appendFile(young, `${JSON.stringify(entry)}\n`);
  };
  expect(await planWhileChanging(store, writeOn)).toBe('remove: older than 30d');
});
