import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import {
  assistant,
  boundary,
  SESSION_ID,
  summary,
  text,
  toNode,
  toSessionPath,
  toText,
  user,
} from '../../session/agents/claude-code/healthy-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';

/** Of a larger file, Claude Code reads nothing before the last compaction. */
const MAX_WHOLE = 5 * 1024 * 1024;
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };

/** A session that continues, behind a compaction, from `parent`. */
function toLines(parent: string) {
  return [
    toNode('n1', null, 1, user([text('Long ago. '.repeat(20)), image])),
    toNode('n2', 'n1', 2, assistant('m1', text('Zero.'))),
    toNode('n3', 'n2', 3, user('First.')),
    toNode('n4', 'n3', 4, assistant('m2', text('One.'))),
    toNode('b1', null, 5, boundary()),
    toNode('b2', 'b1', 6, summary),
    toNode('n5', parent, 60, user('From another terminal.')),
    toNode('n6', 'n5', 61, assistant('m3', text('Two.'))),
  ];
}

/** Runs a command on a file to which `room` bytes can be added before the client loads only a part of it. */
async function run(argv: readonly string[], room: number, parent = 'n4') {
  const home = await makeTempDir();
  const path = toSessionPath(home);
  await mkdir(dirname(path), { recursive: true });
  const rest = toText(toLines(parent));
  const toTitle = (length: number): string =>
    JSON.stringify({ type: 'ai-title', aiTitle: 't'.repeat(length), sessionId: SESSION_ID });
  // Two records on a line.
  const begin = (length: number): string => `${toTitle(length)}${toTitle(1)}\n`;
  const isRepair = argv[0] === 'validate';
  const head = (length: number): string => (isRepair ? begin(length) : `${toTitle(length)}\n`);
  const content = head(MAX_WHOLE - room - Buffer.byteLength(head(0) + rest)) + rest;
  expect(Buffer.byteLength(content)).toBe(MAX_WHOLE - room);
  await writeFile(path, content);
  await utimes(path, 0, 0);
  const [command = '', ...options] = argv;
  const { out, err } = await runTest([command, path, ...options, '--json'], { home, cwd: home });
  return { isChanged: (await readFile(path, 'utf8')) !== content, said: out + err };
}

const KEEP = ['compact', '--force', '--apply', '--keep-recent-tokens', '20'];
const NAME = ['fork', '--in-place', '--name', 'Passkeys', '--apply'];
const MOVE = ['fork', '--in-place', '--at', 'n4', '--apply'];
const EXTRACT = ['compact', '--images', 'extract', '--apply'];
const FIX = ['validate', '--fix'];

it.each([
  { what: 'a compaction that keeps turns', argv: KEEP, reason: 'with another conversation' },
  { what: 'a name', argv: NAME, reason: 'with another conversation' },
  { what: 'a new place to continue from', argv: MOVE, reason: 'with another conversation' },
  { what: 'notes for small images', argv: EXTRACT, reason: 'with another conversation' },
  { what: 'a repair', argv: FIX, reason: 'less of the conversation would be sent' },
])(
  'leaves a file that would get so large by $what that Claude Code loads another conversation',
  async ({ argv, reason }) => {
    const { isChanged, said } = await run(argv, 0);
    expect(said).toContain(reason);
    expect(isChanged).toBe(false);
  },
);

it.each([
  { what: 'a name', argv: NAME },
  { what: 'notes for small images', argv: EXTRACT },
  { what: 'a repair', argv: FIX },
])('changes one of which the client loads the same: $what', async ({ argv }) => {
  expect((await run(argv, 0, 'b2')).isChanged).toBe(true);
});

it.each([KEEP, NAME, MOVE, EXTRACT, FIX])(
  'changes one that stays small enough: %s',
  async (...argv) => {
    expect((await run(argv, 10_000)).isChanged).toBe(true);
  },
);

it('appends a compaction that keeps nothing also to such a file', async () => {
  const none = [...KEEP.slice(0, -1), '0'];
  expect((await run(none, 0)).isChanged).toBe(true);
});
