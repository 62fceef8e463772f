import { describe, expect, it } from 'vitest';
import { arrangeMessages } from '../../../../src/session/agents/claude-code/index/tree/arrange-messages.ts';
import type { ClaudeCodeEntry } from '../../../../src/session/agents/claude-code/entry/to-entry.ts';

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
});
