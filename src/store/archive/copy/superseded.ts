import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { findDialect } from '../../../session/agents/index.ts';
import { isCompressed, withoutCompression } from '../../../session/jsonl/zstd/is-compressed.ts';
import { unpackChunks } from '../../../session/jsonl/zstd/unpack-chunks.ts';
import { UnpackError } from '../../../session/jsonl/zstd/unpacker.ts';
import { listGiven } from '../../database/stored-rows.ts';
import type { ArchivedSession } from '../index/archive-index.ts';
import {
  findSidecars,
  type Manifest,
  type ManifestFile,
  toMemberName,
  toStateKey,
} from '../member/manifest.ts';
import { readMember, readRows } from '../member/read-member.ts';
import { toCutKey } from '../member/write-member.ts';

/** A state that an archive holds, as its member describes it. */
export interface StoredState {
  readonly session: ArchivedSession;
  readonly manifest: Manifest;
}

/** A state that was placed in an archive. */
export interface PlacedState {
  /** The path of its member. */
  readonly path: string;
  readonly manifest: Manifest;
  /** The SHA-256 of the first bytes of its files, by `toCutKey`. */
  readonly beginnings: ReadonlyMap<string, string>;
}

/**
 * Returns whether a copied state is to be taken out for a newer one, each file of which begins with all bytes
 * of the old one's: those of its text, where the agent compresses or moves the files of a session. Of two
 * that begin with each other, one is newer for every run: or two runs at once would each take out what the
 * other has kept.
 */
export async function isSuperseded(
  directory: string,
  { session, manifest: old }: StoredState,
  placed: PlacedState,
): Promise<boolean> {
  const { manifest } = placed;
  if (session.kind !== 'copied' || old.root !== manifest.root || old.agent !== manifest.agent) {
    return false;
  }
  const path = join(directory, session.member);
  try {
    // Rows say how the files are listed, and are of their time; but one without any is not a newer state.
    if (old.rows && !(await holdsGiven(old.agent, path, placed.path))) return false;
    const growth = await measureGrowth({ path, old }, placed);
    return growth !== undefined && (growth > 0 || isLater(manifest, old));
  } catch (error) {
    // One that cannot be read is kept: it may be all that there is.
    if (error instanceof FileError || error instanceof UnpackError) return false;
    throw error;
  }
}

/** Returns whether a member has all that people gave a session, such as a name: its agent may have lost its database. */
async function holdsGiven(agent: string, older: string, newer: string): Promise<boolean> {
  const databases = findDialect(agent)?.rows?.databases ?? [];
  const [before, now] = [await readRows(older), await readRows(newer)];
  if (!before || !now) return false;
  const [lost, held] = [listGiven(before, databases), listGiven(now, databases)];
  return lost !== undefined && [...lost].every((one) => held?.has(one) === true);
}

/**
 * Measures by how many bytes the files of a state are longer than those of an older one; undefined where
 * one is not its beginning.
 */
async function measureGrowth(
  { path, old }: { readonly path: string; readonly old: Manifest },
  { path: newPath, manifest, beginnings }: PlacedState,
): Promise<number | undefined> {
  let growth = 0;
  const findText = createTextFinder(manifest);
  for (const file of old.files) {
    const { name, size, sha256 } = file;
    const same = manifest.files.find((one) => one.name === name);
    if (same && beginnings.get(toCutKey(name, size)) === sha256) {
      growth += same.size - size;
      continue;
    }
    const other = findText(file);
    if (!other) return undefined;
    const text = isCompressed(name) ? await hashText(path, name) : file;
    const found = await hashText(newPath, other.name, text.size);
    if (found.sha256 !== text.sha256) return undefined;
    growth += found.size - text.size;
  }
  return growth;
}

/** Finds the file that has the text of one of another state: in another directory of the agent, or compressed. */
function createTextFinder({
  agent,
  files,
}: Manifest): (file: ManifestFile) => ManifestFile | undefined {
  const sidecars = findSidecars(agent);
  const isPart = (name: string): boolean => sidecars.isPart?.(name) === true;
  const toTextName = (name: string): string =>
    withoutCompression(name.slice(name.lastIndexOf('/') + 1));
  return ({ name }) => {
    if (!isPart(name) || (isCompressed(name) && typeof WebAssembly === 'undefined')) {
      return undefined;
    }
    const found = files.find(
      (one) => isPart(one.name) && toTextName(one.name) === toTextName(name),
    );
    // Files that are not compressed were compared already.
    return found?.name === name && !isCompressed(name) ? undefined : found;
  };
}

/** How long the text of a file in a member is, and the SHA-256 of its first bytes. */
async function hashText(
  path: string,
  name: string,
  bytes = Number.POSITIVE_INFINITY,
): Promise<Pick<ManifestFile, 'size' | 'sha256'>> {
  const hash = createHash('sha256');
  let size = 0;
  await readMember(path, async (file, chunks) => {
    const isAsked = file.name === name;
    const text = isAsked && isCompressed(name) ? unpackChunks(chunks) : chunks;
    for await (const chunk of text) {
      if (!isAsked) continue;
      hash.update(chunk.subarray(0, Math.max(0, bytes - size)));
      size += chunk.length;
    }
  });
  return { size, sha256: hash.digest('hex') };
}

/** An order of states of the same bytes: what is compressed comes behind what is not. */
function isLater(one: Manifest, other: Manifest): boolean {
  if (one.files.length !== other.files.length) return one.files.length > other.files.length;
  const [packed, otherPacked] = [countPacked(one), countPacked(other)];
  if (packed !== otherPacked) return packed > otherPacked;
  const [time, otherTime] = [getTime(one), getTime(other)];
  if (time !== otherTime) return time > otherTime;
  // The archive of an agent sorts before the sessions that are in use.
  if (one.path !== other.path) return one.path < other.path;
  return toStateKey(toMemberName(one)) > toStateKey(toMemberName(other));
}

function countPacked({ files }: Manifest): number {
  return files.filter(({ name }) => isCompressed(name)).length;
}

function getTime({ files }: Manifest): number {
  return files[0]?.mtimeMs ?? 0;
}
