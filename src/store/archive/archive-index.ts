import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import { getNumber, getString, isObject } from '../../session/json.ts';
import { toFileError } from '../../session/jsonl/file-error.ts';
import { readRegularFile } from '../read-regular-file.ts';
import { checkManifest, isMemberName, type Manifest } from './manifest.ts';
import { readManifest } from './read-member.ts';

/** Not `.jsonl`: it must never be taken for a session. */
const INDEX_NAME = 'index.ndjson';

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR } = constants;

/** One session in an archive. */
export interface ArchivedSession {
  /** The name of its file in the archive. */
  readonly member: string;
  /** Milliseconds. */
  readonly archivedAt: number;
  /** Compressed. */
  readonly bytes: number;
  readonly manifest: Manifest;
}

export interface ArchiveContents {
  /** Sorted by name of the member. */
  readonly sessions: readonly ArchivedSession[];
  /** Members that are damaged, and lines of the index that lie. */
  readonly problems: readonly FileError[];
}

/**
 * Adds a line to the index: one write at the end of the file, so that several runs can do it at
 * once, and through no link. The index only saves opening every member: what is not in it is found
 * all the same.
 */
export async function appendToIndex(directory: string, session: ArchivedSession): Promise<void> {
  const path = join(directory, INDEX_NAME);
  const archivedAt = new Date(session.archivedAt).toISOString();
  const line = JSON.stringify({ ...session, archivedAt });
  try {
    const index = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    try {
      const { size } = await index.stat();
      const last = Buffer.alloc(1);
      if (size > 0) await index.read(last, 0, 1, size - 1);
      // The line before was torn by a crash: it must not spoil this one too.
      const begin = size > 0 && last[0] !== 0x0a ? '\n' : '';
      await index.appendFile(`${begin}${line}\n`);
      await index.sync();
    } finally {
      await index.close();
    }
  } catch (error) {
    throw toFileError(error, path, 'write');
  }
}

/**
 * Everything in an archive: the members that are there, described by the index where it knows them
 * and by themselves where it does not.
 * @throws FileError when there is no such directory.
 */
export async function readArchive(directory: string): Promise<ArchiveContents> {
  const names = (await listDirectory(directory)).filter(isMemberName).toSorted();
  const problems: FileError[] = [];
  const known = readIndex(join(directory, INDEX_NAME), problems);
  const sessions: ArchivedSession[] = [];
  for (const member of names) {
    try {
      sessions.push(known.get(member) ?? (await readUnknown(directory, member)));
    } catch (error) {
      problems.push(toFileError(error, join(directory, member), 'read'));
    }
  }
  return { sessions, problems };
}

async function listDirectory(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    throw toFileError(error, directory, 'read the archive');
  }
}

async function readUnknown(directory: string, member: string): Promise<ArchivedSession> {
  const path = join(directory, member);
  const manifest = await readManifest(path);
  const { size: bytes, mtimeMs: archivedAt } = await stat(path);
  return { member, archivedAt, bytes, manifest };
}

function readIndex(path: string, problems: FileError[]): ReadonlyMap<string, ArchivedSession> {
  const known = new Map<string, ArchivedSession>();
  for (const [index, line] of readTextIfThere(path).split('\n').entries()) {
    if (line === '') continue;
    try {
      const session = parseLine(line, `${path}:${index + 1}`);
      if (session) known.set(session.member, session);
    } catch (error) {
      problems.push(toFileError(error, path, 'read'));
    }
  }
  return known;
}

/** Undefined for a line that a crash has torn. */
function parseLine(line: string, where: string): ArchivedSession | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const [member, bytes] = [getString(value, 'member') ?? '', getNumber(value, 'bytes') ?? 0];
  if (!isMemberName(member)) {
    throw new FileError(where, 'EARCHIVE', 'refused: names a file outside the archive');
  }
  const archivedAt = Date.parse(getString(value, 'archivedAt') ?? '') || 0;
  return { member, archivedAt, bytes, manifest: checkManifest(value['manifest'], where) };
}

function readTextIfThere(path: string): string {
  try {
    return readRegularFile(path).toString('utf8');
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code === 'ENOENT') return '';
    throw problem;
  }
}
