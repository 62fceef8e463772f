import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readElements } from '../../../../src/session/jsonl/read/read-elements.ts';
import { makeTempDir } from '../../../temp-dir.ts';

/** The lines on which the elements begin. */
async function listLines(text: string): Promise<readonly number[]> {
  const path = join(await makeTempDir(), 'array.json');
  writeFileSync(path, text);
  const lines: number[] = [];
  readElements(path, ({ number }) => lines.push(number));
  return lines;
}

it('says on which line an element begins', async () => {
  expect(await listLines('[\n  {"a": 1},\n\n  {\n"b": 2 },3\n]')).toEqual([2, 4, 5]);
  expect(await listLines('\n\n[1, 2,\n3]')).toEqual([3, 3, 4]);
});

it('counts each line feed of a long array once', async () => {
  const element = `{"text":"${'x'.repeat(1000)}"},\n`;
  const lines = await listLines(`[${element.repeat(20_000)}1]`);
  expect([lines.length, lines.at(-2), lines.at(-1)]).toEqual([20_001, 20_000, 20_001]);
});
