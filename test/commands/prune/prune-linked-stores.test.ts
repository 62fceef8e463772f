import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const DAY = 24 * 60 * 60 * 1000;

function toDate(days: number): string {
  return new Date(NOW - days * DAY).toISOString();
}

async function ageAll(directory: string): Promise<void> {
  const time = (NOW - 90 * DAY) / 1000;
  const names = await readdir(directory, { recursive: true });
  for (const name of names.toReversed()) await utimes(join(directory, name), time, time);
}

function readDecisions(out: string): string {
  const { results } = JSON.parse(out) as {
    readonly results: readonly { readonly action: string; readonly reasons: string[] }[];
  };
  return results.map(({ action, reasons }) => `${action}: ${reasons.join(', ')}`).join('\n');
}

function piSession(id: string, days: number, parentSession?: string): readonly object[] {
  const parent = parentSession === undefined ? {} : { parentSession };
  return sampleSession({ id, start: toDate(days), text: id, ...parent });
}

function neovateSession(sessionId: string, days: number, forkedFrom?: object): readonly object[] {
  const message = { parentUuid: null, role: 'user', content: 'prompt', type: 'message' };
  const uuid = '10000000-0000-4000-8000-000000000001';
  return [{ ...message, uuid, timestamp: toDate(days), sessionId, forkedFrom }];
}

/** A session that is to be removed, and a young fork of it in another project. */
const FORKS = {
  pi: {
    linked: '.pi/agent/sessions',
    project: '--a--',
    sessions: {
      '--a--/source.jsonl': piSession('source', 90),
      '--b--/fork.jsonl': piSession('fork', 5, '/any/store/--a--/source.jsonl'),
    },
  },
  Neovate: {
    linked: '.neovate',
    project: 'projects/a',
    sessions: {
      'projects/a/aaaaaaaa.jsonl': neovateSession('aaaaaaaa', 90),
      'projects/b/bbbbbbbb.jsonl': neovateSession('bbbbbbbb', 5, {
        sessionId: 'aaaaaaaa',
        messageUuid: '10000000-0000-4000-8000-000000000001',
      }),
    },
  },
};

describe.each(Object.entries(FORKS))(
  'a directory of %s that is a link',
  (_agent, { linked, project, sessions }) => {
    it('keeps what forks in other projects need, where one is named by its place there', async () => {
      const home = await makeTempDir();
      const disk = join(home, 'disk', 'data');
      await writeFiles(disk, sessions);
      for (const name of Object.keys(sessions)) {
        const time = (NOW - 5 * DAY) / 1000;
        await utimes(join(disk, name), time, time);
      }
      const link = join(home, linked);
      await mkdir(dirname(link), { recursive: true });
      await symlink(disk, link);
      const decide = async (named: string): Promise<string> => {
        const args = ['--store', named, '--older-than', '30d', '--allow-empty', '--json'];
        const { out } = await runTest(['prune', ...args], { cwd: home, home });
        return readDecisions(out);
      };
      const kept = 'keep: not older than 30d, as forks of it are newer';
      expect(await decide(join(link, project))).toBe(kept);
      expect(await decide(join(disk, project))).toBe(kept);
    });
  },
);

const UUID = 'aaaaaaaa-1111-4111-8111-111111111111';

/** A session whose checkpoints a copy has, too, in a directory beside that of the agent. */
const COPIES = {
  Neovate: {
    linked: '.neovate',
    session: { 'projects/a/aaaaaaaa.jsonl': neovateSession('aaaaaaaa', 90) },
    checkpoint: 'file-history/aaaaaaaa/1@v1',
    other: '.acme',
    shared: undefined,
  },
  'Claude Code': {
    linked: '.claude',
    session: {
      [`projects/-a/${UUID}.jsonl`]: [
        {
          parentUuid: null,
          isSidechain: false,
          cwd: '/w',
          sessionId: UUID,
          type: 'user',
          message: { role: 'user', content: 'prompt' },
          uuid: '10000000-0000-4000-8000-000000000001',
          timestamp: toDate(90),
        },
      ],
    },
    checkpoint: `file-history/${UUID}/1@v1`,
    other: '.claude-work',
    shared: 'file-history',
  },
};

describe.each(Object.entries(COPIES))('a directory of %s that is a link', (_agent, copies) => {
  it('keeps sidecars of a copy beside it, where its store is named by its place there', async () => {
    const { linked, session, checkpoint, other, shared } = copies;
    const home = await makeTempDir();
    const disk = join(home, 'disk', 'data');
    await writeFiles(disk, { ...session, [checkpoint]: 'text' });
    await writeFiles(join(home, other), session);
    await symlink(disk, join(home, linked));
    if (shared !== undefined) await symlink(join(disk, shared), join(home, other, shared));
    const prune = async (at: string): Promise<boolean> => {
      for (const root of [disk, join(home, other)]) await ageAll(root);
      const args = ['--store', join(home, at, 'projects'), '--older-than', '30d', '--allow-empty'];
      await runTest(['prune', ...args, '--delete', '--apply'], { cwd: home, home });
      return existsSync(join(disk, checkpoint));
    };
    expect(await prune('disk/data')).toBe(true);
    expect(await prune(linked)).toBe(true);
    await writeFiles(disk, session);
    await rm(join(home, other), { recursive: true });
    await mkdir(join(home, other));
    expect(await prune('disk/data')).toBe(false);
  });

  it('keeps checkpoints of a session beside it that is only there', async () => {
    const { linked, session, checkpoint, other, shared } = copies;
    const home = await makeTempDir();
    const disk = join(home, 'disk', linked);
    // Without any session, they may be on another disk.
    const another = JSON.stringify(session).replaceAll('aaaaaaaa', 'cccccccc');
    await writeFiles(disk, { ...(JSON.parse(another) as typeof session), [checkpoint]: 'text' });
    await writeFiles(join(home, other), session);
    await symlink(disk, join(home, linked));
    if (shared !== undefined) await symlink(join(disk, shared), join(home, other, shared));
    const prune = async (): Promise<boolean> => {
      await ageAll(disk);
      const args = ['--orphans', '--store', join(disk, 'projects'), '--delete', '--apply'];
      await runTest(['prune', ...args], { cwd: home, home });
      return existsSync(join(disk, checkpoint));
    };
    expect(await prune()).toBe(true);
    await rm(join(home, other), { recursive: true });
    expect(await prune()).toBe(false);
  });
});

describe('a directory of Claude Code that is a link', () => {
  it.each([
    ['jobs/pins.json', JSON.stringify([UUID.slice(0, 8)]), 'keep: is pinned (--include-pinned)'],
    [
      `sessions/${process.pid}.json`,
      JSON.stringify({ pid: process.pid, sessionId: UUID }),
      'keep: is open in its agent',
    ],
  ])('has the notes beside it of another with its projects: %s', async (note, text, kept) => {
    const home = await makeTempDir();
    const disk = join(home, 'disk', 'data');
    await writeFiles(disk, COPIES['Claude Code'].session);
    await ageAll(disk);
    await symlink(disk, join(home, '.claude'));
    const decide = async (): Promise<string> => {
      const args = ['--store', join(disk, 'projects'), '--older-than', '30d', '--allow-empty'];
      const { out } = await runTest(['prune', ...args, '--json'], { cwd: home, home });
      return readDecisions(out);
    };
    await writeFiles(join(home, '.claude-work'), { [note]: text });
    expect(await decide()).toBe('remove: older than 30d');
    await symlink(join(disk, 'projects'), join(home, '.claude-work/projects'));
    expect(await decide()).toBe(kept);
  });
});
