import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { INDEX_NAME } from '../../output/made-names.ts';
import { getIndexPath, readIndexLines, requireOwnIndex } from './index-file.ts';
import {
  getStateKind,
  isMemberName,
  type MemberFacts,
  type StateKind,
  toMemberFacts,
  toMemberName,
  toStateKey,
} from '../member/manifest.ts';
import { readManifest } from '../member/read-member.ts';
import { attempt } from '../../files/attempt.ts';

/** The number of lines that are reported; the rest is counted. */
const MAX_LIES = 10;

/** One state of a session in an archive. */
export interface ArchivedSession {
  /** The name of its file in the archive. */
  readonly member: string;
  readonly kind: StateKind;
  /** The times at which it was archived, in milliseconds, the last one last; none where the index does not know any. */
  readonly moments: readonly number[];
  /** The last of them; otherwise it is that of the last write to the member, which a copy changes. */
  readonly archivedAt: number;
  /** Compressed. */
  readonly bytes: number;
  readonly facts: MemberFacts;
  /** The stamps of the session's files each time that they were found in this state. */
  readonly seen: readonly string[];
  /** The names by which its lines claim sidecars; undefined where that is not known. */
  readonly claims?: readonly string[] | undefined;
}

export interface ArchiveContents {
  /** Sorted by name of the member. */
  readonly sessions: readonly ArchivedSession[];
  /** Members that are damaged, and lines of the index that are. */
  readonly problems: readonly FileError[];
}

/**
 * Everything in an archive: the members that are there, described by the index where it knows them
 * and by themselves where it does not.
 * @throws FileError when there is no such directory.
 */
export async function readArchive(directory: string): Promise<ArchiveContents> {
  const names = await listMembers(directory);
  const problems: FileError[] = [];
  const known = await readIndex(directory, new Set(names.map(toStateKey)), problems);
  const sessions: ArchivedSession[] = [];
  for (const member of names) {
    try {
      const path = join(directory, member);
      const found = known.get(toStateKey(member)) ?? (await readUnknown(path, known));
      const archivedAt = found.moments.at(-1) ?? (await stat(path)).mtimeMs;
      sessions.push({ ...found, archivedAt, member, kind: getStateKind(member) });
    } catch (error) {
      const problem = toFileError(error, join(directory, member), 'read');
      // Another run has taken it out, or given it another name, since the directory was listed.
      if (problem.code !== 'ENOENT') problems.push(problem);
    }
  }
  return { sessions, problems };
}

/**
 * Makes sure that a directory is an archive, also one that has lost its index or all of its members: of a wrong
 * directory, and of one where a disk is not mounted, nothing is known.
 * @throws FileError
 */
export async function requireArchive(directory: string): Promise<void> {
  const names = await listNames(directory);
  if (names.some(isMemberName)) return;
  if (!names.includes(INDEX_NAME)) throw new FileError(directory, 'EARCHIVE', NO_ARCHIVE);
  await requireOwnIndex(directory, names);
}

export const NO_ARCHIVE = `is not an archive of coppice: has no ${INDEX_NAME}, and no archived session`;

/** The names of members, in order. @throws FileError when there is no such directory. */
export async function listMemberFiles(directory: string): Promise<readonly string[]> {
  return (await listNames(directory)).filter(isMemberName).toSorted();
}

/** The names of members as `listMemberFiles` lists them, each state once. */
export async function listMembers(directory: string): Promise<readonly string[]> {
  const names = await listMemberFiles(directory);
  const states = new Map<string, string>();
  for (const name of names) {
    const other = states.get(toStateKey(name));
    if (other === undefined || rank(name) > rank(other)) states.set(toStateKey(name), name);
  }
  return names.filter((name) => states.get(toStateKey(name)) === name);
}

/** Ranks members of one state: the one that is kept longer counts. */
function rank(member: string): number {
  return ['leaving', 'copied', 'moved'].indexOf(getStateKind(member));
}

function listNames(directory: string): Promise<readonly string[]> {
  return attempt(directory, () => readdir(directory), 'read the archive');
}

type Described = Omit<ArchivedSession, 'member' | 'kind' | 'archivedAt'>;

/** Reads a member that the index does not name: it may be a copy of one that it does, as a synchronization leaves it. */
async function readUnknown(
  path: string,
  known: ReadonlyMap<string, Described>,
): Promise<Described> {
  const manifest = await readManifest(path);
  const { moments = [] } = known.get(toStateKey(toMemberName(manifest))) ?? {};
  return { moments, bytes: (await stat(path)).size, facts: toMemberFacts(manifest), seen: [] };
}

/** Reads the states from the index; the last line about each counts, but for times: those of all lines do. */
async function readIndex(
  directory: string,
  keys: ReadonlySet<string>,
  problems: FileError[],
): Promise<ReadonlyMap<string, Described>> {
  const known = new Map<string, Described>();
  const lies: FileError[] = [];
  let more = 0;
  await readIndexLines(directory, ({ content, lie }) => {
    if (lie) {
      if (lies.length < MAX_LIES) lies.push(lie);
      else more += 1;
    }
    if (!content) return;
    const key = toStateKey(content.member);
    if (!('manifest' in content) || !keys.has(key)) return;
    const { archivedAt, bytes, manifest, seen, claims } = content;
    const before = known.get(key);
    known.set(key, {
      moments: addMoment(before?.moments, archivedAt),
      bytes,
      facts: toMemberFacts(manifest),
      seen: addOnce(before?.seen, seen),
      claims: claims ?? before?.claims,
    });
  });
  problems.push(...lies);
  if (more > 0) {
    const path = getIndexPath(directory);
    problems.push(new FileError(path, 'EARCHIVE', `refused: ${more} more lines`));
  }
  return known;
}

/** Adds a time to those at which a state was archived. Indexes that somebody has joined are in any order. */
export function addMoment(
  before: readonly number[] | undefined,
  moment: number | undefined,
): readonly number[] {
  return addOnce(before, moment).toSorted((a, b) => a - b);
}

function addOnce<T>(before: readonly T[] = [], value: T | undefined): readonly T[] {
  return value === undefined || before.includes(value) ? before : [...before, value];
}
