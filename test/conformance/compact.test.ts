import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Preparation } from '../../src/session/dialect/compaction.ts';
import { withPayloads } from '../../src/session/read/turns/payloads.ts';
import { planCompaction } from '../../src/session/compact/plan.ts';
import { toFileLists } from '../../src/session/model/text/file-operations.ts';
import { readSession } from '../../src/session/read/read-session.ts';
import { compactSession } from '../../src/session/compact/compact-session.ts';
import { extractive } from '../../src/summarize/extractive/extractive.ts';
import { randomSession } from '../session/reduce/random-session.ts';
import { toJsonl } from '../temp-dir.ts';
import { type CompactionSettings, type Json, Reference } from './reference.ts';
import { findSessionFiles } from './session-files.ts';

const KEEP_RECENT = [0, 200, 2000, 20_000];
const dir = mkdtempSync(join(tmpdir(), 'coppice-compact-'));
let reference: Reference;

beforeAll(() => {
  reference = new Reference();
});
afterAll(async () => {
  await reference.close();
  rmSync(dir, { recursive: true });
});

function toSettings(keepRecentTokens: number): CompactionSettings {
  return { enabled: true, reserveTokens: 16_384, keepRecentTokens };
}

async function prepare(path: string, settings: CompactionSettings) {
  const { preparation } = await planCompaction(path, () => Promise.resolve(settings));
  return preparation ? describePreparation(path, preparation) : null;
}

/** As JSON, which is how the reference answers. */
async function describePreparation(path: string, preparation: Preparation): Promise<unknown> {
  const { session } = await readSession(path);
  const { firstKeptEntryId, messagesToSummarize, turnPrefixMessages } = preparation;
  const { tokensBefore, isSplitTurn, fileOps, previousSummary } = preparation;
  const compared = {
    firstKeptEntryOrdinal: session.entries.findLastIndex(({ id }) => id === firstKeptEntryId),
    messagesToSummarize,
    turnPrefixMessages,
    tokensBefore,
    isSplitTurn,
    ...toFileLists(fileOps),
    previousSummary,
  };
  return JSON.parse(JSON.stringify(compared));
}

/** The session as it is after migration, ours: the ids are not pi's, the positions are. */
async function readMigrated(path: string): Promise<readonly object[]> {
  const { session } = await readSession(path);
  const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01', cwd: '/' };
  return withPayloads(path, async (read) => {
    const lines: object[] = [header];
    for (const entry of session.entries) {
      const { id, parentId, role, firstKeptEntryId } = entry;
      const payload = await read(entry);
      const message = payload['message'];
      const isMessage = typeof message === 'object' && message !== null;
      lines.push({
        ...payload,
        id,
        parentId,
        firstKeptEntryId,
        firstKeptEntryIndex: undefined,
        ...(isMessage && { message: Object.assign({}, message, { role }) }),
      });
    }
    return lines;
  });
}

const TIME = '2026-12-31T00:00:00.000Z';
const USAGE = { input: 900, output: 100, cacheRead: 0, cacheWrite: 0, totalTokens: 1000 };
const CALL = { type: 'toolCall', id: 'c', name: 'edit', arguments: { path: 'later.ts' } };

/** A turn after the compaction: what the next compaction finds beside the kept range. */
function createTurn(parentId: string): readonly object[] {
  const messages = [
    { role: 'user', content: 'go on '.repeat(200) },
    { role: 'assistant', content: [CALL], stopReason: 'toolUse', usage: USAGE },
    { role: 'toolResult', toolCallId: 'c', toolName: 'edit', content: 'done '.repeat(300) },
    { role: 'assistant', content: [{ type: 'text', text: 'x'.repeat(900) }], stopReason: 'stop' },
  ];
  return messages.map((message, index) => ({
    type: 'message',
    id: `turn-${index}`,
    parentId: index === 0 ? parentId : `turn-${index - 1}`,
    timestamp: TIME,
    message,
  }));
}

async function compactTwice(path: string, first: number): Promise<string | undefined> {
  const plan = await planCompaction(path, () => Promise.resolve(toSettings(first)));
  if (!plan.preparation || plan.leafId === undefined) return undefined;
  const { preparation, dialect, steps } = plan;
  const checkpoint = {
    summary: 'So far.',
    firstKeptEntryId: plan.preparation.firstKeptEntryId,
    tokensBefore: plan.preparation.tokensBefore,
    fromHook: false,
    path,
    id: plan.id,
    parentId: plan.leafId,
    steps,
    time: Date.parse(TIME),
  };
  const { entry } = await withPayloads(path, (read) =>
    dialect.toEntries(preparation, checkpoint, read),
  );
  const copy = join(dir, `${first}-${basename(path)}`);
  const lines = [...(await readMigrated(path)), entry, ...createTurn(plan.id)];
  await writeFile(copy, toJsonl(lines));
  return copy;
}

const files = findSessionFiles().map((path) => [basename(path), path] as const);

describe('compaction is prepared as pi prepares it', () => {
  it.each(files)('%s', async (_, path) => {
    for (const settings of KEEP_RECENT.map(toSettings)) {
      const theirs = await reference.ask({ ask: 'prepareCompaction', path, settings });
      expect(await prepare(path, settings)).toEqual(theirs);
    }
  });
});

describe('and again after a first compaction', () => {
  it.each(files)('%s', async (_, path) => {
    for (const first of KEEP_RECENT) {
      const copy = await compactTwice(path, first);
      if (copy === undefined) continue;
      for (const settings of KEEP_RECENT.map(toSettings)) {
        const theirs = await reference.ask({ ask: 'prepareCompaction', path: copy, settings });
        expect(await prepare(copy, settings)).toEqual(theirs);
        const isRepeated = theirs?.previousSummary === 'So far.';
        expect(isRepeated || settings.keepRecentTokens > 200).toBe(true);
      }
    }
  });
});

describe('of sessions with branches, edits, failures and compactions at every place', () => {
  it('compaction is prepared as pi prepares it', async () => {
    const path = join(dir, 'random.jsonl');
    const keeps = fc.constantFrom(0, 1, 30, 200, 2000);
    await fc.assert(
      fc.asyncProperty(randomSession, keeps, async (lines, keep) => {
        await writeFile(path, toJsonl(lines));
        const settings = toSettings(keep);
        const theirs = await reference.ask({ ask: 'prepareCompaction', path, settings });
        expect(await prepare(path, settings)).toEqual(theirs);
      }),
      { numRuns: 400 },
    );
  });
});

describe('what compact writes opens in pi with the summary first and the kept range after it', () => {
  it.each(files)('%s', async (name, path) => {
    for (const keep of KEEP_RECENT) {
      const copy = join(dir, `applied-${keep}-${name}`);
      await writeFile(copy, toJsonl(await readMigrated(path)));
      const before = await reference.ask({ ask: 'session', path: copy });
      const outcome = await compactSession(copy, {
        settingsFor: () => Promise.resolve(toSettings(keep)),
        contextWindowOf: () => Promise.resolve(0),
        summarizer: extractive,
        force: true,
        apply: true,
        now: () => Date.parse(TIME),
        signal: new AbortController().signal,
      });
      if (outcome.action !== 'compact') continue;
      const after = await reference.ask({ ask: 'session', path: copy });
      const [first, ...kept] = withoutSystem(after.context.messages);
      expect(first).toMatchObject({
        role: 'compactionSummary',
        summary: outcome.compaction?.summary,
        tokensBefore: outcome.compaction?.tokensBefore,
      });
      const all = withoutSystem(before.context.messages);
      expect(kept).toEqual(all.slice(all.length - kept.length));
      expect(kept.length).toBeLessThan(all.length);
    }
  });
});

function withoutSystem(messages: readonly Json[]): readonly Json[] {
  return messages.filter((message) => !JSON.stringify(message).startsWith('{"role":"system"'));
}
