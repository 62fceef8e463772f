import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { runTest } from '../../memory-terminal.ts';
import {
  assistant,
  text,
  toNode,
  toText,
  user,
} from '../../session/agents/claude-code/healthy-session.ts';
import { makeTempDir } from '../../temp-dir.ts';

const NAME = 'aaaaaaaa-0000-4000-8000-000000000001';
const BOUNDARY = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted' };
/** Copies of requests, which no fork gets, and more than the client loads whole. */
const REQUEST = { type: 'api-request', sessionId: NAME, messages: 'm'.repeat(6 * 1024 * 1024) };

/** A session that continues, behind its compaction, from `parent`. */
async function forkWhole(parent: string, request: JsonObject | undefined) {
  const dir = await makeTempDir();
  const nodes = [
    toNode('n1', null, 1, user([text('first')])),
    toNode('n2', 'n1', 2, assistant('m1', text('one'))),
    toNode('b1', null, 3, BOUNDARY),
    toNode('b2', 'b1', 4, user([text('This session is being continued.')])),
    toNode('b3', 'b2', 5, assistant('m2', text('two'))),
    toNode('n3', parent, 60, user([text('from another terminal')])),
    toNode('n4', 'n3', 61, assistant('m3', text('three'))),
  ];
  const path = join(dir, `${NAME}.jsonl`);
  await writeFile(path, toText(request ? [request, ...nodes] : nodes));
  const { exitCode, err } = await runTest(['fork', path, '--whole', '--out', join(dir, 'out')], {
    cwd: dir,
    home: dir,
  });
  const made = await readdir(join(dir, 'out')).catch(() => []);
  return { exitCode, err, made: made.length };
}

it('makes no fork of all branches of which Claude Code would load another part', async () => {
  const large = await forkWhole('n2', REQUEST);
  expect(large).toMatchObject({ exitCode: 2, made: 0 });
  expect(large.err).toContain('it might continue with another conversation; fork without --whole');
});

it('makes one of a large session of which it would load the same, and of a small one', async () => {
  expect(await forkWhole('b3', REQUEST)).toMatchObject({ exitCode: 0, made: 1 });
  expect(await forkWhole('n2', undefined)).toMatchObject({ exitCode: 0, made: 1 });
});
