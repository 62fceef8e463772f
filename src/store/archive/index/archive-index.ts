import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { getIndexPath, readIndexLines } from './index-file.ts';
import {
  getStateKind,
  isMemberName,
  type MemberFacts,
  type StateKind,
  toMemberFacts,
  toStateKey,
} from '../member/manifest.ts';
import { isLikelyTime } from '../../../session/read/summaries/unread.ts';
import { readManifest } from '../member/read-member.ts';

/** The number of lines that are reported; the rest is counted. */
const MAX_LIES = 10;

/** One state of a session in an archive. */
export interface ArchivedSession {
  /** The name of its file in the archive. */
  readonly member: string;
  readonly kind: StateKind;
  /** Milliseconds. */
  readonly archivedAt: number;
  /** Whether the index has this time; otherwise it is that of the last write to the member, which a copy changes. */
  readonly isIndexed: boolean;
  /** Compressed. */
  readonly bytes: number;
  readonly facts: MemberFacts;
  /** The stamps of the session's files each time that they were found in this state. */
  readonly seen: readonly string[];
}

export interface ArchiveContents {
  /** Sorted by name of the member. */
  readonly sessions: readonly ArchivedSession[];
  /** Members that are damaged, and lines of the index that are. */
  readonly problems: readonly FileError[];
}

/**
 * Makes an order of the states of one session, the first first: as they were archived; where the index does not
 * know that of all of them, as they were last active. Of a state that cannot have been active when it says,
 * nothing is known: it comes before the others.
 */
export function createOrder(
  states: readonly ArchivedSession[],
  now: number,
): (one: ArchivedSession, other: ArchivedSession) => number {
  const byArrival = (one: ArchivedSession, other: ArchivedSession): number =>
    one.archivedAt - other.archivedAt;
  if (states.every(({ isIndexed }) => isIndexed)) return byArrival;
  const getOrder = (one: ArchivedSession): number => getTrueActivity(one, now) ?? 0;
  return (one, other) => getOrder(one) - getOrder(other) || byArrival(one, other);
}

/** Returns when a state was last active, in milliseconds; undefined if it cannot have been when it says. */
export function getTrueActivity({ facts }: ArchivedSession, now: number): number | undefined {
  const time = Date.parse(facts.lastActive);
  return isLikelyTime(time) && time <= now ? time : undefined;
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
      const found = known.get(toStateKey(member)) ?? (await readUnknown(directory, member));
      sessions.push({ ...found, member, kind: getStateKind(member) });
    } catch (error) {
      const problem = toFileError(error, join(directory, member), 'read');
      // Another run has taken it out, or given it another name, since the directory was listed.
      if (problem.code !== 'ENOENT') problems.push(problem);
    }
  }
  return { sessions, problems };
}

/** The names of members, each state once. @throws FileError when there is no such directory. */
export async function listMembers(directory: string): Promise<readonly string[]> {
  const names = (await listNames(directory)).filter(isMemberName).toSorted();
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

async function listNames(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    throw toFileError(error, directory, 'read the archive');
  }
}

type Described = Omit<ArchivedSession, 'member' | 'kind'>;

async function readUnknown(directory: string, member: string): Promise<Described> {
  const path = join(directory, member);
  const facts = toMemberFacts(await readManifest(path));
  const { size: bytes, mtimeMs: archivedAt } = await stat(path);
  return { archivedAt, isIndexed: false, bytes, facts, seen: [] };
}

/** Reads the states from the index; the last line about each counts. */
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
    const { archivedAt, bytes, manifest, seen } = content;
    const before = known.get(key)?.seen ?? [];
    const all = seen === undefined || before.includes(seen) ? before : [...before, seen];
    known.set(key, {
      archivedAt,
      isIndexed: true,
      bytes,
      facts: toMemberFacts(manifest),
      seen: all,
    });
  });
  problems.push(...lies);
  if (more > 0) {
    const path = getIndexPath(directory);
    problems.push(new FileError(path, 'EARCHIVE', `refused: ${more} more lines`));
  }
  return known;
}
