import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { hashFile } from '../files/read-regular-file.ts';
import { listMemberFiles } from './index/archive-index.ts';
import { type AddedLine, getIndexPath, readIndexLines } from './index/index-file.ts';
import {
  isOwnName,
  type Manifest,
  type MemberFacts,
  toMemberFacts,
  toMemberName,
  toStateKey,
} from './member/manifest.ts';
import { verifyMember } from './member/read-member.ts';

/** The record of a state in the index, without its manifest, of which only the name of a member is kept. */
interface Recorded {
  readonly member: string;
  readonly bytes: number;
  readonly sha256: string | undefined;
  /** The name that a member with this manifest has. */
  readonly name: string;
}

/** The parts of the archive to check. */
export interface ArchiveParts {
  readonly members: readonly string[];
  /** The states that the index records, by their keys. */
  readonly recorded: ReadonlyMap<string, Recorded>;
  /** Lines of the index that are damaged, and states that it names and that are not there. */
  readonly problems: readonly FileError[];
}

/**
 * Lists what has to be in an archive: its members, and the states that the index names.
 * @throws FileError when there is no such directory.
 */
export async function listParts(directory: string): Promise<ArchiveParts> {
  const { recorded, problems } = await readRecorded(directory);
  const members = await listMemberFiles(directory);
  const there = new Set(members.map(toStateKey));
  const missing: FileError[] = [];
  for (const [key, { member }] of recorded) {
    if (there.has(key) || !(await isMissing(directory, key))) continue;
    const path = join(directory, member);
    missing.push(new FileError(path, 'EARCHIVE', 'is missing: the index names it'));
  }
  return { members, recorded, problems: [...problems, ...missing] };
}

async function readRecorded(directory: string): Promise<Omit<ArchiveParts, 'members'>> {
  const index = getIndexPath(directory);
  const recorded = new Map<string, Recorded>();
  const problems: FileError[] = [];
  const report = (number: number, what: string): void => {
    problems.push(new FileError(`${index}:${number}`, 'EARCHIVE', `${what}; ${REMEDY}`));
  };
  await readIndexLines(directory, ({ number, content, isIntact, lie }) => {
    if (!isIntact()) report(number, 'is damaged: not a line as it was written');
    else if (lie) report(number, lie.message);
    if (!content) return;
    const key = toStateKey(content.member);
    if ('manifest' in content) recorded.set(key, toRecorded(content));
    else recorded.delete(key);
  });
  return { recorded, problems };
}

/**
 * Returns whether a state that was not found is lost, and not taken out by another run meanwhile: that notes
 * it in the index first.
 */
async function isMissing(directory: string, key: string): Promise<boolean> {
  const { recorded } = await readRecorded(directory);
  const members = await listMemberFiles(directory);
  return recorded.has(key) && !members.some((name) => toStateKey(name) === key);
}

const REMEDY = '--rebuild-index writes the index again';

function toRecorded({ member, bytes, sha256, manifest }: AddedLine): Recorded {
  return { member, bytes, sha256, name: toMemberName(manifest) };
}

/** A member that is as it was written. */
export interface SoundMember {
  readonly facts: MemberFacts;
  /** Compressed. */
  readonly bytes: number;
}

/**
 * Reads a member from end to end, and compares every hash: those of its files with what it says of itself,
 * its own with what the index says, and its name with what it holds. Undefined for one that another run
 * has taken out, or given another name, since it was listed.
 * @throws FileError for one that is damaged.
 */
export async function checkMember(
  directory: string,
  member: string,
  recorded: ArchiveParts['recorded'],
): Promise<SoundMember | undefined> {
  const path = join(directory, member);
  try {
    const manifest = await verifyMember(path);
    const { size: bytes } = await stat(path);
    const known = recorded.get(toStateKey(member));
    requireSame(path, manifest, known);
    if (known && (bytes !== known.bytes || (await differs(path, known)))) {
      throw damaged(path, 'is not the file that was written');
    }
    return { facts: toMemberFacts(manifest), bytes };
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    const isGone = problem.code === 'ENOENT';
    if (isGone && !(await isMissing(directory, toStateKey(member)))) return undefined;
    throw problem;
  }
}

function requireSame(path: string, manifest: Manifest, known: Recorded | undefined): void {
  const name = toMemberName(manifest);
  if (!isOwnName(basename(path), manifest)) throw damaged(path, 'has the name of another state');
  if (known && known.name !== name) throw damaged(path, `differs from the index; ${REMEDY}`);
}

async function differs(path: string, { sha256 }: Recorded): Promise<boolean> {
  return sha256 !== undefined && (await hashFile(path)) !== sha256;
}

function damaged(path: string, what: string): FileError {
  return new FileError(path, 'EARCHIVE', `is damaged: ${what}`);
}
