import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type CompactOptions,
  compactSession,
} from '../../../src/session/compact/compact-session.ts';
import { SummaryError } from '../../../src/session/model/text/summarizer.ts';
import { assistant, call, result, toSession, toUsage, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';

const LINES = toSession([
  user('Please add a login page to the app.'),
  call('c1', 'read', { path: 'a.ts' }),
  result('c1', 'read', 'text '.repeat(100)),
  assistant('It is there. '.repeat(40), { usage: toUsage(5000) }),
]);

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

describe('compactSession', () => {
  it('tells a hook what it is about to do, and goes on when that says nothing', async () => {
    const events: unknown[] = [];
    const { outcome, added, path } = await compact({
      instructions: 'look',
      beforeCompact: (event) => Promise.resolve(void events.push(event)),
    });
    expect(events).toMatchObject([
      { path, reason: 'threshold', instructions: 'look', preparation: { tokensBefore: 5000 } },
    ]);
    expect(outcome.action).toBe('compact');
    expect(JSON.parse(added)).toMatchObject({ fromHook: false });
  });

  it('leaves a session when a hook cancels', async () => {
    const { outcome, added } = await compact({
      beforeCompact: () => Promise.resolve({ cancel: true }),
    });
    expect(outcome).toMatchObject({ action: 'skip', reasons: ['cancelled by a hook'] });
    expect(added).toBe('');
  });

  it('takes the summary and the details of a hook, and asks nobody else', async () => {
    const { added } = await compact({
      summarizer: { summarize: () => Promise.reject(new Error('asked')) },
      beforeCompact: () =>
        Promise.resolve({ compaction: { summary: 'Mine.', details: { own: [1] } } }),
    });
    expect(JSON.parse(added)).toMatchObject({
      summary: 'Mine.',
      details: { own: [1] },
      fromHook: true,
    });
  });

  it('makes no context larger, unless it is forced to and says so', async () => {
    const beforeCompact: CompactOptions['beforeCompact'] = () =>
      Promise.resolve({ compaction: { summary: 'long '.repeat(10_000) } });
    const refused = await compact({ beforeCompact });
    expect(refused.outcome).toMatchObject({
      action: 'unchanged',
      reasons: ['the summary would make the context larger'],
    });
    expect(refused.added).toBe('');
    const { outcome } = await compact({ beforeCompact, force: true });
    expect(outcome.action).toBe('compact');
    expect(outcome.reasons).toContain('makes the context larger');
  });

  it.each([
    ['an empty summary of a hook', { compaction: { summary: ' ' } }, 'the summary is empty'],
    ['a summariser that fails', undefined, 'no model'],
  ])('writes nothing after %s', async (_, verdict, reason) => {
    const { outcome, added } = await compact({
      summarizer: { summarize: () => Promise.reject(new SummaryError('no model')) },
      beforeCompact: () => Promise.resolve(verdict),
    });
    expect(outcome).toMatchObject({ action: 'fail', reasons: [reason] });
    expect(added).toBe('');
  });

  it('writes nothing when the session went on while the summary was made', async () => {
    const late = '{"type":"custom","id":"late"}\n';
    const { outcome, added } = await compact({
      beforeCompact: ({ path }) => appendFile(path, late).then(() => undefined),
    });
    expect(outcome).toMatchObject({
      action: 'skip',
      reasons: ['changed since it was read: left as it is'],
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

  it('does not write to a session whose last entry has no id', async () => {
    const lines = [...LINES, { type: 'custom', customType: 'x', parentId: 'e3' }];
    const { outcome, added } = await compact({}, lines);
    expect(outcome).toMatchObject({
      action: 'skip',
      reasons: ['its last entry has no id that one could go on from'],
    });
    expect(added).toBe('');
  });
});
