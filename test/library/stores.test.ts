import { mkdirSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionManager, type SessionListProgress } from '../../src/index.ts';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { createWorld } from './conversation.ts';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

const ORCHARD = '/home/dev/orchard';

describe('continueRecent', () => {
  it('opens the session that was written last, of this project in a flat directory', async () => {
    await writeFiles(dir, {
      'a.jsonl': sampleSession({ id: 'older' }),
      'b.jsonl': sampleSession({ id: 'latest' }),
      'c.jsonl': sampleSession({ id: 'elsewhere', cwd: '/home/dev/other' }),
      'd.jsonl': 'no session\n',
    });
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries()) {
      utimesSync(join(dir, `${name}.jsonl`), index + 1, index + 1);
    }
    expect(SessionManager.continueRecent(ORCHARD, dir).getSessionId()).toBe('latest');
    expect(SessionManager.continueRecent('/nowhere', dir).getEntries()).toEqual([]);
    expect(SessionManager.continueRecent(ORCHARD, join(dir, 'no')).getEntries()).toEqual([]);
  });
});

describe('forkFrom', () => {
  it('copies every entry, byte for byte, below a header of its own', async () => {
    const odd =
      '{"type":"custom","id":"c1","parentId":null,"timestamp":"x","data":{"2":1.0,"1":2}}';
    const [header, ...entries] = sampleSession();
    const text = [header, ...entries].map((line) => JSON.stringify(line)).join('\n');
    await writeFiles(dir, { 'a.jsonl': `${text}\n${odd}` });
    const world = createWorld(dir);
    const manager = SessionManager.forkFrom(join(dir, 'a.jsonl'), '/new', undefined, { world });
    const file = manager.getSessionFile() ?? '';
    expect(file.startsWith(join(dir, 'sessions/--new--/'))).toBe(true);
    expect(manager.getHeader()).toMatchObject({
      cwd: '/new',
      parentSession: join(dir, 'a.jsonl'),
    });
    const [, ...copied] = readFileSync(file, 'utf8').split('\n');
    expect(copied).toEqual([...text.split('\n').slice(1), odd, '']);
  });

  it.each([
    ['nothing', ''],
    ['no session', '{"a":1}\n'],
  ])('refuses %s', async (_, content) => {
    await writeFiles(dir, { 'a.jsonl': content });
    const fork = () => SessionManager.forkFrom(join(dir, 'a.jsonl'), '/new', join(dir, 'to'));
    expect(fork).toThrow(/empty or invalid|not a valid/);
  });
});

describe('listing', () => {
  it('shows the sessions of a project, latest activity first', async () => {
    await writeFiles(dir, {
      'a.jsonl': sampleSession({ id: 'a', start: '2026-01-01T00:00:00.000Z' }),
      'b.jsonl': sampleSession({ id: 'b', start: '2026-02-01T00:00:00.000Z', name: 'B' }),
      'c.jsonl': sampleSession({ id: 'c', cwd: '/home/dev/other' }),
      'd.jsonl': 'no session\n',
    });
    const progress = vi.fn<SessionListProgress>();
    const own = await SessionManager.list(ORCHARD, dir, progress);
    expect(own.map(({ id, name }) => [id, name])).toEqual([
      ['b', 'B'],
      ['a', undefined],
    ]);
    expect(progress).toHaveBeenLastCalledWith(4, 4);
    const all = await SessionManager.listAll(dir);
    expect(all.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
    expect(all[0]).toMatchObject({ messageCount: 2, firstMessage: 'Hi' });
    expect(await SessionManager.listAll(join(dir, 'nowhere'))).toEqual([]);
  });

  it('looks into the directories of all projects', async () => {
    mkdirSync(join(dir, 'sessions'));
    await writeFiles(dir, {
      'sessions/--home-dev-orchard--/a.jsonl': sampleSession({ id: 'a' }),
      'sessions/--x--/b.jsonl': sampleSession({ id: 'b', cwd: '/x' }),
    });
    vi.stubEnv('PI_CODING_AGENT_DIR', dir);
    const all = await SessionManager.listAll();
    const own = await SessionManager.list('/x');
    vi.unstubAllEnvs();
    expect(all.map(({ id }) => id).toSorted()).toEqual(['a', 'b']);
    expect(own.map(({ id }) => id)).toEqual(['b']);
  });
});
