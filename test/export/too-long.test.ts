import { expect, it } from 'vitest';
import type { ExportDocument } from '../../src/export/formats/format.ts';
import { createSingleFile } from '../../src/export/formats/format.ts';
import { stringify } from '../../src/export/turns/stringify.ts';

it('says of a value that it is nested too deeply, and of a text that it is too long', () => {
  let deep: object = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
  // From Node 25 on there is no limit to the depth.
  const whole = `${'{"deep":'.repeat(100_000)}{}${'}'.repeat(100_000)}`;
  expect(['"(nested too deeply)"', whole].includes(stringify(deep))).toBe(true);
  const long = {
    toJSON(): never {
      throw new RangeError('Invalid string length');
    },
  };
  expect(() => stringify(long)).toThrow('Invalid string length');
});

it('names the session and the line that hold a text too long for a string', async () => {
  // oxlint-disable-next-line require-yield
  async function* write(): AsyncGenerator<string> {
    await Promise.resolve();
    throw new RangeError('Invalid string length');
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part that is asked for
  const document = { session: { path: '/s/a.jsonl' }, line: () => 7 } as ExportDocument;
  const [part] = createSingleFile('.md', write)(document, 'stem');
  const read = async (): Promise<void> => {
    for await (const _ of part?.chunks ?? []) expect.fail();
  };
  await expect(read()).rejects.toMatchObject({
    path: '/s/a.jsonl',
    code: 'ETOOLONG',
    message: expect.stringContaining('line 7'),
  });
});
