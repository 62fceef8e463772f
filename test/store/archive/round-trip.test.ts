import { chmod, mkdir, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { NOTHING_FLUSHED } from '../../../src/session/jsonl/files/flush.ts';
import { createRestorer } from '../../../src/store/archive/member/restore-member.ts';
import {
  copySession,
  type KeepCopy,
  type Removal,
  removeSession,
} from '../../../src/store/remove/remove-session.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { readSessionFiles, type SessionFiles } from '../../../src/store/sessions/session-files.ts';
import { makeTempDir, waitForTick, writeFiles } from '../../temp-dir.ts';
import { archiveOne, makeStore, NOW, snapshot } from './archive-fixture.ts';

let dir: string;
let store: string;
let archive: string;
let session: string;

beforeEach(async () => {
  dir = await makeTempDir();
  store = join(dir, 'store');
  archive = join(dir, 'archive');
  session = await makeStore(store);
  await chmod(session, 0o640);
  await chmod(join(store, 'proj/a'), 0o710);
});

async function moveToArchive(from = store): Promise<string> {
  let member = '';
  await removeCopied(await readSessionFiles(session, usualSidecars), async () => {
    const written = await archiveOne(archive, session, from);
    member = written.path;
    return written.flushed;
  });
  return member;
}

/** As prune does it. */
async function removeCopied(planned: SessionFiles, copy: KeepCopy): Promise<Removal> {
  const state = await copySession(planned, copy);
  return state === 'same' ? removeSession(planned) : state;
}

const names = (root: string): Promise<string[]> => readdir(join(root, 'proj'));

describe('archive and restore', () => {
  it('give back every byte, mode and mtime, and nothing of the neighbours', async () => {
    const before = await snapshot(store);
    const member = await moveToArchive();
    expect(await names(store)).toEqual(['a.jsonl.bak', 'ab.jsonl']);
    expect(await createRestorer({ ownStores: [store] }, NOW)(member)).toEqual({
      path: session,
      changed: true,
      lacksRows: false,
      omittedRows: [],
      omittedFiles: [],
    });
    const { proj: _before, ...old } = before;
    const { proj: _after, ...now } = await snapshot(store);
    expect(now).toEqual(old);
  });

  it('never make a file executable, or anything open to every writer', async () => {
    await chmod(join(store, 'proj/a/2.png'), 0o777);
    await chmod(join(store, 'proj/a/images'), 0o777);
    const member = await moveToArchive();
    await createRestorer({ ownStores: [store] }, NOW)(member);
    const after = await snapshot(store);
    expect(after['proj/a/2.png']).toMatch(/^664 /);
    expect(after['proj/a/images']).toMatch(/^775 /);
  });

  it('leave the modes of directories that are there', async () => {
    const member = await moveToArchive();
    await mkdir(join(store, 'proj/a'));
    await chmod(join(store, 'proj/a'), 0o700);
    await createRestorer({ ownStores: [store] }, NOW)(member);
    expect((await snapshot(store))['proj/a']).toMatch(/^700 /);
  });

  it('put nothing outside of the stores that are the agents own', async () => {
    const member = await moveToArchive();
    const elsewhere = { ownStores: [join(dir, 'other'), `${store}-2`, join(store, 'proj/a')] };
    await expect(createRestorer(elsewhere, NOW)(member)).rejects.toThrow(
      "not restored: is outside of the agents' stores; name the store to restore into with --store",
    );
    expect(await names(store)).toEqual(['a.jsonl.bak', 'ab.jsonl']);
  });

  it('keep what is in the archive from others', async () => {
    const member = await moveToArchive();
    expect((await stat(archive)).mode & 0o777).toBe(0o700);
    expect((await stat(member)).mode & 0o777).toBe(0o600);
    expect((await stat(join(archive, 'index.ndjson'))).mode & 0o777).toBe(0o600);
  });

  it('put the same state of a session into the same member, and another into another', async () => {
    const first = await moveToArchive();
    await createRestorer({ ownStores: [store] }, NOW)(first);
    expect(await moveToArchive()).toBe(first);
    await createRestorer({ ownStores: [store] }, NOW)(first);
    await writeFile(session, 'x', { flag: 'a' });
    expect(await moveToArchive()).not.toBe(first);
  });

  it('restore into another store, at the same place in it', async () => {
    const member = await archiveOne(archive, session, store);
    const other = join(dir, 'other');
    await createRestorer({ store: other }, NOW)(member.path);
    const found = await snapshot(other);
    expect(found['proj/a.jsonl']).toBe((await snapshot(store))['proj/a.jsonl']);
    expect(Object.keys(found)).toHaveLength(9);
  });

  it.each([
    ['', 'proj'],
    ['proj', ''],
    ['proj', 'proj'],
  ])(
    'restore to its old place in the named store, of which another directory was read: %s, %s',
    async (read, named) => {
      const before = Object.keys(await snapshot(store));
      const member = await moveToArchive(join(store, read));
      const restored = await createRestorer({ store: join(store, named) }, NOW)(member);
      expect(restored.path).toBe(session);
      expect(Object.keys(await snapshot(store))).toEqual(before);
    },
  );

  it('change nothing when all of it is there', async () => {
    const member = await archiveOne(archive, session, store);
    const before = await snapshot(store);
    expect((await createRestorer({ ownStores: [store] }, NOW)(member.path)).changed).toBe(false);
    expect(await snapshot(store)).toEqual(before);
  });

  it('bring back what a crash took away only in part', async () => {
    const before = await snapshot(store);
    const { path } = await archiveOne(archive, session, store);
    await rm(session);
    await rm(join(store, 'proj/a/images'), { recursive: true });
    await createRestorer({ ownStores: [store] }, NOW)(path);
    const { proj: _before, ...old } = before;
    const { proj: _after, ...now } = await snapshot(store);
    expect(now).toEqual(old);
  });
});

describe('restore refuses', () => {
  it.each(['proj/a.jsonl', 'proj/a/images/1.png'])('to replace another %s', async (name) => {
    const member = await moveToArchive();
    await writeFiles(store, { [name]: 'mine' });
    const before = await snapshot(store);
    await expect(createRestorer({ ownStores: [store] }, NOW)(member)).rejects.toThrow(
      'another file already exists',
    );
    expect(await snapshot(store)).toEqual(before);
  });

  it('to follow a link where the session was', async () => {
    const member = await moveToArchive();
    await symlink(join(store, 'proj/ab.jsonl'), session);
    await expect(createRestorer({ ownStores: [store] }, NOW)(member)).rejects.toThrow(
      'another file already exists',
    );
  });

  it('to write through a link', async () => {
    const member = await archiveOne(archive, session, store);
    const other = join(dir, 'other');
    await mkdir(other);
    await mkdir(join(dir, 'outside'));
    await symlink(join(dir, 'outside'), join(other, 'proj'));
    await expect(createRestorer({ store: other }, NOW)(member.path)).rejects.toThrow(
      'a link or a file',
    );
    expect(await readdir(join(dir, 'outside'))).toEqual([]);
  });

  it('a file that is not a session, whatever it is called', async () => {
    const path = join(store, 'proj', 'bashrc.jsonl');
    await writeFile(path, 'alias ls=rm\n');
    const member = await archiveOne(archive, path, store);
    await rm(path);
    await expect(createRestorer({ ownStores: [store] }, NOW)(member.path)).rejects.toThrow(
      'is not a session',
    );
    expect(await names(store)).not.toContain('bashrc.jsonl');
    expect((await names(store)).join()).not.toContain('coppice-tmp');
  });
});

describe('removing', () => {
  it('leaves a session alone that changed since it was planned, in the archive or not', async () => {
    const planned = await readSessionFiles(session, usualSidecars);
    await writeFile(session, '{}\n', { flag: 'a' });
    expect(await removeSession(planned)).toBe('changed');
    const again = await readSessionFiles(session, usualSidecars);
    const append = async () => {
      await writeFile(session, '{}\n', { flag: 'a' });
      return NOTHING_FLUSHED;
    };
    expect(await removeCopied(again, append)).toBe('changed');
    expect(await names(store)).toContain('a.jsonl');
  });

  it.each(['a.jsonl', 'a/2.png'])(
    'leaves it alone when %s was rewritten in place, its size and mtime as before',
    async (name) => {
      const path = join(dirname(session), name);
      const planned = await readSessionFiles(session, usualSidecars);
      const rewrite = async () => {
        const { size, atime, mtime } = await stat(path);
        await waitForTick(path);
        await writeFile(path, 'x'.repeat(size));
        await utimes(path, atime, mtime);
        return NOTHING_FLUSHED;
      };
      expect(await removeCopied(planned, rewrite)).toBe('changed');
      expect(await names(store)).toContain('a.jsonl');
    },
  );

  it('leaves it alone when something was put beside it', async () => {
    const planned = await readSessionFiles(session, usualSidecars);
    await writeFiles(store, { 'proj/a/new.png': 'x' });
    expect(await removeSession(planned)).toBe('changed');
  });

  it('says when another run was quicker', async () => {
    const planned = await readSessionFiles(session, usualSidecars);
    expect(await removeSession(planned)).toBe('removed');
    await expect(removeSession(planned)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('says so too when that run took a part of it away', async () => {
    const planned = await readSessionFiles(session, usualSidecars);
    const beaten = async (): Promise<never> => {
      await rm(session);
      throw new FileError(session, 'ENOENT', 'cannot read');
    };
    await expect(removeCopied(planned, beaten)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('keeps the session when it cannot be archived whole', async () => {
    const planned = await readSessionFiles(session, usualSidecars);
    const fail = () => Promise.reject(new Error('disk full'));
    await expect(removeCopied(planned, fail)).rejects.toThrow('disk full');
    expect(await names(store)).toContain('a.jsonl');
  });
});
