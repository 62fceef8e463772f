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
import { findSidecars, listOwn } from './manifest.ts';
import type { RestoreStores } from './restore-stores.ts';
import { refuse, toPath, type Unpacked } from './unpacked.ts';

/**
 * Refuses a member that holds anything beside its session that does not belong to that, by the tests by which prune
 * finds what it removes with a session.
 * @throws FileError
 */
export async function requireOwnSidecars(unpacked: Unpacked, around: RestoreStores): Promise<void> {
  const { member, manifest, place, temps } = unpacked;
  const [first] = manifest.files;
  if (!first) return;
  const dialect = findSidecars(manifest.agent);
  const names = manifest.files.map(({ name }) => name);
  const sidecars = listOwn(dialect, place.path, place.root, names);
  const session = toPath(unpacked, first);
  for (const [{ name }, file] of temps) {
    if (name === first.name) continue;
    let isOwn = false;
    for (const sidecar of sidecars) {
      isOwn ||= await belongs({ sidecar, name, file, session }, unpacked, around);
    }
    if (!isOwn) throw refuse(member, `${name} is not, or not only, of its session`);
  }
  requireOwnFolder(unpacked, dialect);
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

async function belongs(
  { sidecar, name, file, session }: Question,
  unpacked: Unpacked,
  { survey, restored }: RestoreStores,
): Promise<boolean> {
  if (!isNameOf(name, sidecar)) return false;
  const { root, path } = unpacked.place;
  const around = { root, path, file, session };
  if (!(await survey.belongsToRestored(sidecar, around, restored))) return false;
  const { isClaimed, sharedBy } = sidecar;
  if (!isClaimed || !sharedBy) return true;
  const read = await summarizeSession(session, { usage: false });
  const claim = 'path' in read ? findClaim(name, read.claims ?? []) : undefined;
  if (claim === undefined) return false;
  const stores = survey.listStores(root, sharedBy);
  return isClaimedAlone({ name, claim, root, stores }, toKnownTest(unpacked, restored));
}

/** Makes a test of whether the file at a path may name what a member holds: one of its own, or made by this run. */
function toKnownTest(unpacked: Unpacked, restored: ReadonlySet<string>): (path: string) => boolean {
  const own = unpacked.manifest.files.map((file) => getRealPath(toPath(unpacked, file)));
  const known = new Set(own);
  // While the stores are searched, other members get their names.
  const isKnown = (path: string): boolean => known.has(path) || restored.has(path);
  return (path) =>
    isTempName(basename(path)) || isMadeForPeople(basename(path)) || isKnown(getRealPath(path));
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
