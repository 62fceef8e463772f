import { describe, expect, it } from 'vitest';
import { formatTurnBlock } from '../../../../src/export/formats/html/turn-block.ts';
import { TooLongError } from '../../../../src/errors.ts';
import type { ToolResultTurn } from '../../../../src/session/model/text/conversation.ts';

const LATIN_1 = /^[\0-\u00ff]*$/;

describe('a turn of a page', () => {
  it('keeps to Latin-1 where the session does: V8 holds other texts in twice the memory', () => {
    const calls = new Map([['call', 'bash '.repeat(40)]]);
    const block = formatTurnBlock(result('a line '.repeat(100)), -1, calls);
    expect(block).toMatch(LATIN_1);
  });

  it('keeps what a result says', () => {
    expect(formatTurnBlock(result('→'), -1, new Map())).toContain('"pre":"→"');
  });

  it('has no text that no browser shows, and of which several copies would fill the memory', () => {
    const format = (length: number) => formatTurnBlock(result('<'.repeat(length)), -1, new Map());
    expect(format(2 ** 20).length).toBeGreaterThan(6 * 2 ** 20);
    expect(() => format(2 ** 25 + 1)).toThrow(TooLongError);
  });
});

function result(text: string): ToolResultTurn {
  return {
    role: 'toolResult',
    entry: { line: 1, type: 'message' } as ToolResultTurn['entry'],
    time: 0,
    blocks: [{ type: 'text', text }],
    callId: 'call',
    toolName: 'bash',
    isError: false,
  };
}
