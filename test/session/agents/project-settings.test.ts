import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../src/session/agents/index.ts';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

const HOME = '/home/u';
const PROJECT = '/srv/app';
const toCompaction = (enabled: boolean): JsonObject => ({ compaction: { enabled } });

const AGENTS = [
  ['pi', '.pi/agent/settings.json', '.pi/settings.json', toCompaction],
  [
    'neovate',
    '.neovate/config.json',
    '.neovate/config.json',
    (autoCompact: boolean) => ({ autoCompact }),
  ],
  [
    'claude-code',
    '.claude/settings.json',
    '.claude/settings.local.json',
    (autoCompactEnabled: boolean) => ({ autoCompactEnabled }),
  ],
] as const;

describe.each(AGENTS)(
  'a setting of %s that turns compaction on and off',
  (agent, own, file, to) => {
    /** Reads what decides whether a session of a directory is due. */
    const isDueAt = async (cwd: string, files: Readonly<Record<string, JsonObject>>) => {
      const readSettings = (path: string) => Promise.resolve(files[path]);
      const world = { home: HOME, env: {}, readSettings, cwd: PROJECT };
      const settings = await getDialect(agent).compaction?.readSettings(world, cwd, null);
      return (settings?.due ?? settings)?.enabled;
    };

    it.each([
      ['nothing', undefined, undefined, true],
      ['the user alone', false, undefined, false],
      ['a project alone', undefined, false, false],
      ['a project that turns on what the user has turned off', false, true, false],
      ['a project that turns off what the user has turned on', true, false, false],
    ])('follows %s', async (_, user, project, expected) => {
      const files = {
        ...(user !== undefined && { [`${HOME}/${own}`]: to(user) }),
        ...(project !== undefined && { [`${PROJECT}/${file}`]: to(project) }),
      };
      expect(await isDueAt(PROJECT, files)).toBe(expected);
    });

    it('is not asked for of a relative directory, which would be the one that coppice runs in', async () => {
      expect(await isDueAt('app', { [`app/${file}`]: to(false), [file]: to(false) })).toBe(true);
      expect(await isDueAt('', { [file]: to(false) })).toBe(true);
    });
  },
);
