import { describe, expect, it } from 'vitest';
import {
  convertToLlm,
  findCutPoint,
  forkSession,
  serializeConversation,
  SessionManager,
} from '../../../src/index.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { ANSWER, QUESTION } from '../conversation.ts';

const timestamp = 1;
const wrap = (text: string) => ({ role: 'user', content: [{ type: 'text', text }], timestamp });
const COMMAND = { role: 'bashExecution', command: 'ls', output: 'a', exitCode: 2, timestamp };

describe('convertToLlm', () => {
  it.each([
    [COMMAND, wrap('Ran `ls`\n```\na\n```\n\nCommand exited with code 2')],
    [
      { ...COMMAND, output: '', cancelled: true, truncated: true, fullOutputPath: '/o' },
      wrap('Ran `ls`\n(no output)\n\n(command cancelled)\n\n[Output truncated. Full output: /o]'),
    ],
    [
      { role: 'custom', customType: 'note', content: 'Hear', display: true, timestamp },
      wrap('Hear'),
    ],
    [
      { role: 'branchSummary', summary: 'S', fromId: 'x', timestamp },
      wrap(
        'The following is a summary of a branch that this conversation came back from:\n\n<summary>\nS</summary>',
      ),
    ],
    [
      { role: 'compactionSummary', summary: 'S', tokensBefore: 1, timestamp },
      wrap(
        'The conversation history before this point was compacted into the following summary:\n\n<summary>\nS\n</summary>',
      ),
    ],
    [QUESTION, QUESTION],
    [ANSWER, ANSWER],
  ])('takes %j as pi does', (message, expected) => {
    expect(convertToLlm([message])).toEqual([expected]);
  });

  it('leaves out what the model is not to see, and roles that it does not know', () => {
    const hidden = { ...COMMAND, excludeFromContext: true };
    expect(convertToLlm([hidden, { role: 'other', content: 'x' }])).toEqual([]);
  });
});

describe('serializeConversation', () => {
  it('takes only what a model knows, as pi does', () => {
    expect(serializeConversation([COMMAND])).toBe('');
    expect(serializeConversation(convertToLlm([COMMAND]))).toMatch(/^\[User\]: Ran `ls`/);
  });

  it('does not cut a character in two', () => {
    const text = `${'x'.repeat(1999)}\u{1f600}${'y'.repeat(10)}`;
    const result = { role: 'toolResult', content: [{ type: 'text', text }] };
    const note = '\n\n[... 11 more characters truncated]';
    expect(serializeConversation([result])).toBe(`[Tool result]: ${'x'.repeat(1999)}${note}`);
  });
});

describe('findCutPoint', () => {
  const session = SessionManager.inMemory('/home/dev/orchard');
  session.appendMessage(QUESTION);
  session.appendMessage(ANSWER);
  const entries = session.getBranch();

  it('has defaults for all but the entries', () => {
    expect(findCutPoint(entries)).toEqual({
      firstKeptEntryIndex: 0,
      turnStartIndex: -1,
      isSplitTurn: false,
    });
    expect(findCutPoint(entries, 0, 2, 1)).toEqual({
      firstKeptEntryIndex: 1,
      turnStartIndex: 0,
      isSplitTurn: true,
    });
  });

  it('names a wrong argument', () => {
    // @ts-expect-error as a program without types
    expect(() => findCutPoint('x')).toThrow(
      new TypeError('entries: expected a list of objects; got "x"'),
    );
    expect(() => findCutPoint(entries, -1)).toThrow(/^startIndex: /);
    expect(() => findCutPoint(entries, 0, 1.5)).toThrow(/^endIndex: /);
    expect(() => findCutPoint(entries, 0, 1, Number.NaN)).toThrow(/^keepRecentTokens: /);
    // @ts-expect-error as a program without types
    expect(() => convertToLlm({})).toThrow(/^messages: /);
    // @ts-expect-error as a program without types
    expect(() => serializeConversation([1])).toThrow(/^messages: /);
  });
});

describe('forkSession', () => {
  it('forks the current path beside its source unless told otherwise', async () => {
    const dir = await makeTempDir();
    const session = SessionManager.create('/home/dev/orchard', dir);
    session.appendMessage(QUESTION);
    const path = session.getSessionFile() ?? '';
    const [fork] = await forkSession(path);
    expect(fork).toMatchObject({ source: path, entries: 1, leafId: session.getLeafId() });
    expect(SessionManager.open(fork?.path ?? '').getHeader()).toMatchObject({
      parentSession: path,
    });
  });

  it('names a wrong argument', async () => {
    // @ts-expect-error as a program without types
    await expect(forkSession(7)).rejects.toThrow(new TypeError('path: expected a path; got 7'));
  });
});
