import { sized } from '../../harness/runs.ts';
import { describe, expect, it } from 'vitest';
import type { Header } from '../../../src/session/model/entry.ts';
import {
  findNaming,
  toProjectDirectoryName,
} from '../../../src/session/agents/pi/places/session-place.ts';
import { type KnownSession, RelocationPlan } from '../../../src/session/migrate/relocation.ts';

const RULES = [{ from: '/src/api', to: '/work/api' }];

function session(
  path: string,
  cwd: string,
  more: Partial<KnownSession & Header> = {},
): KnownSession {
  const { parentSession, branchedFrom, ...rest } = more;
  const header: Header = {
    id: path,
    timestamp: undefined,
    cwd,
    parentSession,
    branchedFrom,
    line: 1,
    offset: 0,
    length: 1,
  };
  const naming = { toProjectDirectoryName, findNaming };
  return { path, header, isChosen: true, isLinked: false, ...naming, ...rest };
}

function relocateAll(sessions: readonly KnownSession[], rules = RULES) {
  const plan = new RelocationPlan(sessions, rules);
  return plan.levels.flatMap((level) =>
    level.map((one) => {
      const relocation = plan.relocate(one);
      if (relocation?.moveTo !== undefined) plan.recordMove(one.path, relocation.moveTo);
      return { path: one.path, ...relocation?.changes, moveTo: relocation?.moveTo };
    }),
  );
}

describe('RelocationPlan', () => {
  it('moves a project and what lies below it, and no neighbour of a similar name', () => {
    const moved = relocateAll([
      session('/s/--src-api--/1', '/src/api'),
      session('/s/--src-api-sub--/2', '/src/api/sub'),
      session('/s/--src-apis--/3', '/src/apis'),
    ]);
    expect(moved).toEqual([
      { path: '/s/--src-api--/1', cwd: '/work/api', moveTo: '/s/--work-api--/1' },
      { path: '/s/--src-api-sub--/2', cwd: '/work/api/sub', moveTo: '/s/--work-api-sub--/2' },
    ]);
  });

  it('moves a project up one directory, but no session that a second run would move again', () => {
    const up = [{ from: '/p/sub', to: '/p' }];
    const sessions = [
      session('/s/--p-sub--/1', '/p/sub'),
      session('/s/--p-sub-sub--/2', '/p/sub/sub/x'),
      session('/s/--p-sub--/3', '/p/sub', { otherCwds: ['/p/sub/sub'] }),
      session('/s/--p-sub-b--/4', '/p/sub/b'),
    ];
    const plan = new RelocationPlan(sessions, up);
    const obstacles = sessions.map((one) => plan.relocate(one)?.obstacle);
    expect(obstacles).toEqual([
      undefined,
      expect.stringContaining('new directory /p/sub/x is one that moves'),
      expect.stringContaining('new directory /p/sub is one that moves'),
      undefined,
    ]);
  });

  it('changes only the header in a directory that is not named after the project', () => {
    expect(relocateAll([session('/flat/1', '/src/api')])).toEqual([
      { path: '/flat/1', cwd: '/work/api', moveTo: undefined },
    ]);
  });

  it('lets forks follow their parents, whichever project they are in', () => {
    const fork = session('/s/--b--/2', '/b', { parentSession: '/s/--src-api--/1' });
    const forkOfV1 = session('/s/--src-api--/0', '/src/api', { branchedFrom: '/s/--src-api--/1' });
    const parent = session('/s/--src-api--/1', '/src/api');
    expect(relocateAll([fork, forkOfV1, parent])).toEqual([
      { path: '/s/--src-api--/1', cwd: '/work/api', moveTo: '/s/--work-api--/1' },
      { path: '/s/--b--/2', parentSession: '/s/--work-api--/1', moveTo: undefined },
      {
        path: '/s/--src-api--/0',
        cwd: '/work/api',
        parentSession: '/s/--work-api--/1',
        moveTo: '/s/--work-api--/0',
      },
    ]);
  });

  it('does not tell a fork of a move that did not happen', () => {
    const parent = session('/s/--src-api--/1', '/src/api');
    const fork = session('/s/--b--/2', '/b', { parentSession: parent.path });
    const plan = new RelocationPlan([parent, fork], RULES);
    expect(plan.levels.flat()).toContain(fork);
    expect(plan.relocate(fork)).toBeUndefined();
  });

  it('takes up a run that was interrupted', () => {
    const half = session('/s/--src-api--/1', '/work/api');
    const done = session('/s/--work-api--/2', '/work/api');
    const fork = session('/s/--b--/3', '/b', { parentSession: '/s/--src-api--/2' });
    expect(relocateAll([half, done, fork])).toEqual([
      { path: half.path, cwd: undefined, moveTo: '/s/--work-api--/1' },
      { path: fork.path, parentSession: done.path, moveTo: undefined },
    ]);
    const old = session('/s/--src-api--/2', '/elsewhere');
    expect(relocateAll([done, fork, old])).toEqual([]);
  });

  it('moves only what was chosen, and names what lies behind a link', () => {
    expect(relocateAll([session('/s/--src-api--/1', '/src/api', { isChosen: false })])).toEqual([]);
    const linked = session('/s/--src-api--/1', '/src/api', { isLinked: true });
    expect(new RelocationPlan([linked], RULES).relocate(linked)?.obstacle).toContain('link');
  });

  it('goes by the innermost rule', () => {
    const rules = [...RULES, { from: '/src/api/web', to: '/web' }];
    expect(relocateAll([session('/flat/1', '/src/api/web/x')], rules)).toMatchObject([
      { cwd: '/web/x' },
    ]);
  });

  it('moves a session of oh-my-pi, which names its project below the home, and tells its forks', () => {
    const rules = [{ from: '/home/u/src', to: '/home/u/work' }];
    const [old, now] = ['/s/-src-api/1', '/s/-work-api/1'];
    const fork = session('/s/-other/2', '/home/u/other', { parentSession: old });
    const expected = { path: fork.path, parentSession: now };
    expect(relocateAll([session(old, '/home/u/src/api'), fork], rules)).toMatchObject([
      { path: old, cwd: '/home/u/work/api', moveTo: now },
      expected,
    ]);
    // An interrupted run has changed the header, or moved the file.
    expect(relocateAll([session(old, '/home/u/work/api')], rules)).toMatchObject([{ moveTo: now }]);
    expect(relocateAll([session(now, '/home/u/work/api'), fork], rules)).toMatchObject([expected]);
  });

  it('changes the directory of a session that stays where it is, since both have one name, once', () => {
    const rules = [{ from: '/src/a-b', to: '/src/a/b' }];
    const path = '/s/--src-a-b--/1';
    expect(relocateAll([session(path, '/src/a-b')], rules)).toEqual([
      { path, cwd: '/src/a/b', moveTo: undefined },
    ]);
    expect(relocateAll([session(path, '/src/a/b')], rules)).toEqual([]);
  });

  it('ends when parents go in a circle, and when a line of forks is long', () => {
    const circle = [
      session('/s/--src-api--/1', '/src/api', { parentSession: '/s/--src-api--/2' }),
      session('/s/--src-api--/2', '/src/api', { parentSession: '/s/--src-api--/1' }),
    ];
    expect(relocateAll(circle)).toHaveLength(2);
    const length = sized(4_000, 20_000);
    const line = Array.from({ length }, (_, at) =>
      session(`/s/--src-api--/${at}`, '/src/api', { parentSession: `/s/--src-api--/${at + 1}` }),
    );
    const plan = new RelocationPlan(line, RULES);
    expect(plan.levels).toHaveLength(length);
    expect(plan.levels[0]).toEqual([line.at(-1)]);
  });
});
