import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { beforeEach, describe, expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { readArchive } from '../../../src/store/archive/index/archive-index.ts';
import { checkManifest, type Manifest } from '../../../src/store/archive/member/manifest.ts';
import { readManifest, verifyMember } from '../../../src/store/archive/member/read-member.ts';
import { createRestorer } from '../../../src/store/archive/member/restore-member.ts';
import { encodeTarHeader, encodeTarPadding } from '../../../src/store/archive/tar.ts';
import { sized } from '../../harness/runs.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { archiveOne, makeStore, NOW } from './archive-fixture.ts';

let store: string;
let archive: string;
let session: string;
let member: string;

async function archiveSession(): Promise<void> {
  const dir = await makeTempDir();
  [store, archive] = [join(dir, 'store'), join(dir, 'archive')];
  session = await makeStore(store);
  ({ path: member } = await archiveOne(archive, session, store));
}

/** Far more than a manifest declares, or a member of it may hold. */
const BOMB = sized(4, 64) * 1024 * 1024;
const SHA = 'a'.repeat(64);
const file = (name: string, size = 1) => ({ name, size, mode: 0o600, mtimeMs: 1, sha256: SHA });

const honest: Manifest = {
  schemaVersion: 1,
  agent: 'pi',
  id: 'a',
  cwd: '/w',
  title: '',
  lastActive: '2026-03-02T09:30:02.000Z',
  path: '/s/p/a.jsonl',
  store: '/s',
  files: [file('a.jsonl'), file('a/1.png')],
  directories: [{ name: 'a', mode: 0o700, mtimeMs: 1 }],
};

const encodeEntry = (path: string, size: number): Buffer =>
  encodeTarHeader({ path, size, mode: 0o600, mtime: new Date(0) });

/** A member that says this of itself, and what follows that. */
function toMember(manifest: Manifest, ...rest: readonly Buffer[]): Buffer {
  const text = Buffer.from(JSON.stringify(manifest));
  const first = [encodeEntry('coppice.json', text.length), text, encodeTarPadding(text.length)];
  return gzipSync(Buffer.concat([...first, ...rest]));
}

/** A member that says this of itself, and that holds one file of this size, all zeros. */
function forge(manifest: Manifest, size: number): Buffer {
  const { name = '' } = manifest.files[0] ?? {};
  return toMember(manifest, encodeEntry(name, size), Buffer.alloc(BOMB));
}

describe('a manifest', () => {
  it('is taken when it is honest', () => {
    expect(checkManifest(honest, 'x')).toEqual(honest);
  });

  it.each<[string, object]>([
    ['a path with ..', { path: '/s/../etc/a.jsonl' }],
    ['a relative path', { path: 's/p/a.jsonl' }],
    ['a path outside of its store', { store: '/elsewhere' }],
    ['a path that is not a session file', { path: '/s/p/bashrc', files: [file('bashrc')] }],
    ['a name with ..', { files: [file('a.jsonl'), file('a/../../x')] }],
    ['an absolute name', { files: [file('a.jsonl'), file('/etc/passwd')] }],
    ['a backslash', { files: [file('a.jsonl'), file('a\\..\\x')] }],
    ['a neighbour', { files: [file('a.jsonl'), file('b.jsonl')] }],
    ['a name that begins alike', { files: [file('a.jsonl'), file('a.jsonl.bak')] }],
    ['a name twice', { files: [file('a.jsonl'), file('a.jsonl')] }],
    ['another file first', { files: [file('a/1.png'), file('a.jsonl')] }],
    ['no files', { files: [] }],
    ['a hidden folder', { path: '/s/p/.git.jsonl', files: [file('.git.jsonl'), file('.git/x')] }],
    ['a path longer than any', { path: `/s/${'p/'.repeat(3000)}a.jsonl` }],
    ['a setuid bit', { files: [{ ...file('a.jsonl'), mode: 0o4755 }] }],
    ['a negative size', { files: [file('a.jsonl', -1)] }],
    ['a directory elsewhere', { directories: [{ name: '..', mode: 0o700, mtimeMs: 1 }] }],
    ['a newer schema', { schemaVersion: 2 }],
    ['a missing id', { id: 7 }],
  ])('is refused with %s', (_what, change) => {
    expect(() => checkManifest({ ...honest, ...change }, 'x')).toThrow(/refused|newer coppice/);
  });
});

describe('a member', () => {
  beforeEach(archiveSession);

  it('is read whole', async () => {
    expect((await verifyMember(member)).path).toBe(session);
  });

  it('is damaged at every byte that is changed or missing', async () => {
    const bytes = await readFile(member);
    for (let at = 10; at < bytes.length - 8; at += sized(29, 7)) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x55;
      const cut = bytes.subarray(0, at);
      for (const damaged of [changed, cut]) {
        await writeFile(member, damaged);
        const verdict = await verifyMember(member).then(
          // A changed byte in the padding of the tar harms nothing: then every file is sound.
          ({ files }) => `${files.length} sound files`,
          ({ message }: Error) => message,
        );
        expect(verdict).toMatch(/5 sound files|damaged|refused|no member|newer coppice/);
      }
    }
  });

  it('is written anew when the one in the archive is damaged', async () => {
    await writeFile(member, 'no gzip');
    expect((await archiveOne(archive, session, store)).path).toBe(member);
    expect((await verifyMember(member)).files).toHaveLength(5);
  });

  it('is not unpacked beyond what it declares', async () => {
    for (const size of [BOMB, 10]) {
      await writeFile(member, forge({ ...honest, files: [file('a.jsonl', 10)] }, size));
      await expect(verifyMember(member)).rejects.toThrow('is damaged: a.jsonl');
    }
  });

  it('is not begun to be restored when the disk cannot hold what it declares', async () => {
    const size = 2 ** 52;
    const path = join(store, 'new', 'b.jsonl');
    await writeFile(
      member,
      forge({ ...honest, path, store, files: [file('b.jsonl', size)], directories: [] }, 10),
    );
    await expect(createRestorer({ ownStores: [store] }, NOW)(member)).rejects.toThrow('no space');
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it('is not a member when its description would fill the memory', async () => {
    const header = encodeTarHeader({
      path: 'coppice.json',
      size: 2 ** 31,
      mode: 0o600,
      mtime: new Date(0),
    });
    await writeFile(member, gzipSync(Buffer.concat([header, Buffer.alloc(1e6)])));
    await expect(readManifest(member)).rejects.toThrow('is not a member');
  });

  it.each([
    ['a symbolic link', { type: 'SymbolicLink' as const, linkpath: '/etc/passwd' }],
    ['a hard link', { type: 'Link' as const, linkpath: '/etc/passwd' }],
    ['a directory', { type: 'Directory' as const }],
    ['a device', { type: 'CharacterDevice' as const }],
    ['a name of its own', { path: 'b.jsonl' }],
    ['another size', { size: 9 }],
  ])('is not restored when a file in it is %s', async (_what, change) => {
    const path = join(store, 'new', 'a.jsonl');
    const manifest = { ...honest, path, store, files: [file('a.jsonl', 10)], directories: [] };
    const header = new Header({ path: 'a.jsonl', size: 10, mode: 0o600, type: 'File', ...change });
    const block = Buffer.alloc(512);
    header.encode(block);
    await writeFile(member, toMember(manifest, block, Buffer.alloc(4096)));
    await expect(createRestorer({ ownStores: [store] }, NOW)(member)).rejects.toThrow('is damaged');
    expect(await readdir(dirname(path))).toEqual([]);
  });

  it.each(['size', 'path', '__proto__'])('is refused with %s as no number can be', async (key) => {
    for (const value of ['x', '-1', '1e400', '99999999999999999999']) {
      const record = ` ${key}=${value}\n`;
      const body = Buffer.from(`${record.length + 2}${record}`);
      const extended = new Header({ path: 'x', size: body.length, type: 'ExtendedHeader' });
      const block = Buffer.alloc(512);
      extended.encode(block);
      const padded = Buffer.concat([body, encodeTarPadding(body.length)]);
      const head = encodeTarHeader({ path: 'x', size: 3, mode: 0o600, mtime: new Date(0) });
      await writeFile(member, gzipSync(Buffer.concat([block, padded, head.subarray(-512)])));
      await expect(readManifest(member)).rejects.toThrow(FileError);
    }
  });

  it('opens with any tar', async () => {
    const text = gunzipSync(await readFile(member)).toString('latin1');
    expect(text.slice(257, 262)).toBe('ustar');
    expect(text).toContain('a/images/1.png');
  });
});

describe('the index', () => {
  beforeEach(archiveSession);

  const index = (): string => join(archive, 'index.ndjson');

  it('may be gone: every member describes itself', async () => {
    const known = await readArchive(archive);
    await rm(index());
    const { sessions, problems } = await readArchive(archive);
    expect(problems).toEqual([]);
    expect(sessions.map(({ facts }) => facts)).toEqual(known.sessions.map(({ facts }) => facts));
  });

  it('survives a line torn by a crash', async () => {
    const line = await readFile(index(), 'utf8');
    await writeFile(index(), line.slice(0, 50));
    await archiveOne(archive, session, store);
    expect(await readFile(index(), 'utf8')).toBe(`${line.slice(0, 50)}\n${line}`);
    expect((await readArchive(archive)).sessions).toHaveLength(1);
  });

  it('cannot name a file outside of the archive', async () => {
    await mkdir(join(dirname(archive), 'outside'));
    await rename(member, join(dirname(archive), 'outside', 'x.tar.gz'));
    const lie = { member: '../outside/x.tar.gz', archivedAt: NOW, bytes: 1, manifest: honest };
    await writeFile(index(), `${JSON.stringify(lie)}\n`);
    const { sessions, problems } = await readArchive(archive);
    expect(sessions).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([
      'refused: names a file outside the archive',
    ]);
  });

  it('cannot make a path lead elsewhere', async () => {
    const lie = { member: 'x.tar.gz', bytes: 1, manifest: { ...honest, path: '/s/../a.jsonl' } };
    await appendFile(index(), `${JSON.stringify(lie)}\n`);
    const { sessions, problems } = await readArchive(archive);
    expect(sessions).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });

  it('takes no more memory than what is shown, however long a manifest is', async () => {
    const long = { title: 't'.repeat(4e6), cwd: `/${'c'.repeat(4e6)}`, id: 'i'.repeat(4e6) };
    const manifest = { ...honest, ...long, agent: 'p'.repeat(1e6), lastActive: '2'.repeat(1e6) };
    await writeFile(join(archive, 'long.tar.gz'), toMember(manifest));
    await writeFile(join(archive, 'told.tar.gz'), 'the index says it all');
    const told = { member: 'told.tar.gz', archivedAt: NOW, bytes: 1, manifest };
    await appendFile(index(), `${JSON.stringify(told)}\n`);
    const { sessions } = await readArchive(archive);
    expect(sessions).toHaveLength(3);
    expect(JSON.stringify(sessions).length).toBeLessThan(15_000);
  });

  it('passes over a line that is longer than any of ours', async () => {
    await appendFile(index(), `{"member":"x.tar.gz","manifest":"${'x'.repeat(17e6)}"}\n`);
    const { sessions, problems } = await readArchive(archive);
    expect(sessions).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  it('counts its lies when there are many', async () => {
    const lie = `${JSON.stringify({ member: '../x.tar.gz' })}\n`;
    await appendFile(index(), lie.repeat(1000));
    const { problems } = await readArchive(archive);
    expect(problems).toHaveLength(11);
    expect(problems.at(-1)?.message).toBe('refused: 990 more lines');
  });

  it('names a member that is damaged, and goes on', async () => {
    await writeFile(join(archive, 'bad.tar.gz'), 'nothing');
    const { sessions, problems } = await readArchive(archive);
    expect(sessions).toHaveLength(1);
    expect(problems.map(({ path }) => path)).toEqual([join(archive, 'bad.tar.gz')]);
  });
});
