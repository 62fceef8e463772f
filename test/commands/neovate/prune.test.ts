import { existsSync } from 'node:fs';
import {
  appendFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { toProjectDirectoryName } from '../../../src/session/agents/neovate/places/surroundings.ts';
import { getRecorded } from '../../session/agents/neovate/recorded.ts';
import { writeFiles } from '../../temp-dir.ts';
import { makeHome, type NeovateHome, PROJECT, REQUESTS } from './world.ts';

let world: NeovateHome;

beforeEach(async () => {
  world = await makeHome({ withPi: true });
});

async function prune(...args: string[]): Promise<ReadonlyMap<unknown, unknown>> {
  const results = await world.results('prune', ...args);
  return new Map(results.map(({ id, action }) => [id, action]));
}

describe('prune, of both agents in one go', () => {
  it('keeps sessions that have a title', async () => {
    const decided = await prune('--older-than', '1d', '--keep-named');
    expect(Object.fromEntries(decided)).toEqual({
      cec9cd23: 'keep',
      d764940e: 'remove',
      f05de3d5: 'keep',
      '80c4e9fa': 'remove',
      // The last of its store.
      'pi-one': 'keep',
    });
  });

  it('keeps a session with a title below its first line, which a listing does not show', async () => {
    const path = join(world.home, PROJECT, 'd764940e.jsonl');
    const time = new Date('2026-11-30T23:00:00Z');
    await appendFile(path, `{"type":"config","config":{"summary":"Kept"}}\n`);
    await utimes(path, time, time);
    const old = ['--older-than', '1d', '--allow-empty'];
    expect((await prune(...old, '--keep-named')).get('d764940e')).toBe('keep');
    expect((await prune(...old)).get('d764940e')).toBe('remove');
  });

  it('keeps a session whose last title is empty, and that had one before: newer releases show that', async () => {
    const path = join(world.home, PROJECT, 'd764940e.jsonl');
    const time = new Date('2026-11-30T23:00:00Z');
    const addTitle = async (title: string): Promise<void> => {
      await appendFile(path, `{"type":"custom-title","customTitle":"${title}"}\n`);
      await utimes(path, time, time);
    };
    const rule = ['--older-than', '1d', '--allow-empty', '--keep-named'];
    await addTitle('');
    expect((await prune(...rule)).get('d764940e')).toBe('remove');
    await addTitle('Kept');
    await addTitle('');
    expect((await prune(...rule)).get('d764940e')).toBe('keep');
  });

  it('keeps a session with a second title, which a listing does not show, from --named', async () => {
    const path = join(world.home, PROJECT, 'd764940e.jsonl');
    const text = await readFile(path, 'utf8');
    const write = async (title: string): Promise<void> => {
      const config = (summary: string): string =>
        `{"type":"config","config":{"summary":"${summary}"}}\n`;
      await writeFiles(world.home, {
        [`${PROJECT}/d764940e.jsonl`]: config('tmp') + text + config(title),
      });
      await utimes(path, 1.7e9, 1.7e9);
    };
    await write('tmp');
    expect((await prune('--named', 'tmp*', '--agent', 'neovate')).get('d764940e')).toBe('remove');
    await write('Kept');
    expect((await prune('--named', 'tmp*', '--agent', 'neovate')).get('d764940e')).toBe('keep');
  });

  it('takes a fork for as old as the first message that is not copied', async () => {
    const path = join(world.home, PROJECT, '0f0f0f0f.jsonl');
    const message = (uuid: string, timestamp: string, from?: string): object => {
      const forkedFrom =
        from === undefined ? {} : { forkedFrom: { sessionId: from, messageUuid: uuid } };
      const place = { uuid, parentUuid: uuid === 'a' ? null : 'a', sessionId: '0f0f0f0f' };
      return { type: 'message', role: 'user', content: uuid, timestamp, ...place, ...forkedFrom };
    };
    const copied = message('a', '2026-01-01T00:00:00Z', 'f05de3d5');
    const own = message('b', '2026-11-20T00:00:00Z');
    const started = async (lines: readonly object[]): Promise<unknown> => {
      await writeFiles(world.home, { [`${PROJECT}/0f0f0f0f.jsonl`]: lines });
      await utimes(path, 1.7e9, 1.7e9);
      return (await prune('--started-before', '2026-11-01', '--agent', 'neovate')).get('0f0f0f0f');
    };
    expect(await started([copied])).toBe('remove');
    expect(await started([copied, own])).toBe('keep');
  });

  it('takes a session with settings, which have no time, for as young as its file', async () => {
    const decided = await prune('--older-than', '2026-11-30T22:30:00Z', '--agent', 'neovate');
    expect(decided.get('d764940e')).toBe('keep');
    expect(decided.get('80c4e9fa')).toBe('remove');
  });

  it('removes sessions whose working directory is gone, and none of which that is not known', async () => {
    const gone = join(world.home, 'gone');
    const place = `.neovate/projects/${toProjectDirectoryName(gone)}`;
    await rename(join(world.home, PROJECT), join(world.home, place));
    const history = JSON.stringify({ projects: { [gone]: { history: [] } } });
    await writeFiles(world.home, { '.neovate/data.json': history });
    expect((await prune('--missing-cwd', '--agent', 'neovate')).get('f05de3d5')).toBe('remove');
    const added = { type: 'config', config: { additionalDirectories: [world.home] } };
    const path = join(world.home, place, 'f05de3d5.jsonl');
    await appendFile(path, `${JSON.stringify(added)}\n`);
    await utimes(path, 1.7e9, 1.7e9);
    expect((await prune('--missing-cwd', '--agent', 'neovate')).get('f05de3d5')).toBe('keep');
    await writeFiles(world.home, { '.neovate/data.json': '{}' });
    const decided = await prune('--missing-cwd', '--agent', 'neovate');
    expect([...decided.values()]).not.toContain('remove');
  });

  it('keeps sessions whose directory is gone, where a link has the name of one that is there', async () => {
    const [gone, there] = [join(world.home, 'gone'), join(world.home, 'there')];
    const place = join(world.home, `.neovate/projects/${toProjectDirectoryName(gone)}`);
    await rename(join(world.home, PROJECT), place);
    const history = JSON.stringify({ projects: { [gone]: { history: [] } } });
    await writeFiles(world.home, { '.neovate/data.json': history });
    await symlink(basename(place), join(dirname(place), toProjectDirectoryName(there)));
    const missing = ['--missing-cwd', '--agent', 'neovate'];
    expect((await prune(...missing)).get('f05de3d5')).toBe('remove');
    await mkdir(there);
    expect((await prune(...missing)).get('f05de3d5')).toBe('keep');
  });

  it('never removes what the agent would not open', async () => {
    await writeFiles(world.home, {
      [`${PROJECT}/00000000.jsonl`]: getRecorded('broken-torn-last-line').text,
    });
    const decided = await prune('--older-than', '2099-01-01', '--grace', '0min', '--allow-empty');
    expect(decided.get('00000000')).toBe('keep');
  });

  it('archives and restores, byte for byte, and leaves request logs alone', async () => {
    const path = join(world.home, PROJECT, 'd764940e.jsonl');
    const log = await readFile(join(world.home, REQUESTS));
    const before = await readFile(path);
    const archive = ['--archive', join(world.home, 'archive'), '--apply'];
    expect((await prune('--older-than', '1d', '--keep-named', ...archive)).get('d764940e')).toBe(
      'remove',
    );
    await expect(readFile(path)).rejects.toThrow('ENOENT');
    await world.run('prune', '--restore', 'd764940e', ...archive);
    expect(await readFile(path)).toEqual(before);
    expect(await readFile(join(world.home, REQUESTS))).toEqual(log);
  });
});

describe('what Neovate keeps of a session in other directories', () => {
  const ID = '80c4e9fa';
  const TODOS = `.neovate/todos/${ID}.json`;
  const BACKUP = `.neovate/file-history/${ID}/0123456789abcdef@v1`;
  const session = (): string => join(world.home, PROJECT, `${ID}.jsonl`);
  const listThere = (): readonly string[] =>
    [TODOS, BACKUP].filter((name) => existsSync(join(world.home, name)));
  const remove = (...args: string[]) =>
    prune(session(), '--older-than', '2099-01-01', '--grace', '0min', '--apply', ...args);

  beforeEach(async () => {
    await writeFiles(world.home, { [TODOS]: '[]', [BACKUP]: 'code' });
    await utimes(join(world.home, TODOS), 1.7e9, 1.7e9);
  });

  it('is removed, archived and restored with it', async () => {
    await remove('--archive', 'ar');
    expect(listThere()).toEqual([]);
    await world.run('prune', '--archive', 'ar', '--restore', ID);
    expect(listThere()).toEqual([TODOS, BACKUP]);
    expect(existsSync(session())).toBe(true);
  });

  it.each([`copied/${ID}.jsonl`, 'copied/before.jsonl'])(
    'goes with the last file of the session that goes: %s',
    async (copy) => {
      const path = join(world.home, '.neovate/projects', copy);
      await cp(session(), path, { preserveTimestamps: true });
      await remove('--archive', 'ar', path, '--allow-empty');
      expect([existsSync(session()), existsSync(path), ...listThere()]).toEqual([false, false]);
      await world.run('prune', '--archive', 'ar', '--restore', 'all');
      expect([existsSync(session()), existsSync(path), ...listThere()]).toEqual([
        true,
        true,
        TODOS,
        BACKUP,
      ]);
    },
  );

  it('may be missing where a session with an image is restored', async () => {
    const beside = [`${PROJECT}/${ID}/a.png`, `${PROJECT}/${ID}.jsonl.rejected`];
    await writeFiles(world.home, Object.fromEntries(beside.map((name) => [name, name])));
    for (const name of [TODOS, dirname(BACKUP)]) {
      await rm(join(world.home, name), { recursive: true });
    }
    await remove('--archive', 'ar');
    expect(existsSync(session())).toBe(false);
    await world.run('prune', '--archive', 'ar', '--restore', ID);
    for (const name of beside) expect(await readFile(join(world.home, name), 'utf8')).toBe(name);
    expect(existsSync(session())).toBe(true);
  });

  it('is kept for another file of the session, whatever its name', async () => {
    await cp(session(), join(world.home, '.neovate/projects/copied/before.jsonl.bak'));
    await remove('--delete');
    expect([existsSync(session()), ...listThere()]).toEqual([false, TODOS, BACKUP]);
  });

  it('is kept for another file of the session that quotes the name of a file with rejected lines', async () => {
    const copy = '.neovate/projects/copied/before.jsonl';
    await cp(session(), join(world.home, copy));
    await appendFile(
      join(world.home, copy),
      `{"type":"message","uuid":"u","parentUuid":null,"role":"user","content":"see x.jsonl.rejected"}\n`,
    );
    await remove('--delete');
    expect([existsSync(session()), ...listThere()]).toEqual([false, TODOS, BACKUP]);
  });

  it.each([
    'all.20261126.tar.gz',
    'all-20261126.tgz',
    '20261126.tar.gz',
    'all.txz',
    'all.tar.lz4',
    'all.tar.age',
    'all.tar.gz.001',
  ])(
    'is kept beside a compressed file named by a date, which may hold the session: %s',
    async (name) => {
      await writeFiles(world.home, { [`.neovate/projects/old/${name}`]: '\u001F' });
      await remove('--delete');
      expect([existsSync(session()), ...listThere()]).toEqual([false, TODOS, BACKUP]);
    },
  );

  it('is removed beside a compressed file of another session', async () => {
    await writeFiles(world.home, { '.neovate/projects/old/0a1b2c3d.jsonl.gz': '\u001F' });
    await remove('--delete');
    expect(listThere()).toEqual([]);
  });

  it.each(['-old.jsonl.gz', '_old.jsonl.gz', '-old/session.jsonl.gz'])(
    'is no orphan while a compressed file has the id in its path, whatever stands around it: %s',
    async (name) => {
      const findOrphans = async (): Promise<readonly unknown[]> =>
        (await world.results('prune', '--orphans', '--grace', '0min')).map(({ id }) => id);
      await rm(session());
      expect(await findOrphans()).toEqual([ID]);
      await writeFiles(world.home, { [`.neovate/projects/kept/old${ID}${name}`]: '\u001F' });
      expect(await findOrphans()).toEqual([]);
    },
  );

  it('is an orphan without it', async () => {
    const findOrphans = async (): Promise<readonly unknown[]> =>
      (await world.results('prune', '--orphans', '--grace', '0min')).map(({ id }) => id);
    expect(await findOrphans()).toEqual([]);
    await rm(session());
    expect(await findOrphans()).toEqual([ID]);
    await world.run('prune', '--orphans', '--grace', '0min', '--apply', '--delete');
    expect(listThere()).toEqual([]);
    expect(existsSync(join(world.home, REQUESTS))).toBe(true);
  });

  it('is not an orphan while a build under another name has the session', async () => {
    const findOrphans = async (): Promise<readonly unknown[]> =>
      (await world.results('prune', '--orphans', '--grace', '0min')).map(({ id }) => id);
    await mkdir(join(world.home, '.other/projects/p'), { recursive: true });
    await rename(session(), join(world.home, '.other/projects/p', `${ID}.jsonl`));
    expect(await findOrphans()).toEqual([]);
    await rm(join(world.home, '.other/projects/p', `${ID}.jsonl`));
    expect(await findOrphans()).toEqual([ID]);
  });

  it('keeps the files to which a rewind goes back while a build under another name has the session', async () => {
    await mkdir(join(world.home, '.other/projects/p'), { recursive: true });
    const other = join(world.home, '.other/projects/p', `${ID}.jsonl`);
    await cp(session(), other);
    await remove('--delete');
    expect(existsSync(session())).toBe(false);
    expect(listThere().length).toBeGreaterThan(0);
    await rm(other);
    await world.run('prune', '--orphans', '--grace', '0min', '--apply', '--delete');
    expect(listThere()).toEqual([]);
  });

  it('keeps them while a build under another name may have it on a disk that is not mounted', async () => {
    await mkdir(join(world.home, '.other'));
    await symlink('missing', join(world.home, '.other/projects'));
    await remove('--delete');
    expect(existsSync(session())).toBe(false);
    await world.run('prune', '--orphans', '--grace', '0min', '--apply', '--delete');
    expect(listThere()).toEqual([TODOS, BACKUP]);
  });

  it.each([`p/${ID}.jsonl.bak`, `p/${ID}.jsonl.gz`, `p/.${ID}.jsonl.swp`, `old/p/${ID}.jsonl`])(
    'keeps them while a build under another name has %s alone',
    async (name) => {
      await writeFiles(world.home, { [`.other/projects/${name}`]: 'x' });
      await remove('--delete');
      expect(existsSync(session())).toBe(false);
      expect(listThere().length).toBeGreaterThan(0);
    },
  );

  it('binds only a session that has any to the directories of Neovate', async () => {
    const image = join(PROJECT, 'cec9cd23/a.png');
    await writeFiles(world.home, { [image]: 'image' });
    await world.run('export', '--as', 'archive', '--out', 'ar', '--agent', 'neovate');
    const store = join(world.home, 'other');
    await world.run('prune', '--archive', 'ar', '--restore', 'all', '--store', store);
    const restored = (await readdir(store, { recursive: true })).filter((name) =>
      /\.(?:jsonl|png)$/.test(name),
    );
    expect(restored.map((name) => basename(name)).toSorted()).toEqual([
      '80c4e9fa.jsonl',
      'a.png',
      'cec9cd23.jsonl',
      'd764940e.jsonl',
      'f05de3d5.jsonl',
    ]);
    const bound = restored.filter((name) => name.startsWith('projects'));
    expect(bound.map((name) => basename(name))).toEqual(['80c4e9fa.jsonl']);
  });
});
