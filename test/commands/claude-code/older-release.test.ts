import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import {
  assistant,
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

it.each([
  { version: '2.0.56', kept: null, summarized: 4 },
  { version: '2.1.89', kept: null, summarized: 4 },
  { version: '2.1.90', kept: 'n3', summarized: 2 },
  { version: '2.2.0', kept: 'n3', summarized: 2 },
  { version: 'unknown', kept: 'n3', summarized: 2 },
])('keeps turns only for a release that sends them: $version', async (one) => {
  const home = await makeTempDir();
  const path = toSessionPath(home);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, toText(LINES.map((line) => ({ ...line, version: one.version }))));
  await utimes(path, 0, 0);
  const argv = ['compact', path, '--force', '--apply', '--keep-recent-tokens', '20', '--json'];
  const { out } = await runTest(argv, { home, cwd: home });
  const { action, compaction } = JSON.parse(out).results[0];
  expect({
    action,
    kept: compaction.firstKeptEntryId,
    summarized: compaction.messagesToSummarize,
  }).toEqual({ action: 'compact', kept: one.kept, summarized: one.summarized });
});
