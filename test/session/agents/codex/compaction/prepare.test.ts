import { describe, expect, it } from 'vitest';
import { prepareCompaction } from '../../../../../src/session/agents/codex/compaction/prepare.ts';
import { getString, type JsonObject } from '../../../../../src/session/jsonl/edit/json.ts';
import type { Entry } from '../../../../../src/session/model/entry.ts';

const SETTINGS = { enabled: true, reserveTokens: undefined, keepRecentTokens: 20_000 };

/** A line of a path, and the byte at which it begins; `file`: of one in another file. */
interface Placed {
  readonly payload: JsonObject;
  readonly offset: number;
  readonly file?: string;
}

const count = (tokens: number): JsonObject => ({
  type: 'token_count',
  info: { last_token_usage: { total_tokens: tokens }, model_context_window: 258_400 },
});
const prompt = (text: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});
const COMPACTION: JsonObject = { message: 'A summary', replacement_history: [] };

const isCompaction = (payload: JsonObject): boolean => !('type' in payload);

function toEntry({ payload, ...place }: Placed, index: number): Entry {
  const type = isCompaction(payload) ? 'compaction' : (getString(payload, 'type') ?? '');
  const facts = type === 'compaction' ? { customType: 'replaces' } : { role: 'user' };
  const span = { ...place, line: index + 1, length: 1 };
  return { ...span, ...facts, id: `line-${index}`, parentId: null, type, time: 0 };
}

function toLine({ payload }: Placed): JsonObject {
  const inner = payload['type'] === 'token_count' ? 'event_msg' : 'response_item';
  const type = isCompaction(payload) ? 'compacted' : inner;
  return { timestamp: '2026-03-01T10:00:00.000Z', type, payload };
}

async function countBefore(...lines: readonly Placed[]): Promise<number | undefined> {
  const byLine = new Map(lines.map((one, index) => [index + 1, toLine(one)]));
  const read = ({ line }: Pick<Entry, 'line'>) => Promise.resolve(byLine.get(line) ?? {});
  const prepared = await prepareCompaction(lines.map(toEntry), read, SETTINGS);
  return prepared?.tokensBefore;
}

describe('the tokens before a compaction of a thread of Codex', () => {
  it('are those that the client counted last', async () => {
    const before = await countBefore(
      { payload: prompt('Hello'), offset: 100 },
      { payload: count(250_000), offset: 200 },
    );
    expect(before).toBe(250_000);
  });

  it('are not those from before the last compaction, in whichever file both are', async () => {
    const own = [
      { payload: COMPACTION, offset: 500 },
      { payload: prompt('Hello'), offset: 700 },
    ];
    expect(await countBefore({ payload: count(250_000), offset: 100 }, ...own)).toBeLessThan(100);
    const parent = { payload: count(250_000), offset: 900_000, file: '/parent.jsonl' };
    expect(await countBefore(parent, ...own)).toBeLessThan(100);
    const compacted = { payload: COMPACTION, offset: 950_000, file: '/parent.jsonl' };
    const said = { payload: prompt('Hello'), offset: 700 };
    expect(await countBefore(parent, compacted, said)).toBeLessThan(100);
  });
});
