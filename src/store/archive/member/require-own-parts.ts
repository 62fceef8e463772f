import { unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { findDialect } from '../../../session/agents/index.ts';
import { describeNoSidecars } from '../../../session/dialect/surroundings/sidecars.ts';
import { releaseAfter } from '../../../session/jsonl/files/release-after.ts';
import { linkExclusively } from '../../../session/jsonl/write/create-file.ts';
import {
  isCompressed,
  withCompression,
  withoutCompression,
} from '../../../session/jsonl/zstd/is-compressed.ts';
import { readOpening } from '../../../session/read/read-opening.ts';
import { summarizeSession } from '../../../session/read/summaries/summarize-session.ts';
import { getRealPath } from '../../files/stat-file.ts';
import { findSidecars, type ManifestFile } from './manifest.ts';
import type { RestoreStores } from './restore-stores.ts';
import { refuse, toPath, type Unpacked } from './unpacked.ts';

/**
 * Refuses a member that holds the file of another session, or of one that its agent has at another place.
 * @throws FileError
 */
export async function requireOwnParts(unpacked: Unpacked, around: RestoreStores): Promise<void> {
  const { member, manifest, temps } = unpacked;
  const [first] = manifest.files;
  const dialect = findSidecars(manifest.agent);
  const isOfSession = (file: ManifestFile): boolean =>
    file === first || dialect.isPart?.(file.name) === true;
  for (const [file, temp] of temps) {
    if (!isOfSession(file)) continue;
    const obstacle = await findObstacle(temp, isCompressed(file.name));
    if (obstacle !== undefined) throw refuse(member, `what it holds ${obstacle}`);
  }
  const files = dialect.isPart ? manifest.files.filter(isOfSession) : [];
  const parts = await readParts(unpacked, files);
  if (!areOfOne(parts)) throw refuse(member, 'holds a file of another session');
  requireNoOther(unpacked, parts, around);
}

/** @throws FileError where the agent has a session, or what that has started, at another place. */
export function requireNoOther(
  { manifest, place }: Pick<Unpacked, 'manifest' | 'place'>,
  parts: readonly Pick<Part, 'id'>[],
  around: RestoreStores,
): void {
  const other = findOther({ manifest, place }, parts, around);
  if (other === undefined) return;
  throw new FileError(place.path, 'EEXIST', `not restored: its agent has it at ${other}`);
}

/** The reason why a file is not restored as a session. */
async function findObstacle(path: string, isPacked: boolean): Promise<string | undefined> {
  const opening = await readNamed(path, isPacked, (one) => readOpening(one));
  return opening.kind === 'session' ? describeNoSidecars(opening.dialect) : 'is not a session';
}

/** A file of a session, by its header. */
interface Part {
  readonly id: string;
  readonly startedBy: string | undefined;
  /** The sessions that its name may be of; empty where names are of none. */
  readonly named: readonly string[];
}

async function readParts(
  unpacked: Unpacked,
  files: readonly ManifestFile[],
): Promise<readonly Part[]> {
  const rows = findDialect(unpacked.manifest.agent)?.rows;
  const parts: Part[] = [];
  for (const file of files) {
    const read = await readNamed(toPath(unpacked, file), isCompressed(file.name), (one) =>
      summarizeSession(one, { usage: false }),
    );
    if (!('path' in read)) continue;
    const named = rows?.listIds([file.name]) ?? [];
    parts.push({ id: read.id, startedBy: read.relations?.startedBy, named });
  }
  return parts;
}

/** Returns whether all files are of the session of the first, or of what that has started. */
function areOfOne(parts: readonly Part[]): boolean {
  if (parts.some(({ id, named }) => named.length > 0 && !named.includes(id))) return false;
  const ids = new Set(parts.slice(0, 1).map(({ id }) => id));
  for (let before = 0; ids.size !== before;) {
    before = ids.size;
    for (const { id, startedBy } of parts) {
      if (startedBy !== undefined && ids.has(startedBy)) ids.add(id);
    }
  }
  return parts.every(({ id }) => ids.has(id));
}

/**
 * Finds another file of what a session is said to have started, since a header can lie; or one of its own files at
 * another place, to which its agent has moved or compressed it since.
 */
function findOther(
  { manifest, place }: Pick<Unpacked, 'manifest' | 'place'>,
  [own, ...others]: readonly Pick<Part, 'id'>[],
  { listStored }: RestoreStores,
): string | undefined {
  const dialect = findDialect(manifest.agent);
  const { rows, bases } = dialect ?? {};
  if (!rows || !bases) return undefined;
  const started = new Set(others.map(({ id }) => id).filter((id) => id !== own?.id));
  const paths = manifest.files.map(({ name }) => join(place.root, name));
  const known = new Set([...paths, ...paths.map(getRealPath)]);
  const names = new Set(paths.map(toPlainName));
  const ids = rows.listIds(paths).filter((id) => id === own?.id || started.has(id));
  return ids
    .flatMap((id) => listStored(bases.listPlaces(place.path), id, rows))
    .filter((path) => !known.has(path))
    .find(
      (path) => names.has(toPlainName(path)) || rows.listIds([path]).some((id) => started.has(id)),
    );
}

function toPlainName(path: string): string {
  return basename(withoutCompression(path));
}

/** Reads a file by a name that shows whether it is compressed. */
async function readNamed<T>(
  path: string,
  isPacked: boolean,
  read: (path: string) => Promise<T>,
): Promise<T> {
  if (!isPacked || isCompressed(path)) return read(path);
  const named = withCompression(path);
  await linkExclusively(path, named);
  return releaseAfter(
    () => read(named),
    () => unlink(named),
  );
}
