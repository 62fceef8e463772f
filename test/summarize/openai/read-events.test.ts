import { describe, expect, it } from 'vitest';
import { limitBytes, readBeginning, readText } from '../../../src/summarize/openai/read-body.ts';
import { readEvents } from '../../../src/summarize/openai/read-events.ts';

async function* toChunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function collect(texts: readonly string[], maxLength = 100): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const data of readEvents(toChunks(...texts), maxLength)) found.push(data);
  return found;
}

describe('readEvents', () => {
  const text = ': a comment\r\nevent: x\ndata: {"a":1}\r\n\r\ndata:{"b":"é"}\n\ndata: [DONE]';
  const expected = ['{"a":1}', '{"b":"é"}', '[DONE]'];

  it('gives the data of each event, wherever the chunks are cut', async () => {
    expect(await collect([text])).toEqual(expected);
    expect(await collect(text.match(/[\s\S]/g) ?? [])).toEqual(expected);
    expect(await collect(text.match(/[\s\S]{1,7}/g) ?? [])).toEqual(expected);
  });

  it('refuses an event without an end', async () => {
    await expect(collect(['data: ', 'x'.repeat(60), 'x'.repeat(60)])).rejects.toThrow(
      'an event of',
    );
    await expect(collect(Array.from({ length: 60 }, () => 'data: x\n'))).rejects.toThrow(
      'an event of',
    );
    expect(await collect(['data: x\n\n'.repeat(60)])).toHaveLength(60);
  });

  it('refuses a stream of more bytes than it may have', async () => {
    const chunks = limitBytes(toChunks(...Array.from({ length: 50 }, () => ': nothing\n')), 400);
    const read = async () => {
      for await (const data of readEvents(chunks, 100)) expect(data).toBe('');
    };
    await expect(read()).rejects.toThrow('more than 400 bytes');
  });
});

describe('a body', () => {
  it('is read whole, or not at all', async () => {
    expect(await readText(toChunks('ab', 'c'), 3)).toBe('abc');
    await expect(readText(toChunks('ab', 'c'), 2)).rejects.toThrow('more than 2 bytes');
  });

  it('is read no further than its beginning', async () => {
    let asked = 0;
    const endless = async function* () {
      for (;;) {
        asked += 1;
        yield Buffer.from('abcd');
      }
    };
    expect(await readBeginning(endless(), 10)).toBe('abcdabcdab');
    expect(asked).toBe(3);
  });
});
