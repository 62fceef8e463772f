import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { getRecorded, placeRecorded } from '../../session/agents/codex/corpus.ts';
import { toZstd } from '../../zstd-frames.ts';
import type { CompactionOutcome } from '../../../src/session/compact/compact-session.ts';

async function compact(path: string, ...argv: readonly string[]) {
  const cwd = dirname(path);
  const { out } = await runTest(['compact', path, ...argv, '--json'], { cwd, home: cwd });
  const { results } = JSON.parse(out) as { readonly results: readonly CompactionOutcome[] };
  return results[0];
}

interface Line {
  readonly ordinal?: number;
  readonly type: string;
  readonly payload: {
    readonly type?: string;
    readonly message?: string;
    readonly replacement_history?: readonly {
      readonly type: string;
      readonly content?: readonly { readonly type: string; readonly text?: string }[];
    }[];
  };
}

function readLines(path: string): readonly Line[] {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line);
}

const getTexts = ({ payload: { replacement_history: history = [] } }: Line) =>
  history.map(({ type, content }) => content?.map(({ text }) => text).join('') ?? type);

describe('compact of a thread of Codex', () => {
  it('is due once nine tenths of the window are taken that the thread names', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    expect(await compact(path)).toMatchObject({
      action: 'unchanged',
      compaction: { contextWindow: 258_400 },
    });
    const full = { last_token_usage: { total_tokens: 232_561 }, model_context_window: 258_400 };
    const event = { type: 'token_count', info: full };
    const line = { timestamp: '2026-11-21T21:09:40.000Z', ordinal: 90, type: 'event_msg' };
    appendFileSync(path, `${JSON.stringify({ ...line, payload: event })}\n`);
    expect(await compact(path)).toMatchObject({
      action: 'compact',
      compaction: { tokensBefore: 232_561 },
    });
    expect(await compact(path, '--context-window', '300000')).toMatchObject({
      action: 'unchanged',
    });
  });

  it('appends one line of the next ordinal: what was typed, and behind it the summary', async () => {
    const path = await placeRecorded(getRecorded('images'));
    const before = readLines(path);
    expect(await compact(path, '--force', '--apply')).toMatchObject({ action: 'compact' });
    const lines = readLines(path);
    expect(lines.slice(0, -1)).toEqual(before);
    const last = lines.at(-1);
    expect(last).toMatchObject({ type: 'compacted', ordinal: (before.at(-1)?.ordinal ?? 0) + 1 });
    const texts = last ? getTexts(last) : [];
    expect(texts.at(-1)).toBe(last?.payload.message);
    expect(texts.at(-1)).toContain('produced a summary of its thinking process');
    expect(texts.length).toBeGreaterThan(1);
    expect(JSON.stringify(last)).not.toContain('input_image');
    expect(await compact(path, '--force', '--grace', '0s')).toMatchObject({ action: 'unchanged' });
  });

  it('appends to a legacy thread as it is, with the event that shows it', async () => {
    const path = await placeRecorded(getRecorded('legacy-linear'));
    expect(await compact(path, '--force', '--apply')).toMatchObject({ action: 'compact' });
    const [entry, event] = readLines(path).slice(-2);
    expect(entry).toMatchObject({ type: 'compacted' });
    expect(entry).not.toHaveProperty('ordinal');
    expect(event).toMatchObject({ type: 'event_msg', payload: { type: 'context_compacted' } });
  });

  it('takes an earlier summary for no prompt, in whatever words it is', async () => {
    const path = await placeRecorded(getRecorded('made-compaction-appended'));
    const content = [{ type: 'input_text', text: 'One more thing' }];
    const payload = { type: 'message', role: 'user', content };
    const line = { timestamp: '2026-11-21T21:12:00.000Z', ordinal: 90, type: 'response_item' };
    appendFileSync(path, `${JSON.stringify({ ...line, payload })}\n`);
    expect(await compact(path, '--force', '--apply')).toMatchObject({ action: 'compact' });
    const [last] = readLines(path).slice(-1);
    const [summary, ...prompts] = last ? getTexts(last).toReversed() : [];
    expect(prompts.toReversed()).toEqual(['List the files', 'Thanks', 'One more thing']);
    expect(summary).toContain('HAND SUMMARY');
  });

  it('merges an earlier summary, and hands on what only the provider can read', async () => {
    const path = await placeRecorded(getRecorded('compacted-manual'));
    const lines = readLines(path).map((line) => {
      const { replacement_history: history } = line.payload;
      if (!history) return line;
      const sealed = { type: 'compaction', encrypted_content: 'opaque' };
      const payload = { ...line.payload, replacement_history: [...history, sealed] };
      return { ...line, payload: { ...payload, replacement_history_metadata: null } };
    });
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await compact(path, '--force', '--apply');
    const last = readLines(path).at(-1);
    const texts = last ? getTexts(last) : [];
    expect(texts).toContain('compaction');
    expect(texts.filter((text) => text.includes('thinking process'))).toHaveLength(1);
    expect(texts[0]).toBe('With a summary');
  });

  it('writes no half of a surrogate pair that a hook supplies: Codex would skip the line', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    const hook = join(dirname(path), 'hook.mjs');
    const answer = String.raw`({ compaction: { summary: '## Goal\n\ud83d \u{1f600} \ude00' } })`;
    writeFileSync(hook, `export const beforeCompaction = () => ${answer};\n`);
    await compact(path, '--force', '--apply', '--hook', hook);
    expect(readLines(path).at(-1)?.payload.message).toContain('## Goal\n\ufffd \u{1f600} \ufffd');
  });

  it('keeps no more of what was typed than --keep-recent-tokens', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    await compact(path, '--force', '--apply', '--keep-recent-tokens', '1');
    const last = readLines(path).at(-1);
    const kept = (last ? getTexts(last) : []).slice(0, -1).join('');
    expect(kept.length).toBeLessThanOrEqual(3);
  });

  it('skips a compressed one, and one from before 0.40', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    const packed = `${path}.zst`;
    renameSync(path, packed);
    writeFileSync(packed, toZstd(readFileSync(packed)));
    expect(await compact(packed, '--force', '--apply')).toMatchObject({
      action: 'skip',
      reasons: ['is compressed; run coppice compact --decompress first'],
    });
    const old = await placeRecorded(getRecorded('era-0.20'));
    expect(await compact(old, '--force', '--apply')).toMatchObject({ action: 'skip' });
  });
});
