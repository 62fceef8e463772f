import { expect, it } from 'vitest';
import type { ExportDocument } from '../../src/export/formats/format.ts';
import { fileOf } from '../../src/export/formats/format.ts';
import { stringify } from '../../src/export/turns/stringify.ts';

it('reports that a value is nested too deeply for the stack', () => {
  // As JSON.stringify does for depths that differ from one Node to the next.
  const deep = { toJSON: (): never => fail('Maximum call stack size exceeded') };
  expect(stringify(deep)).toBe('"(nested too deeply)"');
});

it('fails for a text that is too long', () => {
  const long = { toJSON: (): never => fail('Invalid string length') };
  expect(() => stringify(long)).toThrow('Invalid string length');
});

function fail(message: string): never {
  throw new RangeError(message);
}

it('names the session and the line that hold a text too long for a string', async () => {
  // oxlint-disable-next-line require-yield
  async function* write(): AsyncGenerator<string> {
    await Promise.resolve();
    throw new RangeError('Invalid string length');
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part that is asked for
  const document = { session: { path: '/s/a.jsonl' }, line: () => 7 } as ExportDocument;
  const part = fileOf('.md', write)(document, 'stem');
  const read = async (): Promise<void> => {
    for await (const _ of part?.chunks ?? []) expect.fail();
  };
  await expect(read()).rejects.toMatchObject({
    path: '/s/a.jsonl',
    code: 'ETOOLONG',
    message: expect.stringContaining('line 7'),
  });
});
