import { createHash } from 'node:crypto';
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createGzip } from 'node:zlib';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { findPlain } from '../../../session/jsonl/files/access-lists.ts';
import { OTHERS } from '../../../session/jsonl/files/keep-access.ts';
import { releaseAfter } from '../../../session/jsonl/files/release-after.ts';
import {
  flush,
  type Flushed,
  flushTrail,
  makeDirectory,
} from '../../../session/jsonl/files/flush.ts';
import { renameFile, system } from '../../../session/jsonl/files/system.ts';
import { fileExists } from '../../../session/jsonl/read/read-lines.ts';
import { createTempFile, removeStaleTempFiles } from '../../../session/jsonl/files/temp-file.ts';
import { readExactly } from '../../files/read-exactly.ts';
import { hashFile } from '../../files/read-regular-file.ts';
import type { StampedFile } from '../../sessions/file-tree.ts';
import { type SessionFiles, toOwnName } from '../../sessions/session-files.ts';
import { ROWS_NAME } from '../../database/stored-rows.ts';
import { INDEX_NAME } from '../../output/made-names.ts';
import { appendToIndex, requireOwnIndex } from '../index/index-file.ts';
import {
  createManifest,
  findSidecars,
  isMemberName,
  type Manifest,
  MANIFEST_NAME,
  type StateKind,
  toMemberName,
} from './manifest.ts';
import { verifyMember } from './read-member.ts';
import { encodeTarHeader, encodeTarPadding, TAR_END } from '../tar.ts';

/** The facts about a session that a member holds beside the files. */
export type SessionFacts = Pick<
  Manifest,
  'agent' | 'id' | 'cwd' | 'title' | 'lastActive' | 'store'
>;

export interface WrittenMember {
  readonly path: string;
  readonly flushed: Flushed;
  /** The size of the compressed member. */
  readonly bytes: number;
}

/**
 * Makes the directory of an archive, readable by its owner only; in an existing one, clears away
 * what killed runs have left. `now` in milliseconds.
 */
export async function openArchive(directory: string, now: number): Promise<void> {
  try {
    makeDirectory(directory);
    const names = await readdir(directory);
    await requireOwnIndex(directory, names);
    // It shows that the directory is an archive, also as long as there is nothing in it.
    if (!names.includes(INDEX_NAME) && !names.some(isMemberName))
      await appendToIndex(directory, []);
    // The trail of a run that was killed is flushed, too.
    flushTrail(directory);
    await removeStaleTempFiles(directory, now);
  } catch (error) {
    throw toFileError(error, directory, 'make the archive');
  }
}

/**
 * Puts a copy of a session and its sidecars into an archive, before the session is removed. When this
 * returns, the member has been read back byte by byte, and it and its directory have been flushed. The
 * session itself is only read. A member that holds the same already is verified, flushed and used again.
 * @throws FileError when anything differs from how it was stamped, or cannot be written.
 */
export async function writeMember(
  directory: string,
  files: SessionFiles,
  facts: SessionFacts,
  now: number,
): Promise<WrittenMember> {
  const session = withOwnRoot(files, facts);
  const { manifest } = await describeState(session, facts);
  const { path, bytes, sha256, flushed } = await placeMember(directory, session, manifest, 'moved');
  const line = { member: basename(path), archivedAt: now, bytes, sha256, manifest };
  await appendToIndex(directory, [line]);
  return { path, flushed, bytes };
}

/** Names files relative to the directory of their session, if all of them are in it and the agent allows that. */
export function withOwnRoot(
  session: SessionFiles,
  { agent }: Pick<SessionFacts, 'agent'>,
): SessionFiles {
  const { path, root, files, directories } = session;
  const own = dirname(path);
  const prefix = `${toOwnName(own, root)}/`;
  const isAlone = [...files, ...directories].every(({ name }) => name.startsWith(prefix));
  if (findSidecars(agent).isPlainAlone !== true || own === root || !isAlone) return session;
  const rename = (one: StampedFile): StampedFile => ({
    ...one,
    name: one.name.slice(prefix.length),
  });
  return { ...session, root: own, files: files.map(rename), directories: directories.map(rename) };
}

/** A member that is in its place, read back and flushed. */
export interface PlacedMember extends WrittenMember {
  readonly sha256: string;
}

/** How often another run may take a member away between two calls of this one. */
const MAX_TRIES = 3;

/**
 * Writes the member of a state, or takes the sound one that is there. `confirm` is asked before a new one
 * gets its name: it throws to keep it out.
 * @throws FileError
 */
export async function placeMember(
  directory: string,
  session: SessionFiles,
  manifest: Manifest,
  kind: KeptKind,
  confirm?: () => Promise<void>,
): Promise<PlacedMember> {
  const moved = join(directory, toMemberName(manifest, 'moved'));
  const own = join(directory, toMemberName(manifest, kind));
  try {
    for (let tries = 1; ; tries += 1) {
      let path = await claim(directory, manifest, kind);
      if (path === undefined) {
        // One that is damaged is written again, in its own place.
        path = (await fileExists(moved)) ? moved : own;
        await writeNew(path, session, manifest, confirm);
      }
      try {
        const flushed = await flush([path]);
        const { size: bytes } = await stat(path);
        return { path, flushed, bytes, sha256: await hashFile(path) };
      } catch (error) {
        // Another run has taken it out of the archive, or given it the name of another kind.
        if (toFileError(error, path, 'archive').code !== 'ENOENT' || tries === MAX_TRIES)
          throw error;
      }
    }
  } catch (error) {
    throw toFileError(error, own, 'archive');
  }
}

type KeptKind = Exclude<StateKind, 'leaving'>;

/**
 * The sound member that holds a state already. One that shall be kept for longer than it was meant to be
 * gets the name that shows it. Its new mtime shows a run that is about to take it out that it is needed.
 */
async function claim(
  directory: string,
  manifest: Manifest,
  kind: KeptKind,
): Promise<string | undefined> {
  const moved = join(directory, toMemberName(manifest, 'moved'));
  const copied = join(directory, toMemberName(manifest, 'copied'));
  if ((await touch(moved)) && (await holds(moved, manifest))) return moved;
  if (!(await touch(copied)) || !(await holds(copied, manifest))) return undefined;
  if (kind === 'copied') return copied;
  return (await unlessMissing(copied, () => renameFile(copied, moved))) ? moved : undefined;
}

function touch(path: string): Promise<boolean> {
  const now = new Date();
  return unlessMissing(path, () => utimes(path, now, now));
}

/** Returns whether something could be done to a file; false where there is none. */
async function unlessMissing(path: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    if (toFileError(error, path, 'archive').code === 'ENOENT') return false;
    throw error;
  }
}

async function writeNew(
  path: string,
  session: SessionFiles,
  manifest: Manifest,
  confirm?: () => Promise<void>,
): Promise<void> {
  const temp = await createTempFile(path);
  const write = async (): Promise<void> => {
    const bytes = Readable.from(encodeMember(session, manifest));
    const compressed = createGzip();
    // An error of either stream comes out of the iteration below.
    pipeline(bytes, compressed, () => undefined);
    for await (const chunk of compressed) await temp.file.appendFile(chunk);
    await temp.file.sync();
    await verifyMember(temp.path);
    await confirm?.();
    // If another run was quicker, its member holds the same.
    await renameFile(temp.path, path);
  };
  await releaseAfter(
    write,
    () => temp.file.close(),
    () => rm(temp.path, { force: true }),
  );
}

/** Returns whether a sound member of this session is there; a damaged one, or another's, is written again. */
async function holds(path: string, manifest: Manifest): Promise<boolean> {
  try {
    return isDeepStrictEqual(await verifyMember(path), manifest);
  } catch (error) {
    if (error instanceof FileError && ['ENOENT', 'EARCHIVE'].includes(error.code)) return false;
    throw error;
  }
}

/** The sizes up to which the beginning of a file is hashed as well, by the name of the file. */
export type Cuts = ReadonlyMap<string, ReadonlySet<number>>;

export interface DescribedState {
  readonly manifest: Manifest;
  /** The SHA-256 of the first bytes of a file, by `toCutKey`. */
  readonly beginnings: ReadonlyMap<string, string>;
}

export function toCutKey(name: string, size: number): string {
  return `${size} ${name}`;
}

/**
 * Reads a session and its sidecars for what a member says of them.
 * @throws FileError when anything differs from how it was stamped.
 */
export async function describeState(
  session: SessionFiles,
  facts: SessionFacts,
  cuts: Cuts = new Map(),
): Promise<DescribedState> {
  const { path, root } = session;
  const toMode = readModes(session);
  const files = [];
  const beginnings = new Map<string, string>();
  for (const file of session.files) {
    const { name, size, mtimeMs } = file;
    const hash = createHash('sha256');
    const sizes = [...(cuts.get(name) ?? [])].filter((cut) => cut <= size);
    const ends = sizes.toSorted((a, b) => a - b);
    let at = 0;
    for await (const chunk of readExactly(root, file)) {
      let rest = chunk;
      for (let end = ends[0]; end !== undefined && end <= at + rest.length; [end] = ends) {
        hash.update(rest.subarray(0, end - at));
        rest = rest.subarray(end - at);
        at = end;
        ends.shift();
        beginnings.set(toCutKey(name, end), hash.copy().digest('hex'));
      }
      hash.update(rest);
      at += rest.length;
    }
    const sha256 = hash.digest('hex');
    beginnings.set(toCutKey(name, size), sha256);
    files.push({ name, size, mode: toMode(file), mtimeMs, sha256 });
  }
  const directories = session.directories.map((one) => {
    return { name: one.name, mode: toMode(one), mtimeMs: one.mtimeMs };
  });
  const { agent, id, cwd, title, lastActive, store } = facts;
  const about = { agent, id, cwd, title, lastActive, path, store, root };
  const stored = describeRows(session);
  return { manifest: createManifest({ ...about, ...stored, files, directories }), beginnings };
}

function describeRows({ rows }: SessionFiles): Pick<Manifest, 'rows'> {
  if (!rows) return {};
  return { rows: { size: rows.length, sha256: createHash('sha256').update(rows).digest('hex') } };
}

/**
 * The modes to restore. With an access control list, which no archive holds, the bits of the group mean
 * something else: then it is for its owner only.
 */
function readModes({ root, files, directories }: SessionFiles): (one: StampedFile) => number {
  // Members of a system without modes get modes that let the owner in elsewhere.
  if (!system.hasModes) return (one) => (directories.includes(one) ? 0o700 : 0o600);
  const shared = [...files, ...directories].filter(({ mode }) => (mode & OTHERS) !== 0);
  const plain = findPlain(shared.map((one) => ({ path: join(root, one.name), ...one })));
  return ({ mode, ino }) => (plain.has(ino) ? mode : mode & ~OTHERS);
}

async function* encodeMember(session: SessionFiles, manifest: Manifest): AsyncGenerator<Buffer> {
  const first = Buffer.from(`${JSON.stringify(manifest)}\n`);
  const mtime = new Date(manifest.lastActive);
  yield encodeTarHeader({ path: MANIFEST_NAME, size: first.length, mode: 0o600, mtime });
  yield first;
  yield encodeTarPadding(first.length);
  const { rows } = session;
  if (rows) {
    yield encodeTarHeader({ path: ROWS_NAME, size: rows.length, mode: 0o600, mtime });
    yield rows;
    yield encodeTarPadding(rows.length);
  }
  for (const [index, file] of session.files.entries()) {
    const { name, size, mtimeMs } = file;
    const mode = manifest.files[index]?.mode ?? 0o600;
    yield encodeTarHeader({ path: name, size, mode, mtime: new Date(mtimeMs) });
    yield* readExactly(session.root, file);
    yield encodeTarPadding(size);
  }
  yield TAR_END;
}
