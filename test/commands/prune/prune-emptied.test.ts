import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Agent } from '../../../src/session/model/agent.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const AGE = 50 * 24 * 60 * 60 * 1000;
const timestamp = new Date(NOW - AGE).toISOString();
const ID = 'aaaaaaaa-1111-4111-8111-111111111111';

const said = { parentUuid: null, uuid: 'u1', sessionId: ID, timestamp };
const message = { role: 'user', content: 'prompt' };

/** The store of each agent, with the line or lines of a session; whether its empty directory stays. */
const CASES: readonly [Agent, store: string, lines: readonly object[], stays: boolean][] = [
  ['pi', '.pi/agent/sessions', sampleSession({ id: ID, start: timestamp }), true],
  ['neovate', '.neovate/projects', [{ ...said, ...message, type: 'message' }], false],
  [
    'claude-code',
    '.claude/projects',
    [{ ...said, type: 'user', isSidechain: false, cwd: '/w', message }],
    false,
  ],
];

it.each(CASES)('the directory that it has emptied, of %s', async (agent, store, lines, stays) => {
  const home = await makeTempDir();
  const path = join(home, store, 'proj', `${ID}.jsonl`);
  await writeFiles(home, { [`${store}/proj/${ID}.jsonl`]: lines });
  await utimes(path, (NOW - AGE) / 1000, (NOW - AGE) / 1000);
  const rules = ['--agent', agent, '--older-than', '30d', '--allow-empty', '--delete', '--apply'];
  const { out, err } = await runTest(['prune', ...rules], { home, cwd: home });
  expect(`${out}${err}`).toContain('Removed 1 of 1 session');
  // An open pi makes it no more: without it, nothing that pi has still to write is saved.
  expect(await readdir(join(home, store), { recursive: true })).toEqual(stays ? ['proj'] : []);
});
