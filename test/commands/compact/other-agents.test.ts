import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeOld, makeTempDir, writeFiles } from '../../temp-dir.ts';

const NOTHING = 'sessions of neovate hold no state that is written repeatedly';

function sampleNeovate(uuid: string): readonly object[] {
  const content = 'Hi.';
  const timestamp = '2026-01-03T10:00:00.000Z';
  const message = { type: 'message', uuid, parentUuid: null, timestamp, sessionId: uuid };
  return [{ ...message, role: 'user', content, uiContent: content }];
}

it('compact counts sessions whose agent has nothing of the kind, unless they are named', async () => {
  const home = await makeTempDir();
  const names = ['p/one.jsonl', 'p/two.jsonl', 'p/three.jsonl'];
  const paths = names.map((name) => join(home, name));
  await writeFiles(home, {
    'p/one.jsonl': sampleNeovate('aaaa1111'),
    'p/two.jsonl': sampleNeovate('bbbb2222'),
    'p/three.jsonl': sampleSession({ id: 'cccc3333' }),
  });
  await makeOld(paths);
  const run = (...argv: string[]) =>
    runTest(['compact', '--superseded-state', ...argv], { home, cwd: home });
  const all = await run('p');
  expect(all.err).toBe(`coppice: 2 sessions of neovate skipped: ${NOTHING}\n`);
  expect(all.out).toBe(
    'Would reduce 0 of 3 sessions. 1 has nothing to reduce. 2 skipped. Nothing was changed.\n',
  );
  expect(await run('p', '--quiet')).toEqual({ exitCode: 0, out: '', err: '' });
  const { out, err } = await run('p', '--json');
  expect([JSON.parse(out).results.length, err]).toEqual([3, '']);
  const named = await run('p', 'p/one.jsonl');
  expect([named.exitCode, named.err]).toEqual([
    3,
    `coppice: ~/p/one.jsonl: ${NOTHING}\ncoppice: 1 session of neovate skipped: ${NOTHING}\n`,
  ]);
});
