import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { openTerminal } from '../../src/cli/terminal.ts';

function getColumns(facts: { readonly isTTY?: boolean; readonly columns?: number }): unknown {
  const stdout = Object.assign(new PassThrough(), facts);
  const own: NodeJS.Process = Object.create(process, { stdout: { value: stdout } });
  return openTerminal(own).out.columns;
}

it.each([
  ['as wide as it says', { isTTY: true, columns: 120 }, 120],
  ['80 columns wide if it does not know', { isTTY: true, columns: 0 }, 80],
  ['of no width where it is a pipe', { columns: 120 }, undefined],
])('is %s', (_, facts, columns) => {
  expect(getColumns(facts)).toBe(columns);
});
