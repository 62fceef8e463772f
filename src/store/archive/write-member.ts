import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createGzip } from 'node:zlib';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { listPlain, OTHERS } from '../../session/jsonl/files/keep-access.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { flush, type Flushed, flushTrail, makeDirectory } from '../../session/jsonl/files/flush.ts';
import { renameFile } from '../../session/jsonl/files/system.ts';
import { createTempFile, removeStaleTempFiles } from '../../session/jsonl/files/temp-file.ts';
import type { StampedFile } from '../remove/file-tree.ts';
import type { SessionFiles } from '../remove/session-files.ts';
import { appendToIndex } from './archive-index.ts';
import { createManifest, type Manifest, MANIFEST_NAME, toMemberName } from './manifest.ts';
import { verifyMember } from './read-member.ts';
import { encodeTarHeader, encodeTarPadding, TAR_END } from './tar.ts';

/** What a member tells of its session beside the files. */
export type SessionFacts = Pick<
  Manifest,
  'agent' | 'id' | 'cwd' | 'title' | 'lastActive' | 'store'
>;

export interface WrittenMember {
  readonly path: string;
  readonly flushed: Flushed;
  /** Of the compressed member. */
  readonly bytes: number;
}

/**
 * Makes the directory of an archive, readable by its owner only; in an existing one, clears away
 * what killed runs have left. `now` in milliseconds.
 */
export async function openArchive(directory: string, now: number): Promise<void> {
  try {
    makeDirectory(directory);
    // Of a run that was killed here, too.
    flushTrail(directory);
    await removeStaleTempFiles(directory, now);
  } catch (error) {
    throw toFileError(error, directory, 'make the archive');
  }
}

/**
 * Puts a copy of a session and its sidecars into an archive. When this returns, the member
 * has been read back byte by byte, and it and its directory have been flushed. The session itself is
 * only read. A member that holds the same already is verified, flushed and used again.
 * @throws FileError when anything differs from how it was stamped, or cannot be written.
 */
export async function writeMember(
  directory: string,
  session: SessionFiles,
  facts: SessionFacts,
  now: number,
): Promise<WrittenMember> {
  const manifest = await describe(session, facts);
  const name = toMemberName(manifest);
  const path = join(directory, name);
  try {
    if (!(await holds(path, manifest))) await writeNew(path, session, manifest);
    const flushed = await flush([path]);
    const { size: bytes } = await stat(path);
    await appendToIndex(directory, { member: name, archivedAt: now, bytes, manifest });
    return { path, flushed, bytes };
  } catch (error) {
    throw toFileError(error, path, 'archive');
  }
}

async function writeNew(path: string, session: SessionFiles, manifest: Manifest): Promise<void> {
  const temp = await createTempFile(path);
  const write = async (): Promise<void> => {
    const bytes = Readable.from(encodeMember(session, manifest));
    const compressed = createGzip();
    // An error of either stream comes out of the iteration below.
    pipeline(bytes, compressed, () => undefined);
    for await (const chunk of compressed) await temp.file.appendFile(chunk);
    await temp.file.sync();
    await verifyMember(temp.path);
    // Where another run was quicker, the member there holds the same.
    await renameFile(temp.path, path);
  };
  await releaseAfter(
    write,
    () => temp.file.close(),
    () => rm(temp.path, { force: true }),
  );
}

/** Whether a sound member of this session is there; a damaged one, or another's, is written anew. */
async function holds(path: string, manifest: Manifest): Promise<boolean> {
  try {
    return isDeepStrictEqual(await verifyMember(path), manifest);
  } catch (error) {
    if (error instanceof FileError && ['ENOENT', 'EARCHIVE'].includes(error.code)) return false;
    throw error;
  }
}

async function describe(session: SessionFiles, facts: SessionFacts): Promise<Manifest> {
  const { path, root } = session;
  const toMode = readModes(session);
  const files = [];
  for (const file of session.files) {
    const { name, size, mtimeMs } = file;
    const mode = toMode(file);
    const hash = createHash('sha256');
    for await (const chunk of readExactly(root, file)) hash.update(chunk);
    files.push({ name, size, mode, mtimeMs, sha256: hash.digest('hex') });
  }
  const directories = session.directories.map((one) => {
    return { name: one.name, mode: toMode(one), mtimeMs: one.mtimeMs };
  });
  const { agent, id, cwd, title, lastActive, store } = facts;
  const about = { agent, id, cwd, title, lastActive, path, store, root };
  return createManifest({ ...about, files, directories });
}

/**
 * The modes to restore. With an access control list, which no archive holds, the bits of the group mean
 * something else: then it is for its owner only.
 */
function readModes({ root, files, directories }: SessionFiles): (one: StampedFile) => number {
  const shared = [...files, ...directories].filter(({ mode }) => (mode & OTHERS) !== 0);
  const plain = listPlain(shared.map(({ name }) => join(root, name)));
  return ({ mode, ino }) => (plain.has(ino) ? mode : mode & ~OTHERS);
}

async function* encodeMember(session: SessionFiles, manifest: Manifest): AsyncGenerator<Buffer> {
  const first = Buffer.from(`${JSON.stringify(manifest)}\n`);
  const mtime = new Date(manifest.lastActive);
  yield encodeTarHeader({ path: MANIFEST_NAME, size: first.length, mode: 0o600, mtime });
  yield first;
  yield encodeTarPadding(first.length);
  for (const [index, file] of session.files.entries()) {
    const { name, size, mtimeMs } = file;
    const mode = manifest.files[index]?.mode ?? 0o600;
    yield encodeTarHeader({ path: name, size, mode, mtime: new Date(mtimeMs) });
    yield* readExactly(session.root, file);
    yield encodeTarPadding(size);
  }
  yield TAR_END;
}

/** The bytes of one file; fails when there are fewer or more than when it was stamped. */
export async function* readExactly(
  root: string,
  { name, size }: Pick<StampedFile, 'name' | 'size'>,
): AsyncGenerator<Buffer> {
  const path = join(root, name);
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- no encoding is set
      const piece = chunk as Buffer;
      bytes += piece.length;
      yield piece;
    }
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
  if (bytes !== size) throw new FileError(path, 'ECHANGED', 'changed while it was read');
}
