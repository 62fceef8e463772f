import { copyFile, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeInPlace } from '../../src/session/fork/in-place.ts';
import type { InPlaceRequest } from '../../src/session/dialect/forking.ts';
import { readContext } from '../../src/session/read/read-context.ts';
import { readSession } from '../../src/session/read/read-session.ts';
import { extractive } from '../../src/summarize/extractive/extractive.ts';
import { branchedSession } from '../branched-session.ts';
import { createIds, NOW } from '../memory-terminal.ts';
import { makeTempDir, toJsonl } from '../temp-dir.ts';
import { type Judge, Reference, type ReferenceContext } from './reference.ts';
import { findSessionFiles } from './session-files.ts';

/** Of longer sessions so many entries, evenly spread. */
const MOST_ENTRIES = 30;
const JUDGES: readonly Judge[] = ['0.87.1', '1.6.0'];

const NOTHING: InPlaceRequest = { move: undefined, summarizes: false, name: undefined, labels: [] };
const options = {
  apply: true,
  world: { now: () => NOW, createId: createIds(), cwd: '/nowhere' },
  signal: new AbortController().signal,
};

/** A copy of a session that is changed where it is. */
async function change(path: string, request: InPlaceRequest, summarize = false): Promise<string> {
  const copy = join(await makeTempDir(), 's.jsonl');
  await copyFile(path, copy);
  await utimes(copy, 0, 0);
  const how = summarize ? { summarize: { summarizer: extractive } } : {};
  await changeInPlace(copy, request, { ...options, ...how });
  return copy;
}

/** As JSON: what is undefined on either side is not there. */
function toJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

describe.each(JUDGES)('pi %s, after a session was changed in place,', (judge) => {
  let reference: Reference;
  beforeAll(() => {
    reference = new Reference(judge);
  });
  afterAll(() => reference.close());

  const open = async (path: string): Promise<ReferenceContext> =>
    (await reference.ask({ ask: 'session', path })).context;

  it.each(findSessionFiles().map((path) => [basename(path), path]))(
    'goes on from the target: %s',
    async (_name, path) => {
      const { session } = await readSession(path);
      if (session.formatVersion < 3) return;
      const step = Math.ceil(session.entries.length / MOST_ENTRIES);
      for (const [ordinal, { id }] of session.entries.entries()) {
        if (id === undefined || ordinal % step !== 0) continue;
        const ask = { ask: 'contextAt', path, entryOrdinal: ordinal } as const;
        const theirs = await reference.ask(ask);
        const move = { kind: 'at', entry: id } as const;
        const moved = await change(path, { ...NOTHING, move });
        expect(await open(moved), `at ${ordinal}`).toEqual(theirs);
        expect(toJson(await readContext(moved)), `at ${ordinal}, ours`).toEqual(theirs);
      }
    },
  );

  it('knows the summary, the name and the labels', async () => {
    const path = findSessionFiles().find((name) => name.includes('0.87.1-branches-and-sum')) ?? '';
    const { session } = await readSession(path);
    const target = session.entries.find(({ role }) => role === 'assistant');
    const entry = target?.id ?? '';
    const request = { ...NOTHING, move: { kind: 'at', entry }, summarizes: true } as const;
    const labels = [{ entry, text: 'here' }];
    const changed = await change(path, { ...request, name: 'A name', labels }, true);
    const opened = await reference.ask({ ask: 'session', path: changed });
    expect(opened.name).toBe('A name');
    expect(opened.tree.find(({ id }) => id === entry)).toMatchObject({ label: 'here' });
    expect(opened.context.messages.at(-1)).toMatchObject({ role: 'branchSummary' });
    expect(toJson(await readContext(changed))).toEqual(opened.context);
  });

  it('has nothing before the first entry', async () => {
    const path = join(await makeTempDir(), 'branched.jsonl');
    await writeFile(path, toJsonl(branchedSession()));
    const move = { kind: 'before', entry: 'aaaa0001' } as const;
    expect((await open(path)).messages).toHaveLength(3);
    expect((await open(await change(path, { ...NOTHING, move }))).messages).toEqual([]);
  });
});
