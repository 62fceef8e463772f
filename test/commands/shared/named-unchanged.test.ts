import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { assistant, toSession, user } from '../../session-lines.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const ID = 'aaaa1111';
const [HEADER, ...REST] = toSession([user('Hi'), assistant('Yo')]);
const SESSION = [{ ...HEADER, id: ID }, ...REST];

describe.each([
  ['migrate', []],
  ['compact', ['--superseded-state']],
])('a session that %s %j leaves as it is', (command, options) => {
  it.each([
    ['by its path', ['store/s.jsonl'], '', true],
    ['by its id, beside another', [ID, 'store/t.jsonl'], '', true],
    ['on standard input', ['-'], 'store/s.jsonl\n', true],
    ['by its directory, as the only one there', ['store/one'], '', false],
    ['by nothing', [], '', false],
  ])('has a row where it was named: %s', async (_, targets, input, hasRow) => {
    const dir = await makeTempDir();
    const other = [{ ...HEADER, id: 'bbbb2222' }, ...REST];
    await writeFiles(dir, {
      'store/s.jsonl': SESSION,
      'store/t.jsonl': other,
      'store/one/u.jsonl': [{ ...HEADER, id: 'cccc3333' }, ...REST],
    });
    const argv = [command, ...targets, ...options, '--store', 'store', '--grace', '0s'];
    const { exitCode, out } = await runTest(argv, { cwd: dir, input });
    expect([exitCode, /^unchanged /m.test(out)]).toEqual([0, hasRow]);
  });
});
