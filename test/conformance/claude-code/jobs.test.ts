import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { findProgram, NEWEST } from './client.ts';

let program: Buffer;

beforeAll(() => {
  program = readFileSync(findProgram(NEWEST).at(-1) ?? '');
});

/** `places/pins.ts` relies on these: a newer client that writes others must be looked at. */
it.each([
  ['keeps the pinned background sessions in a file of that name', '"pins.json"'],
  ['keeps the state of each in a file of that name', '"state.json"'],
  ['has these states in which one has ended', 'new Set(["done","failed","stopped"])'],
  ['takes none of these for ended while it is at work', '.tempo!=="active"'],
  ['has these sources of a name', '["user","auto","collision"]'],
  ['notes a prompt for later, and one that is to run again', 'replayOwed:!0'],
  ['notes that one wakes by itself', 'kinds.includes("session_cron")'],
  ['names the directory of one after its id', 'daemonShort:e.sessionId.slice(0,8)'],
])('the newest client %s', (_, text) => {
  expect(program.includes(text)).toBe(true);
});
