import { basename, dirname, extname, join } from 'node:path';
import { listNames, listReadable } from '../../../session/jsonl/files/list-directory.ts';
import { findClaim, PART } from '../../../session/model/sidecar.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import { getRealPath } from '../../files/stat-file.ts';
import { findHeldIn, type HeldBelow } from './held-in.ts';
import { type NameSearch, searchNames } from './search-names.ts';
import { withFiles } from '../read-prunable.ts';
import { addSidecars, listNamed, type SessionFiles } from '../session-files.ts';
import type { NamedSidecar, Survey } from './survey.ts';
import type { FoundPrunable, ReadSessions } from '../units/unit.ts';

/** A sidecar that the lines of a session name. */
interface Claim {
  /** Relative to the root. */
  readonly name: string;
  /** The name by which lines claim it. */
  readonly claim: string;
  readonly root: string;
  /** The directories in which no other file may name it. */
  readonly stores: readonly string[];
}

/**
 * Adds to the files of sessions that are to be removed what their lines name, if nothing else in the store
 * does or may: every other file there is read. `listOthers`: lists files that go before that of a session, which do
 * not count.
 */
export async function addClaimed(
  { read, survey }: Pick<ReadSessions, 'read' | 'survey'>,
  leaving: ReadonlySet<string>,
  listOthers: (path: string) => ReadonlySet<string>,
): Promise<readonly FoundPrunable[]> {
  if (leaving.size === 0) return read;
  const list = createLister();
  const claims = new Map<FoundPrunable, readonly Claim[]>();
  for (const one of read) {
    const { summary, file } = one;
    const own =
      summary && leaving.has(file.path)
        ? await listClaims(summary, survey, listOthers(file.path), list)
        : [];
    if (own.length > 0) claims.set(one, own);
  }
  if (claims.size === 0) return read;
  const claimants = await findClaimants([...claims.values()].flat());
  const added: FoundPrunable[] = [];
  for (const one of read) {
    const { files, file } = one;
    const claimed = claims.get(one);
    const isOwn = files && toPathTest(files, listOthers(file.path));
    const own = isOwn && claimed?.filter(isOnlyIn(isOwn, claimants));
    const names = [...new Set(own?.map(({ name }) => name))];
    const isMore = files && names.length > 0;
    added.push(isMore ? { ...one, ...withFiles(one, await withNamed(files, names)) } : one);
  }
  return added;
}

/** Lists the sidecars that the lines of a session name and that exist, unless another file of it is left. */
async function listClaims(
  { agent, path, claims = [] }: SessionSummary,
  survey: Survey,
  others: ReadonlySet<string>,
  list: ReturnType<typeof createLister>,
): Promise<readonly Claim[]> {
  const place = claims.length === 0 ? undefined : findClaimable({ agent, path });
  if (!place) return [];
  const { root, heldIn } = place;
  if (survey.isHeldElsewhere(root, heldIn, path, others)) return [];
  const stores = survey.listStores(root, heldIn);
  return findClaimed(root, claims, list).map((one) => ({ ...one, root, stores }));
}

/** The place of what the lines of a session may name; undefined for a session whose lines name nothing that is its own. */
export function findClaimable(session: Parameters<typeof findHeldIn>[0]): HeldBelow | undefined {
  const place = findHeldIn(session);
  return place?.shared.some(({ isClaimed }) => isClaimed) ? place : undefined;
}

/** Finds the sidecars that are there by the names by which lines claim them. */
function findClaimed(
  root: string,
  claims: readonly string[],
  list: (directory: string) => readonly string[],
): readonly Pick<Claim, 'name' | 'claim'>[] {
  return claims.flatMap((claim) => {
    const home = dirname(claim);
    const words = toWords({ claim });
    const names = list(join(root, home)).filter((one) => one.startsWith(words));
    return names
      .map((one) => ({ name: `${home}/${one}`, claim }))
      .filter(({ name }) => findClaim(name, [claim]) !== undefined);
  });
}

/**
 * Adds to the files of a session what its lines name, for a copy: also what others name as well. `claims`: of a session
 * with a place for them (`findClaimable`).
 * @throws FileError if it cannot be looked up.
 */
export function withClaimed(files: SessionFiles, claims: readonly string[]): Promise<SessionFiles> {
  const found = findClaimed(files.root, claims, listNames);
  return withNamed(files, [...new Set(found.map(({ name }) => name))]);
}

/** Makes a function that lists the names in a directory, each once. */
function createLister(): (directory: string) => readonly string[] {
  const listed = new Map<string, readonly string[]>();
  return (directory) => {
    const names = listed.get(directory) ?? listReadable(directory);
    listed.set(directory, names);
    return names;
  };
}

/** The files that may name a sidecar, by store and by words. */
type Claimants = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

async function findClaimants(claims: readonly Claim[]): Promise<Claimants> {
  const wanted = new Map<string, string[]>();
  for (const claim of claims) {
    for (const store of claim.stores) addTo(wanted, store, toWords(claim));
  }
  const found = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (const [store, words] of wanted) {
    found.set(store, await searchNames(store, [...new Set(words)]));
  }
  return found;
}

/** Some lines have just the words, others the name of the file. */
function toWords({ claim }: Pick<Claim, 'claim'>): string {
  return basename(claim, extname(claim));
}

/** Lists the words by which lines may claim a sidecar, by its name. */
export function listClaimWords(name: string): readonly string[] {
  const parts = toWords({ claim: name }).split(PART);
  return parts.map((_part, at) => parts.slice(0, at + 1).join(PART));
}

/**
 * Returns whether nothing names a sidecar but files that do not count. `isIgnored`: whether a file is one of them, asked
 * before it is read and after.
 */
export async function isClaimedAlone(
  claim: Claim,
  search: NameSearch,
  isIgnored: (path: string) => boolean,
): Promise<boolean> {
  for (const store of claim.stores) {
    const found = await search.list(store, toWords(claim), isIgnored);
    if (!found.every(isIgnored)) return false;
  }
  return true;
}

/** Makes a test of whether a sidecar is named in nothing but the files of one session. */
function isOnlyIn(
  isOwn: (path: string) => boolean,
  claimants: Claimants,
): (claim: Claim) => boolean {
  return (claim) =>
    claim.stores.every((store) => (claimants.get(store)?.get(toWords(claim)) ?? []).every(isOwn));
}

/** Makes a test of whether a path is that of a file of a session, or of one of some others. */
function toPathTest(
  { root, files }: Pick<SessionFiles, 'root' | 'files'>,
  others: ReadonlySet<string>,
) {
  const paths = [...files.map(({ name }) => join(root, name)), ...others];
  const own = new Set(paths.map((path) => getRealPath(path)));
  return (path: string): boolean => own.has(getRealPath(path));
}

/** A session's files with sidecars that are its own by what its lines say. */
async function withNamed(files: SessionFiles, names: readonly string[]): Promise<SessionFiles> {
  const known = new Set(listNamed(files).map(({ name }) => name));
  const added = names.flatMap((name): NamedSidecar[] =>
    known.has(name) ? [] : [{ name, kind: 'file' }],
  );
  return addSidecars(files, added);
}
