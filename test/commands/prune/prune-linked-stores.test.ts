import { mkdir, symlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const DAY = 24 * 60 * 60 * 1000;

function toDate(days: number): string {
  return new Date(NOW - days * DAY).toISOString();
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
        const { results } = JSON.parse(out) as {
          readonly results: readonly { readonly action: string; readonly reasons: string[] }[];
        };
        return results.map(({ action, reasons }) => `${action}: ${reasons.join(', ')}`).join('\n');
      };
      const kept = 'keep: not older than 30d, as forks of it are newer';
      expect(await decide(join(link, project))).toBe(kept);
      expect(await decide(join(disk, project))).toBe(kept);
    });
  },
);
