import { describe, expect, it } from 'vitest';
import { groupExchanges } from '../../../src/export/turns/exchanges.ts';
import type { Turn } from '../../../src/session/model/text/conversation.ts';

function toTurn(turn: object): Turn {
  return { blocks: [], ...turn } as unknown as Turn;
}

const answer = (...ids: readonly string[]): Turn =>
  toTurn({
    role: 'assistant',
    blocks: ids.map((id) => ({ type: 'toolCall', id, name: 'run', arguments: {} })),
  });

const result = (callId: string, text = ''): Turn =>
  toTurn({ role: 'toolResult', callId, blocks: [{ type: 'text', text }] });

const user = (text: string): Turn => toTurn({ role: 'user', blocks: [{ type: 'text', text }] });

/** Each exchange as its role, or as its calls and the results that they got. */
async function group(turns: readonly Turn[]): Promise<readonly string[]> {
  const grouped: string[] = [];
  for await (const one of groupExchanges(toDocument(toAsync(turns)))) {
    if (one.kind === 'prompt') grouped.push(one.role);
    else {
      const results = one.results.map(({ callId }) => callId);
      grouped.push(`${one.calls.map(({ id }) => id).join('+')}=${results.join('+')}`);
    }
  }
  return grouped;
}

const toDocument = (turns: AsyncIterable<Turn>) => ({
  turns: () => turns,
  wrapSummary: (_kind: string, text: string) => text,
});

async function* toAsync(turns: readonly Turn[]): AsyncGenerator<Turn> {
  yield* await Promise.resolve(turns);
}

describe('the results of an answer', () => {
  it.each([
    [
      'follow a prompt that came before them',
      [answer('a'), user('x'), result('a')],
      ['a=a', 'user'],
    ],
    [
      'follow other answers',
      [answer('a', 'b'), result('b'), answer('c'), result('c'), result('a'), user('x')],
      ['a+b=b+a', 'c=c', 'user'],
    ],
    [
      'are those of the last answer that made the call',
      [answer('a'), user('x'), answer('a'), result('a'), result('a')],
      ['a=', 'user', 'a=a'],
    ],
    ['need a call', [result('a'), user('x'), answer('a')], ['user', 'a=']],
  ])('%s', async (_, turns, grouped) => {
    expect(await group(turns)).toEqual(grouped);
  });

  it('follow an answer that was broken off, however late and whatever else is open', async () => {
    const broken = toTurn({ ...answer('a', 'b'), stopReason: 'aborted' });
    const turns = [broken, result('a'), user('x'), result('b')];
    expect(await group(turns)).toEqual(['a+b=a+b', 'user']);
    expect(await group([answer('c'), ...turns])).toEqual(['c=', 'a+b=a+b', 'user']);
  });

  it('are not waited for without end', async () => {
    const prompts = Array.from({ length: 2000 }, () => user('x'));
    let read = 0;
    const turns = [answer('a'), ...prompts];
    const counted = (async function* () {
      for await (const turn of toAsync(turns)) {
        read += 1;
        yield turn;
      }
    })();
    await groupExchanges(toDocument(counted)).next();
    expect(read).toBeLessThan(turns.length);
  });
});
