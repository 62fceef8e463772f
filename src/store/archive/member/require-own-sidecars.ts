import { basename, join } from 'node:path';
import type { SidecarDialect } from '../../../session/dialect/surroundings/sidecars.ts';
import { isTempName } from '../../../session/jsonl/files/temp-file.ts';
import { isBelow } from '../../../session/model/paths.ts';
import {
  findClaim,
  getFolderPath,
  isNameOf,
  type Sidecar,
} from '../../../session/model/sidecar.ts';
import { summarizeSession } from '../../../session/read/summaries/summarize-session.ts';
import { listAll } from '../../files/list-all.ts';
import { getRealPath } from '../../files/stat-file.ts';
import { isMadeForPeople } from '../../output/made-names.ts';
import { ownsFolder, toOwnName } from '../../sessions/session-files.ts';
import { isClaimedAlone } from '../../sessions/sidecars/claimed-sidecars.ts';
import { findSidecars, listOwn, type ManifestFile } from './manifest.ts';
import type { RestoreStores } from './restore-stores.ts';
import { refuse, toPath, type Unpacked } from './unpacked.ts';

/**
 * Refuses a member that holds anything beside its session that does not belong to that, by the tests by which prune
 * finds what it removes with a session. Returns the files that its lines claim, but that others may name as well.
 * @throws FileError
 */
export async function requireOwnSidecars(
  unpacked: Unpacked,
  around: RestoreStores,
): Promise<readonly ManifestFile[]> {
  const { member, manifest, place, temps } = unpacked;
  const [first] = manifest.files;
  if (!first) return [];
  const dialect = findSidecars(manifest.agent);
  const names = manifest.files.map(({ name }) => name);
  const sidecars = listOwn(dialect, place.path, place.root, names);
  const session = toPath(unpacked, first);
  const others: ManifestFile[] = [];
  for (const [held, file] of temps) {
    const { name } = held;
    if (name === first.name) continue;
    let owner: Owner | undefined;
    for (const sidecar of sidecars) {
      owner ??= await findOwner({ sidecar, name, file, session }, unpacked, around);
    }
    if (!owner) throw refuse(member, `${name} is not, or not only, of its session`);
    if (owner === 'several') others.push(held);
  }
  requireOwnFolder(unpacked, dialect);
  return others;
}

/** A file that may be a sidecar of a session. */
interface Question {
  readonly sidecar: Sidecar;
  /** Relative to the root. */
  readonly name: string;
  /** The paths where the file and the session are as yet. */
  readonly file: string;
  readonly session: string;
}

/** The owner of a file: this session alone, or others that may claim it as well. */
type Owner = 'session' | 'several';

/** Undefined for a file that may not belong to the session. */
async function findOwner(
  { sidecar, name, file, session }: Question,
  unpacked: Unpacked,
  { survey, restored, present, search }: RestoreStores,
): Promise<Owner | undefined> {
  if (!isNameOf(name, sidecar)) return undefined;
  const { root, path } = unpacked.place;
  const around = { root, path, file, session };
  const isOwn = await survey.belongsToRestored(sidecar, around, restored);
  const { isClaimed, sharedBy } = sidecar;
  if (!isClaimed || !sharedBy) return isOwn ? 'session' : undefined;
  const read = await summarizeSession(session, { usage: false });
  const claim = 'path' in read ? findClaim(name, read.claims ?? []) : undefined;
  if (claim === undefined) return undefined;
  const stores = survey.listStores(root, sharedBy);
  const isKnown = toKnownTest(unpacked, [restored, present]);
  const isAlone = isOwn && (await isClaimedAlone({ name, claim, root, stores }, search, isKnown));
  return isAlone ? 'session' : 'several';
}

/** Makes a test of whether the file at a path may name what a member holds: one of its own, or of a session of this run. */
function toKnownTest(
  unpacked: Unpacked,
  others: readonly ReadonlySet<string>[],
): (path: string) => boolean {
  const own = unpacked.manifest.files.map((file) => getRealPath(toPath(unpacked, file)));
  const known = [new Set(own), ...others];
  // While the stores are searched, other members get their names.
  const isKnown = (path: string): boolean => known.some((paths) => paths.has(path));
  const isMade = (name: string): boolean => isTempName(name) || isMadeForPeople(name);
  return (path) => isMade(basename(path)) || isKnown(path) || isKnown(getRealPath(path));
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
