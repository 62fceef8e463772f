import { describe, expect, it } from 'vitest';
import { arrangeMessages } from '../../../../src/session/agents/claude-code/index/tree/arrange-messages.ts';
import {
  type ClaudeCodeEntry,
  toEntry as indexEntry,
} from '../../../../src/session/agents/claude-code/entry/to-entry.ts';
import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';

/** More than a function takes arguments. */
const COUNT = 150_000;

function toEntry(line: number, parent: number, more: Partial<ClaudeCodeEntry>): ClaudeCodeEntry {
  const place = { line, offset: line, length: 1, time: line };
  return { id: `n${line}`, parentId: `n${parent}`, type: 'message', ...place, ...more };
}

describe('arranges a path', () => {
  it('of any length, with a call beside its end and notes behind it', () => {
    const path = Array.from({ length: COUNT }, (_, line) =>
      toEntry(line, line - 1, { role: 'user' }),
    );
    const answer = { role: 'assistant', messageId: 'm' };
    const last = toEntry(COUNT, COUNT - 1, answer);
    const beside = toEntry(COUNT + 1, COUNT, answer);
    const notes = Array.from({ length: 3 }, (_, at) =>
      toEntry(COUNT + 2 + at, COUNT, { type: 'attachment' }),
    );
    const all = [...path, last, beside, ...notes];
    const arranged = arrangeMessages([...path, last], all, true);
    expect(arranged.length).toBe(all.length);
    expect(arranged.every((entry, at) => entry === all[at])).toBe(true);
  });

  it('of answers that all reach from the first half of the path into the second', () => {
    const half = 10_000;
    const path = Array.from({ length: 2 * half }, (_, line) =>
      line % 2 === 0
        ? toEntry(line, line - 1, {
            role: 'assistant',
            messageId: `m${line % half}`,
            calls: `c${line}`,
          })
        : toEntry(line, line - 1, { type: 'attachment' }),
    );
    const beside = toEntry(2 * half, half + 1, { type: 'attachment' });
    const arranged = arrangeMessages(path, [...path, beside], false);
    expect(arranged.length).toBe(2 * half + 1);
    expect(arranged[half + 2]).toBe(beside);
  });
});

describe('an entry', () => {
  it('has the same members as every other of the tree, in the same order', () => {
    const lines: readonly JsonObject[] = [
      { type: 'user', message: { content: 'hello' }, isMeta: true },
      { type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 'c' }] } },
      { type: 'assistant', isSidechain: true, message: { id: 'm', content: [{ type: 'text' }] } },
      { type: 'assistant', message: {} },
      { type: 'system', subtype: 'compact_boundary' },
      { type: 'attachment', attachment: { type: 'file' } },
    ];
    const shapes = lines.map((line) => {
      const place = { line: 1, offset: 0, length: 1 };
      const entry = indexEntry({ uuid: 'a', ...line }, place, {
        isSubagent: false,
        before: undefined,
      });
      return Object.keys(entry).join(' ');
    });
    expect(new Set(shapes).size).toBe(1);
  });
});
