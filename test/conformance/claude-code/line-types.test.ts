import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isKnownLine } from '../../../src/session/agents/claude-code/format.ts';
import { findProgram, NEWEST } from './client.ts';

/** The table by which the client decides where a line of each type is written begins so. */
const TABLE = '{user:"dedup-transcript",';
const LONGEST = 10_000;

it('knows each type of line that the newest client writes', () => {
  const program = readFileSync(findProgram(NEWEST).at(-1) ?? '');
  const start = program.indexOf(TABLE);
  expect(start).toBeGreaterThan(0);
  const [table = ''] = program.toString('latin1', start, start + LONGEST).split('}', 1);
  const types = [...table.matchAll(/[{,]"?([\w-]+)"?:"/g)].map(([, type]) => type);
  expect(types.length).toBeGreaterThan(40);
  expect(types.filter((type = '') => !isKnownLine({ type }))).toEqual([]);
});
