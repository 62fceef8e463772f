import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import {
  assistant,
  call,
  result,
  text,
  toNode,
  toSessionPath,
  toText,
  user,
} from '../../session/agents/claude-code/healthy-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';

const LINES = [
  toNode('n1', null, 1, user('Long ago. '.repeat(20))),
  toNode('n2', 'n1', 2, assistant('m1', text('Zero.'))),
  toNode('n3', 'n2', 3, user('First.')),
  toNode('n4', 'n3', 4, assistant('m2', text('One.'))),
];

/** Made by one answer: the result of the first call is beside the chain of parents. */
const SIDE_BY_SIDE = [
  toNode('n1', null, 1, user('Long ago. '.repeat(200))),
  toNode('n2', 'n1', 2, assistant('m1', text('Zero.'))),
  toNode('n3', 'n2', 3, user('First.')),
  toNode('n4', 'n3', 4, assistant('m2', call('c1'))),
  toNode('n5', 'n4', 5, assistant('m2', call('c2'))),
  toNode('n6', 'n4', 6, user([result('c1')])),
  toNode('n7', 'n5', 7, user([result('c2')])),
  toNode('n8', 'n7', 8, assistant('m3', text('One.'))),
  toNode('n9', 'n8', 9, user('Second.')),
  toNode('n10', 'n9', 10, assistant('m4', text('Two.'))),
];

async function compact(lines: typeof LINES, version: string, limit: string) {
  const home = await makeTempDir();
  const path = toSessionPath(home);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, toText(lines.map((line) => ({ ...line, version }))));
  await utimes(path, 0, 0);
  const argv = ['compact', path, '--force', '--apply', '--keep-recent-tokens', limit, '--json'];
  const { out } = await runTest(argv, { home, cwd: home });
  return JSON.parse(out).results[0];
}

it.each([
  { version: '2.0.56', kept: null, summarized: 4 },
  { version: '2.1.89', kept: null, summarized: 4 },
  { version: '2.1.90', kept: 'n3', summarized: 2 },
  { version: '2.2.0', kept: 'n3', summarized: 2 },
  { version: 'unknown', kept: 'n3', summarized: 2 },
])('keeps turns only for a release that sends them: $version', async (one) => {
  const { action, compaction } = await compact(LINES, one.version, '20');
  expect({
    action,
    kept: compaction.firstKeptEntryId,
    summarized: compaction.messagesToSummarize,
  }).toEqual({ action: 'compact', kept: one.kept, summarized: one.summarized });
});

it.each([
  { version: '2.1.133', kept: 'n9' },
  { version: '2.1.332', kept: 'n3' },
])('keeps calls made side by side only for a release that sends them: $version', async (one) => {
  const { compaction } = await compact(SIDE_BY_SIDE, one.version, '400');
  expect(compaction.firstKeptEntryId).toBe(one.kept);
});
