import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { makeHome, type NeovateHome } from '../neovate/world.ts';

const MOVE = ['migrate', '--cwd', '/home/u/demo-project=/srv/demo'];

let world: NeovateHome;

beforeEach(async () => {
  world = await makeHome();
  const [header = {}, ...entries] = sampleSession({ id: 'v9', cwd: '/home/u/demo-project' });
  await writeFiles(world.home, {
    '.pi/agent/sessions/--home-u-demo-project--/v9.jsonl': [{ ...header, version: 9 }, ...entries],
    'notes.jsonl': 'no session\n',
  });
});

it('migrate --cwd names the sessions of a moved project that cannot follow it', async () => {
  const { exitCode, err } = await world.run(...MOVE);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  const results = await world.results(...MOVE);
  expect(results.map(({ action, reasons }) => [action, reasons])).toEqual([
    ...Array.from({ length: 4 }, () => ['skip', [expect.stringContaining('fork --whole --cwd')]]),
    ['skip', [expect.stringContaining('is of format version 9')]],
  ]);
  const elsewhere = await world.run('migrate', '--cwd', '/home/u/other=/srv/other');
  expect(elsewhere.err).toContain('no selected session has its working directory in');
});

it('migrate --cwd fails for a named file that is no session, and for one that cannot follow', async () => {
  for (const [target, reason] of [
    [join(world.home, 'notes.jsonl'), 'is not a session file'],
    ['f05de3d5', 'fork --whole --cwd'],
  ] as const) {
    const { exitCode, err } = await world.run(...MOVE, target);
    expect({ exitCode, err }).toEqual({ exitCode: 3, err: expect.stringContaining(reason) });
  }
});
