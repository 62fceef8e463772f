import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type CompactOptions,
  compactSession,
} from '../../../src/session/compact/compact-session.ts';
import type { CompactionAnswer } from '../../../src/session/dialect/hooks/compaction-hooks.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { SummaryError } from '../../../src/session/model/text/summarizer.ts';
import { assistant, call, result, toSession, toUsage, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';

const LINES = toSession([
  user('Please add a login page to the app.'),
  call('c1', 'read', { path: 'a.ts' }),
  result('c1', 'read', 'text '.repeat(100)),
  assistant('It is there. '.repeat(40), { usage: toUsage(5000) }),
]);

/** A text with a NUL character and half of a surrogate pair. */
const REFUSED = '## Goal\nLog\u{d83d}\0in.';

const OPTIONS: CompactOptions = {
  settingsFor: () => Promise.resolve({ enabled: true, reserveTokens: 100, keepRecentTokens: 10 }),
  contextWindowOf: () => Promise.resolve(1000),
  summarizer: { summarize: () => Promise.resolve({ text: '## Goal\nLogin.' }) },
  force: false,
  apply: true,
  now: () => Date.parse('2026-05-01T00:00:00Z'),
  signal: new AbortController().signal,
};

async function compact(options: Partial<CompactOptions>, lines = LINES) {
  const path = join(await makeTempDir(), 'a.jsonl');
  await writeFile(path, toJsonl(lines));
  const before = await readFile(path, 'utf8');
  const outcome = await compactSession(path, { ...OPTIONS, ...options });
  const added = (await readFile(path, 'utf8')).slice(before.length);
  return { path, outcome, added };
}

async function compactedContext(added: string) {
  const path = join(await makeTempDir(), 'b.jsonl');
  await writeFile(path, toJsonl(LINES) + added);
  return readContext(path);
}

describe('compactSession', () => {
  it('tells a hook what it is about to do, and goes on when that says nothing', async () => {
    const events: unknown[] = [];
    const { outcome, added, path } = await compact({
      instructions: 'look',
      beforeCompaction: (event) => Promise.resolve(void events.push(event)),
    });
    expect(events).toMatchObject([
      {
        path,
        agent: 'pi',
        reason: 'threshold',
        willRetry: false,
        customInstructions: 'look',
        branchEntries: LINES.slice(1),
        preparation: {
          tokensBefore: 5000,
          isSplitTurn: true,
          messagesToSummarize: [],
          firstKeptEntryId: 'e3',
          fileOps: { read: new Set(['a.ts']), written: new Set(), edited: new Set() },
          settings: { keepRecentTokens: 10 },
        },
      },
    ]);
    expect(outcome.action).toBe('compact');
    expect(JSON.parse(added)).toMatchObject({ fromHook: false });
  });

  it('leaves a session when a hook cancels', async () => {
    const { outcome, added } = await compact({
      beforeCompaction: () => Promise.resolve({ cancel: true }),
    });
    expect(outcome).toMatchObject({ action: 'skip', reasons: ['cancelled by a hook'] });
    expect(added).toBe('');
  });

  it('takes the summary and the details of a hook, and asks nobody else', async () => {
    const { added } = await compact({
      summarizer: { summarize: () => Promise.reject(new Error('asked')) },
      beforeCompaction: () =>
        Promise.resolve({ compaction: { summary: 'Mine.', details: { own: [1] } } }),
    });
    expect(JSON.parse(added)).toMatchObject({
      summary: 'Mine.',
      details: { own: [1] },
      fromHook: true,
    });
  });

  it.each<[string, Partial<CompactOptions>]>([
    ['a model', { summarizer: { summarize: () => Promise.resolve({ text: REFUSED }) } }],
    ['a hook', { beforeCompaction: () => Promise.resolve({ compaction: { summary: REFUSED } }) }],
  ])('writes a summary of %s without what a model refuses', async (_, options) => {
    const { outcome, added } = await compact(options);
    expect(JSON.parse(added).summary).toMatch(/^## Goal\nLog\uFFFDin\./);
    expect(outcome.compaction?.summary).toBe(JSON.parse(added).summary);
  });

  it('makes no context larger, unless it is forced to and says so', async () => {
    const beforeCompaction: CompactOptions['beforeCompaction'] = () =>
      Promise.resolve({ compaction: { summary: 'long '.repeat(10_000) } });
    const refused = await compact({ beforeCompaction });
    expect(refused.outcome).toMatchObject({
      action: 'unchanged',
      reasons: ['the summary would make the context larger'],
    });
    expect(refused.added).toBe('');
    const { outcome } = await compact({ beforeCompaction, force: true });
    expect(outcome.action).toBe('compact');
    expect(outcome.reasons).toContain('makes the context larger');
  });

  it.each([
    [
      'an empty summary of a hook',
      { compaction: { summary: ' ' } },
      'beforeCompaction.compaction.summary: expected a text that is not empty; got an empty text',
    ],
    ['a summarizer that fails', undefined, 'no model'],
  ])('writes nothing after %s', async (_, verdict, reason) => {
    const { outcome, added } = await compact({
      summarizer: { summarize: () => Promise.reject(new SummaryError('no model')) },
      beforeCompaction: () => Promise.resolve(verdict),
    });
    expect(outcome).toMatchObject({ action: 'fail', reasons: [reason] });
    expect(added).toBe('');
  });

  it('writes nothing when the session went on while the summary was made', async () => {
    const late = '{"type":"custom","id":"late"}\n';
    const { outcome, added } = await compact({
      beforeCompaction: ({ path }) => appendFile(path, late).then(() => undefined),
    });
    expect(outcome).toMatchObject({
      action: 'skip',
      reasons: ['changed since it was read; left unchanged'],
    });
    expect(added).toBe(late);
  });

  it('is not due when the settings turn compaction off, but can be forced', async () => {
    const settings = { enabled: false, reserveTokens: 100, keepRecentTokens: 10 };
    const settingsFor = () => Promise.resolve(settings);
    const { outcome } = await compact({ settingsFor });
    expect(outcome.reasons).toEqual(['compaction is turned off in the settings']);
    expect((await compact({ settingsFor, force: true })).outcome.action).toBe('compact');
  });

  it('has nothing to do in a session without entries, which is no reason to skip it', async () => {
    const { outcome, added } = await compact({}, LINES.slice(0, 1));
    expect(outcome).toMatchObject({
      action: 'unchanged',
      reasons: ['nothing old enough to summarize'],
    });
    expect(added).toBe('');
  });

  it('does not write to a session whose last entry has no id', async () => {
    const lines = [...LINES, { type: 'custom', customType: 'x', parentId: 'e3' }];
    const { outcome, added } = await compact({}, lines);
    expect(outcome).toMatchObject({
      action: 'skip',
      reasons: ['its last entry has no id to continue from'],
    });
    expect(added).toBe('');
  });

  it('uses all that a hook answers', async () => {
    const compaction = {
      summary: 'Mine.',
      firstKeptEntryId: 'e1',
      tokensBefore: 4000,
      details: [1],
    };
    const { added, outcome } = await compact({ beforeCompaction: () => ({ compaction }) });
    expect(JSON.parse(added)).toMatchObject({ ...compaction, fromHook: true });
    const { messages } = await compactedContext(added);
    expect(messages[0]).toMatchObject({ role: 'compactionSummary', summary: 'Mine.' });
    // All but the question stays.
    expect(messages).toHaveLength(4);
    expect(outcome.compaction).toMatchObject({ firstKeptEntryId: 'e1', tokensBefore: 4000 });
    expect(outcome.compaction?.tokensAfter).toBeGreaterThan(200);
  });

  it('stores of a hook that keeps nothing the id of the compaction itself', async () => {
    const compaction = { summary: 'All of it.', firstKeptEntryId: null };
    const { added } = await compact({ beforeCompaction: () => ({ compaction }) });
    const entry = JSON.parse(added);
    expect(entry).toMatchObject({ firstKeptEntryId: entry.id, tokensBefore: 5000 });
    expect(entry).not.toHaveProperty('details');
  });

  it.each([
    [{ compaction: { summary: 'x', firstKeptEntryId: 'nope' } }, 'compaction.firstKeptEntryId:'],
    [{ compaction: { summary: 'x', tokensBefore: -1 } }, 'compaction.tokensBefore:'],
    [{ compaction: { summary: 'x', tokensBefore: '9' } }, 'compaction.tokensBefore:'],
    [{ compaction: { summary: 'x', details: () => 1 } }, 'compaction.details:'],
    [{ compaction: { summary: 'x', usage: { input: 'a' } } }, 'compaction.usage.input:'],
    [
      { compaction: { summary: 1 } },
      'compaction.summary: expected a text that is not empty; got 1',
    ],
    [{ compaction: {} }, 'compaction.summary: expected a text that is not empty; it is missing'],
    [{ compaction: { summary: 'x', firstKept: 'e1' } }, 'compaction.firstKept: unknown field'],
    [{ compaction: 'x' }, 'compaction: expected an object'],
    [{ cancel: 'yes' }, 'cancel: expected true or false; got a text'],
    [{ summary: 'x' }, 'summary: unknown field; use cancel, compaction'],
  ])('refuses %j of a hook, names the field, and writes nothing', async (answer, message) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as a program without types
    const beforeCompaction = () => answer as CompactionAnswer;
    const { outcome, added } = await compact({ beforeCompaction });
    expect(outcome.action).toBe('fail');
    expect(outcome.reasons[0]).toContain(`beforeCompaction.${message}`);
    expect(added).toBe('');
  });

  it('goes on as usual for an answer without anything in it', async () => {
    const { added } = await compact({ beforeCompaction: () => ({ cancel: false }) });
    expect(JSON.parse(added)).toMatchObject({ fromHook: false });
  });

  it('fails for a hook that throws', async () => {
    const { outcome, added } = await compact({
      beforeCompaction: () => {
        throw new Error('no such table');
      },
    });
    expect(outcome).toMatchObject({
      action: 'fail',
      reasons: ['beforeCompaction failed: no such table'],
    });
    expect(added).toBe('');
  });

  it('hands a hook the compaction once it is in the file', async () => {
    const seen: object[] = [];
    const { added, path } = await compact({
      afterCompaction: async (event) => {
        const text = await readFile(event.path, 'utf8');
        seen.push({ ...event, isWritten: text.includes(JSON.stringify(event.compactionEntry)) });
      },
    });
    const facts = { path, agent: 'pi', fromExtension: false, reason: 'threshold' };
    expect(seen).toEqual([
      { ...facts, willRetry: false, compactionEntry: JSON.parse(added), isWritten: true },
    ]);
  });

  it('calls no hook after a compaction that was not written', async () => {
    let calls = 0;
    await compact({ afterCompaction: () => (calls += 1), apply: false });
    await compact({
      afterCompaction: () => (calls += 1),
      beforeCompaction: () => ({ cancel: true }),
    });
    expect(calls).toBe(0);
  });

  it('reports a hook that fails after the compaction, which stays', async () => {
    const { outcome, added } = await compact({
      afterCompaction: () => Promise.reject(new Error('no disk')),
    });
    expect(outcome.action).toBe('fail');
    expect(outcome.reasons).toContain('compacted, but afterCompaction failed: no disk');
    expect(outcome.bytesAfter - outcome.bytesBefore).toBe(added.length);
  });

  it.each([true, false])(
    'counts the line feed that the last line lacks: applied %s',
    async (apply) => {
      const path = join(await makeTempDir(), 'a.jsonl');
      const text = toJsonl(LINES).trimEnd();
      await writeFile(path, text);
      const { bytesBefore, bytesAfter } = await compactSession(path, { ...OPTIONS, apply });
      const applied = await compactSession(path, { ...OPTIONS, apply: true });
      const { length } = await readFile(path);
      expect([bytesBefore, bytesAfter]).toEqual([text.length, length]);
      expect(applied.action).toBe(apply ? 'unchanged' : 'compact');
    },
  );
});
