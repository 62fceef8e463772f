import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompactionSettings, Preparation } from '../../src/session/compaction.ts';
import { withPayloads } from '../../src/session/payloads.ts';
import { planCompaction } from '../../src/session/plan-compaction.ts';
import { readSession } from '../../src/session/read-session.ts';
import { toJsonl } from '../temp-dir.ts';
import { Reference } from './reference.ts';
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
  const { firstKeptEntryId, messages, turnPrefix } = preparation;
  const { tokensBefore, isSplitTurn, readFiles, modifiedFiles, previousSummary } = preparation;
  const compared = {
    firstKeptEntryOrdinal: session.entries.findLastIndex(({ id }) => id === firstKeptEntryId),
    messagesToSummarize: messages,
    turnPrefixMessages: turnPrefix,
    ...{ tokensBefore, isSplitTurn, readFiles, modifiedFiles, previousSummary },
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
        ...{ id, parentId, firstKeptEntryId, firstKeptEntryIndex: undefined },
        ...(isMessage && { message: { ...message, role } }),
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
  const checkpoint = {
    summary: 'So far.',
    fromHook: false,
    id: plan.id,
    parentId: plan.leafId,
    time: Date.parse(TIME),
  };
  const entry = plan.dialect.toEntry(plan.preparation, checkpoint);
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
        if (settings.keepRecentTokens <= 200) {
          expect(theirs).toMatchObject({ previousSummary: 'So far.' });
        }
      }
    }
  });
});
