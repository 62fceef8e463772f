import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../../memory-terminal.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { type Line, META, OTHER, OWN, say, toText, write } from './made-copies.ts';

const ID = '0199a213-81d9-7000-8000-000000000002';
const HEADER: Line = ['session_meta', { ...META, id: ID }];

const compaction = (text: string): Line => [
  'compacted',
  { message: text, replacement_history: [say('user', text)[1]] },
];
const rollBack = (turns: number): Line => [
  'event_msg',
  { type: 'thread_rolled_back', num_turns: turns },
];
const LAST: readonly Line[] = [say('user', 'last'), ['event_msg', { type: 'user_message' }]];

/** The compactions of a thread whose context `--superseded-state` keeps. */
async function listKept(lines: readonly Line[]): Promise<readonly string[]> {
  const home = await makeTempDir();
  const path = await write(home, ID, toText('legacy', [HEADER, ...lines]));
  const argv = ['compact', '--superseded-state', path, '--grace', '0s', '--apply'];
  await runTest(argv, { cwd: home, home, env: { CODEX_HOME: home } });
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"replacement_history":[{'))
    .map((line) => /"message":"(?<text>\w+)"/.exec(line)?.groups?.['text'] ?? '');
}

describe('compact --superseded-state and compactions that a rollback has undone', () => {
  it('keeps them behind the newest one on the path, since releases before 0.148 apply them', async () => {
    const own = [compaction('first'), ...OTHER, compaction('second'), ...OWN, rollBack(2), ...LAST];
    expect(await listKept([...OWN, ...own])).toEqual(['first', 'second']);
  });

  it('keeps them if the path has no other', async () => {
    const own = [...OTHER, compaction('first'), ...OWN, rollBack(2), ...LAST];
    expect(await listKept([...OWN, ...own])).toEqual(['first']);
  });

  it('empties those before the newest one on the path', async () => {
    const own = [compaction('first'), ...OTHER, rollBack(1), compaction('second'), ...LAST];
    expect(await listKept([...OWN, ...own])).toEqual(['second']);
  });
});
