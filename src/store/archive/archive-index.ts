import { constants } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import { getNumber, getString } from '../../session/jsonl/edit/json.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { refuseLastLink } from '../../session/jsonl/files/system.ts';
import type { Line } from '../../session/jsonl/read/line-splitter.ts';
import { type LineContent, parseLine } from '../../session/jsonl/read/parse-line.ts';
import { readLines } from '../../session/jsonl/read/read-lines.ts';
import {
  checkManifest,
  isMemberName,
  type Manifest,
  type MemberFacts,
  toMemberFacts,
} from './manifest.ts';
import { MAX_MANIFEST_BYTES, readManifest } from './read-member.ts';

/** Not `.jsonl`: it must never be taken for a session. */
const INDEX_NAME = 'index.ndjson';

/** A manifest, and what is said of its member. */
const MAX_LINE_BYTES = MAX_MANIFEST_BYTES + 4096;
/** So many lines that lie are reported; the rest is counted. */
const MAX_LIES = 10;

const { O_APPEND, O_CREAT, O_RDWR } = constants;

/** One session in an archive. */
export interface ArchivedSession {
  /** The name of its file in the archive. */
  readonly member: string;
  /** Milliseconds. */
  readonly archivedAt: number;
  /** Compressed. */
  readonly bytes: number;
  readonly facts: MemberFacts;
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
export async function appendToIndex(
  directory: string,
  session: Omit<ArchivedSession, 'facts'> & { readonly manifest: Manifest },
): Promise<void> {
  const path = join(directory, INDEX_NAME);
  const archivedAt = new Date(session.archivedAt).toISOString();
  const line = JSON.stringify({ ...session, archivedAt });
  try {
    const index = await open(path, O_RDWR | O_APPEND | O_CREAT | refuseLastLink(path), 0o600);
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
  const known = await readIndex(join(directory, INDEX_NAME), new Set(names), problems);
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
  const facts = toMemberFacts(await readManifest(path));
  const { size: bytes, mtimeMs: archivedAt } = await stat(path);
  return { member, archivedAt, bytes, facts };
}

/** What the index says of the members that there are; the last line about each counts. */
async function readIndex(
  path: string,
  members: ReadonlySet<string>,
  problems: FileError[],
): Promise<ReadonlyMap<string, ArchivedSession>> {
  const known = new Map<string, ArchivedSession>();
  const lies: FileError[] = [];
  let more = 0;
  const visit = (line: Line): void => {
    try {
      const session = toArchivedSession(parseLine(line), `${path}:${line.number}`);
      if (session && members.has(session.member)) known.set(session.member, session);
    } catch (error) {
      if (lies.length < MAX_LIES) lies.push(toFileError(error, path, 'read'));
      else more += 1;
    }
  };
  try {
    await readLines(path, visit, { maxLineBytes: MAX_LINE_BYTES });
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code !== 'ENOENT') throw problem;
  }
  problems.push(...lies);
  if (more > 0) problems.push(new FileError(path, 'EARCHIVE', `refused: ${more} more lines`));
  return known;
}

/** Undefined for a line that a crash has torn, or that is longer than any of ours. */
function toArchivedSession(content: LineContent, where: string): ArchivedSession | undefined {
  if (content.kind !== 'object') return undefined;
  const { value } = content;
  const [member, bytes] = [getString(value, 'member') ?? '', getNumber(value, 'bytes') ?? 0];
  if (!isMemberName(member)) {
    throw new FileError(where, 'EARCHIVE', 'refused: names a file outside the archive');
  }
  const archivedAt = Date.parse(getString(value, 'archivedAt') ?? '') || 0;
  const facts = toMemberFacts(checkManifest(value['manifest'], where));
  return { member, archivedAt, bytes, facts };
}
