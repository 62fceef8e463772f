import { readdir } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { branchedSession } from '../../branched-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let dir: string;

const header = { type: 'session', version: 3, id: 'h', timestamp: '2026-01-01', cwd: '/' };
const user = (id: string | undefined, parentId: string | null) => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-01-01T00:00:00.000Z',
  message: { role: 'user', content: 'x' },
});

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, {
    's.jsonl': branchedSession(),
    'other.jsonl': sampleSession(),
    'cycle.jsonl': [header, user('aaaa', 'cccc'), user('bbbb', 'aaaa'), user('cccc', 'bbbb')],
    'self.jsonl': [header, user('aaaa', 'aaaa')],
    'orphan.jsonl': [header, user('aaaa', 'gone')],
    'no-id.jsonl': [header, user(undefined, null)],
    'only-header.jsonl': [header],
    'no-header.jsonl': [user('aaaa', null)],
    'newer.jsonl': [{ ...header, version: 9 }, user('aaaa', null)],
    'core.jsonl': [{ kind: 'header', v: 4, id: 'x', cwd: '/' }],
    'empty.jsonl': '',
    'notes.jsonl': [{ hello: 'world' }],
    'taken/2026-01-01T00-00-00-000Z_taken.jsonl': sampleSession({ id: 'taken' }),
  });
});

describe('fork refuses, with exit 2 and nothing written,', () => {
  it.each([
    ['an unknown entry', 's.jsonl --at nowhere', 'has no entry and no label nowhere'],
    ['an entry of another session', 's.jsonl --at aaaaaaa1', 'has no entry and no label aaaaaaa1'],
    ['an ambiguous prefix', 's.jsonl --at aaaa', 'aaaa matches 4 entries: aaaa0001 (line 2)'],
    ['a prefix that is too short', 's.jsonl --at ccc', 'a prefix needs 4 characters'],
    ['an answer as a message to fork before', 's.jsonl --before aaaa0002', 'is not a user message'],
    ['a message whose parent is missing', 'orphan.jsonl --before aaaa', 'is not in the file'],
    ['a target whose id exists', 's.jsonl --out taken --id taken', 'has the id taken already'],
    ['an id that pi would not take', 's.jsonl --id ../x', '--id ../x: expected letters, digits'],
    ['an empty id', 's.jsonl --id=', '--id: needs a value'],
    ['one id for several sessions', 's.jsonl other.jsonl --id x', '--id: needs a single session'],
    [
      'one id for several branches',
      's.jsonl --each-leaf --id x',
      '--each-leaf: cannot be combined with --id',
    ],
    ['a cycle', 'cycle.jsonl', 'is a cycle'],
    ['a cycle of one', 'self.jsonl --at aaaa', 'is a cycle'],
    ['a leaf without an id', 'no-id.jsonl', 'line 2 has no id'],
    ['a session without entries', 'only-header.jsonl', 'there is nothing to fork'],
    ['a session without entries, whole', 'only-header.jsonl --whole', 'there is nothing to fork'],
    ['an empty file', 'empty.jsonl', 'is empty'],
    ['a file that is not a session', 'notes.jsonl', 'is not a session file'],
    ['a session without a header', 'no-header.jsonl', 'has no header'],
    ['a version that is not known', 'newer.jsonl', 'format version 9'],
    ['the storage of pi-agent-core', 'core.jsonl', 'format version 4'],
    [
      'two places at once',
      's.jsonl --at aaaa0001 --whole',
      '--at aaaa0001: cannot be combined with --whole',
    ],
    ['to fork every store by a slip', '', 'expected targets or a selector'],
    ['to fork a whole store by a slip', '--store .', 'expected targets or a selector'],
    ['to fork all of an agent by a slip', '--agent pi', 'expected targets or a selector'],
    [
      'to fork a part of a store by a slip',
      '--store . --shard 1/2',
      'expected targets or a selector',
    ],
    ['a directory that is a file', 's.jsonl --out other.jsonl', 'is not a directory'],
    ['a selection without a session', '--store . --named nobody', 'no session matches'],
    ['to list points of no session', '--store . --named nobody --points', 'no session matches'],
    ['an empty working directory', 's.jsonl --cwd=', '--cwd: needs a value'],
    ['an empty target directory', 's.jsonl --out=', '--out: needs a value'],
  ])('%s', async (_what, line, message) => {
    const before = await readdir(dir, { recursive: true });
    const args = line.split(' ').filter(Boolean);
    const { exitCode, out, err } = await runTest(['fork', ...args], { cwd: dir });
    expect(err).toContain(message);
    expect([exitCode, out]).toEqual([2, '']);
    expect(await readdir(dir, { recursive: true })).toEqual(before);
  });

  it.each(['', '--each-leaf'])(
    'an entry without an id, with advice that works: %s',
    async (how) => {
      const flags = how === '' ? [] : [how];
      const { err } = await runTest(['fork', 'no-id.jsonl', ...flags], { cwd: dir });
      expect(err).toContain('the entry on line 2 has no id: use --whole, or --at another entry');
      const whole = await runTest(['fork', 'no-id.jsonl', '--whole', '--out', 'out'], { cwd: dir });
      expect([whole.exitCode, whole.err]).toEqual([0, expect.stringContaining('Forked 1 session')]);
    },
  );

  it('never makes some branches of a session only', async () => {
    await writeFiles(dir, {
      'broken.jsonl': [
        header,
        user('aaaa', null),
        user('bbbb', 'cccc'),
        user('cccc', 'bbbb'),
        user('dddd', 'cccc'),
      ],
    });
    const { exitCode } = await runTest(['fork', 'broken.jsonl', '--each-leaf', '--out', 'out'], {
      cwd: dir,
    });
    expect(exitCode).toBe(2);
    expect(await readdir(dir)).not.toContain('out');
  });
});
