import { unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { findDialect } from '../../../session/agents/index.ts';
import {
  describeNoSidecars,
  type SidecarDialect,
} from '../../../session/dialect/surroundings/sidecars.ts';
import { releaseAfter } from '../../../session/jsonl/files/release-after.ts';
import { isTempName } from '../../../session/jsonl/files/temp-file.ts';
import { linkExclusively } from '../../../session/jsonl/write/create-file.ts';
import {
  isCompressed,
  withCompression,
  withoutCompression,
} from '../../../session/jsonl/zstd/is-compressed.ts';
import { isBelow } from '../../../session/model/paths.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import {
  findClaim,
  getFolderPath,
  isNameOf,
  type Sidecar,
} from '../../../session/model/sidecar.ts';
import { readOpening } from '../../../session/read/read-opening.ts';
import { summarizeSession } from '../../../session/read/summaries/summarize-session.ts';
import { listAll } from '../../files/list-all.ts';
import { isMadeForPeople } from '../../output/made-names.ts';
import { getRealPath } from '../../files/stat-file.ts';
import { ownsFolder, toOwnName } from '../../sessions/session-files.ts';
import { isClaimedAlone } from '../../sessions/sidecars/claimed-sidecars.ts';
import { Survey } from '../../sessions/sidecars/survey.ts';
import type { RowDialect } from '../../../session/dialect/surroundings/rows.ts';
import type { Place } from '../place.ts';
import { findSidecars, listOwn, type Manifest, type ManifestFile } from './manifest.ts';

/** The stores that one run restores into, as it knows them. */
export interface RestoreStores {
  /** The sidecars of sessions, as they were before. */
  readonly survey: Survey;
  /** The real paths of the files that this run has restored. */
  readonly restored: Set<string>;
  /** Lists the files of a session by the names of all that are in some places, or that this run has put there. */
  readonly listStored: (
    places: readonly string[],
    id: string,
    rows: Pick<RowDialect, 'listIds'>,
  ) => readonly string[];
}

export function createRestoreStores(): RestoreStores {
  const restored = new Set<string>();
  return { survey: new Survey(), restored, listStored: createStoreList(restored) };
}

/** Places are listed once: they may hold thousands of files. */
function createStoreList(restored: ReadonlySet<string>): RestoreStores['listStored'] {
  const listed = new Map<string, ReadonlyMap<string, readonly string[]>>();
  const listById = (place: string, rows: Pick<RowDialect, 'listIds'>) => {
    const byId = new Map<string, string[]>();
    for (const path of listAll(place).files) {
      if (isTempName(basename(path))) continue;
      for (const id of rows.listIds([path])) addTo(byId, id, path);
    }
    return byId;
  };
  return (places, id, rows) => {
    const before = places.flatMap((place) => {
      const byId = listed.get(place) ?? listById(place, rows);
      listed.set(place, byId);
      return byId.get(id) ?? [];
    });
    return [...before, ...[...restored].filter((path) => basename(path).includes(id))];
  };
}

/** A member whose files are about to get their names. */
export interface Unpacked {
  readonly member: string;
  readonly manifest: Manifest;
  readonly place: Place;
  /** The files that are not there yet, and where they are written. */
  readonly temps: ReadonlyMap<ManifestFile, string>;
}

/**
 * Refuses a member that holds anything but one session and what belongs to that: by the tests by which prune
 * finds what it removes with a session.
 * @throws FileError
 */
export async function requireOwn(unpacked: Unpacked, around: RestoreStores): Promise<void> {
  const { member, manifest, temps } = unpacked;
  const { agent, files } = manifest;
  const dialect = findSidecars(agent);
  const isPart = ({ name }: ManifestFile): boolean => dialect.isPart?.(name) === true;
  for (const [file, temp] of temps) {
    if (file !== files[0] && !isPart(file)) continue;
    const obstacle = await findObstacle(temp, isCompressed(file.name));
    if (obstacle !== undefined) throw refuse(member, `what it holds ${obstacle}`);
  }
  const parts = await readParts(unpacked, dialect);
  if (!areOfOne(parts)) throw refuse(member, 'holds a file of another session');
  requireNoOther(unpacked, parts, around);
  await requireOwnSidecars(unpacked, around, dialect);
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

function refuse(member: string, reason: string): FileError {
  return new FileError(member, 'EARCHIVE', `refused: ${reason}`);
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

async function readParts(unpacked: Unpacked, dialect: SidecarDialect): Promise<readonly Part[]> {
  const { files, agent } = unpacked.manifest;
  const rows = findDialect(agent)?.rows;
  const parts: Part[] = [];
  for (const file of dialect.isPart ? files : []) {
    if (file !== files[0] && dialect.isPart?.(file.name) !== true) continue;
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
function areOfOne([own, ...others]: readonly Part[]): boolean {
  const all = own ? [own, ...others] : [];
  if (all.some(({ id, named }) => named.length > 0 && !named.includes(id))) return false;
  const ids = new Set(own && [own.id]);
  let left = others;
  for (let before = -1; left.length !== before;) {
    before = left.length;
    left = left.filter(({ id, startedBy = '' }) => {
      const isOwn = ids.has(id) || ids.has(startedBy);
      if (isOwn) ids.add(id);
      return !isOwn;
    });
  }
  return left.length === 0;
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

/** @throws FileError for a file that prune would not remove with the session. */
async function requireOwnSidecars(
  unpacked: Unpacked,
  { survey, restored }: RestoreStores,
  dialect: SidecarDialect,
): Promise<void> {
  const { member, manifest, place, temps } = unpacked;
  const { root, path } = place;
  const [first] = manifest.files;
  if (!first) return;
  const session = toPath(unpacked, first);
  const names = manifest.files.map(({ name }) => name);
  const sidecars = listOwn(dialect, path, root, names);
  const isOwn = async (sidecar: Sidecar, name: string, file: string): Promise<boolean> => {
    if (!isNameOf(name, sidecar)) return false;
    if (!(await survey.belongsToRestored(sidecar, { root, path, file, session }, restored)))
      return false;
    const { isClaimed, sharedBy } = sidecar;
    if (!isClaimed || !sharedBy) return true;
    const read = await summarizeSession(session, { usage: false });
    const claim = 'path' in read ? findClaim(name, read.claims ?? []) : undefined;
    if (claim === undefined) return false;
    const own = new Set(manifest.files.map((one) => getRealPath(toPath(unpacked, one))));
    const isKnown = (one: string): boolean =>
      isTempName(basename(one)) ||
      isMadeForPeople(basename(one)) ||
      own.has(getRealPath(one)) ||
      restored.has(getRealPath(one));
    return isClaimedAlone(
      { name, claim, root, stores: survey.listStores(root, sharedBy) },
      isKnown,
    );
  };
  for (const [{ name }, temp] of temps) {
    if (name === first.name) continue;
    let isFound = false;
    for (const sidecar of sidecars) isFound ||= await isOwn(sidecar, name, temp);
    if (!isFound) throw refuse(member, `${name} is not, or not only, of its session`);
  }
  requireOwnFolder(unpacked, dialect);
}

/** @throws FileError for a folder that is there, and may not be the session's: prune would not remove it. */
function requireOwnFolder(
  { member, manifest, place: { path, root }, temps }: Unpacked,
  dialect: SidecarDialect,
): void {
  const folder = getFolderPath(path);
  if (folder === undefined) return;
  if (![...temps.keys()].some((file) => isBelow(join(root, file.name), folder))) return;
  const held = new Set(manifest.files.map((file) => file.name));
  const others = listAll(folder)
    .files.filter((one) => !isTempName(basename(one)))
    .map((one) => ({ name: toOwnName(one, root) }))
    .filter((file) => !held.has(file.name));
  if (!ownsFolder({ path, root, files: others }, manifest.id, dialect)) {
    throw refuse(member, `${basename(folder)}/ is not, or not only, of its session`);
  }
}

/** The path where a file is as yet. */
function toPath({ temps, place }: Unpacked, file: ManifestFile): string {
  return temps.get(file) ?? join(place.root, file.name);
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
