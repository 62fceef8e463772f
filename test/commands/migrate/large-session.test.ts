import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import {
  assistant,
  boundary,
  summary,
  text,
  toNode,
  toText,
  user,
} from '../../session/agents/claude-code/healthy-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
/** Of a larger file, Claude Code reads nothing before the last compaction. */
const MAX_WHOLE = 5 * 1024 * 1024;

/** A session that continues, behind its compaction, from `parent`; its file has `size` bytes. */
async function move(parent: string, size: number) {
  const home = await makeTempDir();
  const name = `.claude/projects/-src-api/${ID}.jsonl`;
  const path = join(home, name);
  const cwd = { cwd: '/src/api' };
  const nodes = [
    toNode('n1', null, 1, { ...user([text('first')]), ...cwd }),
    toNode('n2', 'n1', 2, { ...assistant('m1', text('one')), ...cwd }),
    toNode('b1', null, 3, { ...boundary(), ...cwd }),
    toNode('b2', 'b1', 4, { ...summary, ...cwd }),
    toNode('n3', parent, 60, { ...user([text('from another terminal')]), ...cwd }),
    toNode('n4', 'n3', 61, { ...assistant('m3', text('three')), ...cwd }),
  ].map((node) => ({ ...node, ...cwd }));
  const toTitle = (length: number) => ({ type: 'ai-title', aiTitle: 't'.repeat(length) });
  const rest = toText([toTitle(0), ...nodes]).length;
  await writeFiles(home, { [name]: toText([toTitle(size - rest), ...nodes]) });
  await utimes(path, 0, 0);
  expect((await stat(path)).size).toBe(size);
  const argv = ['migrate', '--cwd', '/src/api=/home/somebody/work/api', '--apply', '--json'];
  const { out } = await runTest(argv, { home, cwd: home });
  const { action, reasons } = JSON.parse(out).results[0];
  return [action, reasons.join()];
}

it('leaves a session that would get so large that Claude Code loads another conversation', async () => {
  const [action, reason] = await move('n2', MAX_WHOLE - 10);
  expect(action).toBe('skip');
  expect(reason).toContain('Claude Code might continue with another conversation');
});

it('moves one of which it loads the same, or that keeps its side of the limit', async () => {
  expect((await move('b2', MAX_WHOLE - 10))[0]).toBe('relocate');
  expect((await move('n2', MAX_WHOLE - 5000))[0]).toBe('relocate');
  expect((await move('n2', MAX_WHOLE + 10))[0]).toBe('relocate');
});
