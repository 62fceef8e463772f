import { hash } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import {
  getNumber,
  getString,
  isArray,
  type JsonObject,
  type JsonValue,
  listStrings,
  toIso,
} from '../../../session/jsonl/edit/json.ts';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { releaseAfter } from '../../../session/jsonl/files/release-after.ts';
import { refuseLastLink, system } from '../../../session/jsonl/files/system.ts';
import type { Line } from '../../../session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../../session/jsonl/read/parse-line.ts';
import { readLines } from '../../../session/jsonl/read/read-lines.ts';
import { toOwnForm } from '../../../session/model/paths.ts';
import { isSidecarName } from '../../../session/model/sidecar.ts';
import { INDEX_NAME } from '../../output/made-names.ts';
import { checkManifest, findSidecars, isMemberName, type Manifest } from '../member/manifest.ts';
import { MAX_MANIFEST_BYTES } from '../member/read-member.ts';
import { attempt } from '../../files/attempt.ts';

/** A manifest, and what is said of its member. */
const MAX_LINE_BYTES = MAX_MANIFEST_BYTES + 4096;

const { O_APPEND, O_CREAT, O_RDONLY, O_RDWR } = constants;

/** A state that came into the archive, or was there already. */
export interface AddedLine {
  readonly member: string;
  /** Milliseconds; undefined where that is not known. */
  readonly archivedAt?: number | undefined;
  /** The compressed size of the member. */
  readonly bytes: number;
  /** The hash of the member; older lines have none. */
  readonly sha256?: string | undefined;
  /** The stamps of the session's files when they were archived, as `toSeen` writes them. */
  readonly seen?: string | undefined;
  /** The names by which lines of the session claim sidecars; undefined where that is not known. */
  readonly claims?: readonly string[] | undefined;
  readonly manifest: Manifest;
}

/** A state that was taken out of the archive. */
export interface RemovedLine {
  readonly member: string;
  /** Milliseconds. */
  readonly removedAt: number;
}

export type IndexLine = AddedLine | RemovedLine;

export function getIndexPath(directory: string): string {
  return join(directory, INDEX_NAME);
}

/** A line as it is written, with its line feed. Its last field shows whether it is as it was written. */
export function encodeIndexLine(line: IndexLine): string {
  const times =
    'manifest' in line
      ? { archivedAt: toIso(line.archivedAt ?? Number.NaN) }
      : { removedAt: toIso(line.removedAt) };
  const plain = JSON.stringify({ ...line, ...times });
  return `${plain.slice(0, -1)},"check":"${toCheck(plain)}"}\n`;
}

/**
 * Adds lines to the index: one write at the end of the file, so that several runs can do it at once,
 * and through no link. The index only saves opening every member: what is not in it is found all the
 * same.
 */
export async function appendToIndex(directory: string, lines: readonly IndexLine[]): Promise<void> {
  const path = getIndexPath(directory);
  const text = lines.map(encodeIndexLine).join('');
  await attempt(path, async () => {
    // A run that writes the index again may have put it in the place of the one that this was added to.
    for (let tries = 1; !(await append(path, text)) && tries < MAX_TRIES;) tries += 1;
  });
}

const MAX_TRIES = 5;

/** Adds text to an index; false where another file has got its name meanwhile. */
async function append(path: string, text: string): Promise<boolean> {
  const index = await open(path, O_RDWR | O_APPEND | O_CREAT | refuseLastLink(path), 0o600);
  const add = async (): Promise<boolean> => {
    const { size, dev, ino } = await index.stat();
    const last = Buffer.alloc(1);
    if (size > 0) await index.read(last, 0, 1, size - 1);
    // The line before was torn by a crash: it must not spoil this one too.
    const begin = size > 0 && last[0] !== 0x0a ? '\n' : '';
    await index.appendFile(begin + text);
    await index.sync();
    const now = lstatSync(path, { throwIfNoEntry: false });
    return now === undefined || (now.dev === dev && now.ino === ino);
  };
  return releaseAfter(add, () => index.close());
}

/**
 * Lets `replace` put a new index in the place of the old one, and adds to it the lines that other runs have added to
 * the old one since. One that adds a line later than that finds the new index.
 */
export async function keepAdded(path: string, replace: () => Promise<void>): Promise<void> {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  // Windows lets no file take the name of an open one. No run adds anything through a link.
  if (!system.replacesOpenFiles || isLink) return replace();
  const old = await open(path, O_RDONLY | O_CREAT | refuseLastLink(path), 0o600);
  const work = async (): Promise<void> => {
    const { size } = await old.stat();
    await replace();
    const added = (await old.stat()).size - size;
    if (added <= 0) return;
    const { buffer, bytesRead } = await old.read(Buffer.alloc(added), 0, added, size);
    await append(path, buffer.toString('utf8', 0, bytesRead));
  };
  await releaseAfter(work, () => old.close());
}

/**
 * Refuses a directory without members whose index is somebody else's file: not one line names a member.
 * @throws FileError; nothing where there is no index.
 */
export async function requireOwnIndex(directory: string, names: readonly string[]): Promise<void> {
  if (names.some(isMemberName)) return;
  const path = getIndexPath(directory);
  // A link or a pipe is refused where it would be opened.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return;
  let [isIndex, isBlank] = [false, true];
  const visit = (line: Line): void => {
    isIndex ||= line.bytes.includes('"member"');
    isBlank &&= parseLine(line).kind === 'blank';
  };
  try {
    await readLines(path, visit, { maxLineBytes: MAX_LINE_BYTES, isDone: () => isIndex });
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code !== 'ENOENT') throw problem;
  }
  if (isIndex || isBlank) return;
  throw new FileError(path, 'EARCHIVE', 'is not an index of coppice; name another directory');
}

/** One line of an index, or what is wrong with it. */
export interface ReadLine {
  /** The number, from 1. */
  readonly number: number;
  /** Undefined for a line that a crash has torn, or that is longer than any of ours. */
  readonly content?: IndexLine;
  /** Returns whether it is as it was written, as far as it says that of itself; ask when it is visited. */
  readonly isIntact: () => boolean;
  /** A line that says what none of ours says. */
  readonly lie?: FileError;
}

/** Reads an index from front to back; nothing where there is none. */
export async function readIndexLines(
  directory: string,
  visit: (line: ReadLine) => void,
): Promise<void> {
  const path = getIndexPath(directory);
  const visitLine = (line: Line): void => visit(toReadLine(line, path));
  try {
    await readLines(path, visitLine, { maxLineBytes: MAX_LINE_BYTES });
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code !== 'ENOENT') throw problem;
  }
}

function toReadLine(line: Line, path: string): ReadLine {
  const { number } = line;
  const parsed = parseLine(line);
  if (parsed.kind !== 'object') return { number, isIntact: () => parsed.kind === 'blank' };
  const { check } = parsed.value;
  const isIntact = (): boolean => check === undefined || check === toCheck(withoutCheck(line));
  try {
    return { number, content: toContent(parsed.value, `${path}:${number}`), isIntact };
  } catch (error) {
    return { number, isIntact, lie: toFileError(error, path, 'read') };
  }
}

function toContent(value: JsonObject, where: string): IndexLine {
  const member = getString(value, 'member') ?? '';
  if (!isMemberName(member)) {
    throw new FileError(where, 'EARCHIVE', 'refused: names a file outside the archive');
  }
  const removed = getString(value, 'removedAt');
  if (removed !== undefined) return { member, removedAt: Date.parse(removed) || 0 };
  const manifest = checkManifest(value['manifest'], where);
  return {
    member,
    archivedAt: Date.parse(getString(value, 'archivedAt') ?? '') || undefined,
    bytes: getNumber(value, 'bytes') ?? 0,
    sha256: getString(value, 'sha256'),
    seen: getString(value, 'seen'),
    claims: toClaims(value['claims'], manifest),
    manifest,
  };
}

/** The most that are remembered: somebody else's index shall not fill the memory. */
const MAX_CLAIMS = 200;
const MAX_NAME_CHARS = 255;

/** Undefined unless lines of such a session can claim sidecars by all of these names. */
function toClaims(value: JsonValue | undefined, manifest: Manifest): AddedLine['claims'] {
  if (!isArray(value) || value.length > MAX_CLAIMS) return undefined;
  const shared = findSidecars(manifest.agent).listShared?.(toOwnForm(manifest.path)) ?? [];
  const claimed = shared.filter(({ isClaimed }) => isClaimed);
  const names = listStrings(value).filter((name) => name.length <= MAX_NAME_CHARS);
  const isClaim = (name: string): boolean => isSidecarName(name, claimed);
  return names.length === value.length && names.every(isClaim) ? names : undefined;
}

/** The text of a line as it was before its check was added, which is its last field. */
function withoutCheck({ bytes }: Line): string {
  return `${bytes.toString('utf8', 0, Math.max(0, bytes.lastIndexOf(',"check":')))}}`;
}

function toCheck(plain: string): string {
  return hash('sha256', plain).slice(0, 16);
}
