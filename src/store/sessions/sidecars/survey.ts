import { basename, dirname, join, relative, sep } from 'node:path';
import { FileError } from '../../../errors.ts';
import { orFileErrorSync } from '../../../session/jsonl/files/file-error.ts';
import { readPiecesSync } from '../../files/read-pieces.ts';
import { isTempName } from '../../../session/jsonl/files/temp-file.ts';
import { listNames } from '../../../session/jsonl/files/list-directory.ts';
import { readStart } from '../../files/read-regular-file.ts';
import { isPacked, listAll } from '../../files/list-all.ts';
import { listMountPoints } from '../../files/mount-point.ts';
import { getRealPath } from '../../files/stat-file.ts';
import { isMadeForPeople } from '../../output/made-names.ts';
import { type IsNoted, readNotedNames } from './noted-names.ts';
import { findTreeRoot, type TreeRoot } from '../file-tree.ts';
import {
  getFolderName,
  getRejectedPath,
  type HeldIn,
  type HomesBeside,
  isBetween,
  type Sidecar,
} from '../../../session/model/sidecar.ts';
import { getPromptsPath } from '../../../session/dialect/surroundings/history.ts';
import { countLeading } from '../../../session/model/count-leading.ts';
import { isBelow, NO_PATHS } from '../../../session/model/paths.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';

export type NamedSidecar = Pick<Sidecar, 'name' | 'kind'>;

export interface Resolved {
  readonly named: readonly NamedSidecar[];
  /** The sidecars that existed when their directory was listed. */
  readonly there: readonly NamedSidecar[];
}

/** The files below a directory that may be of sessions. */
interface FilesById {
  readonly byId: ReadonlyMap<string, readonly string[]>;
  /** Some of what is there cannot be listed: it may be on a disk that is not mounted. */
  readonly isHidden: boolean;
  /** The errors for what cannot be read. */
  readonly failures: readonly FileError[];
}

/** Finds which sidecars belong to sessions. Each directory is listed once, however many sessions ask. */
export class Survey {
  /** The sorted names of what is in a directory. */
  readonly #names = new Map<string, readonly string[]>();
  /** The names in a directory as no other there begins. */
  readonly #alone = new Map<string, ReadonlySet<string>>();
  readonly #roots = new Map<string, TreeRoot>();
  readonly #stores = new Map<string, readonly string[]>();
  readonly #homes: HomesBeside = new Map();
  readonly #filesById = new Map<string, FilesById>();
  readonly #starts = new Map<string, Promise<string>>();
  readonly #noted = new Map<string, IsNoted>();
  #mounts: ReadonlySet<string> | undefined;

  /** The errors for which sidecars may have been taken for those of other sessions. */
  get failures(): readonly FileError[] {
    return [...this.#filesById.values()].flatMap(({ failures }) => failures);
  }

  /** @throws FileError if there is no such directory. */
  findRoot(path: string): TreeRoot {
    this.#mounts ??= listMountPoints();
    const root = this.#roots.get(path) ?? findTreeRoot(path, this.#mounts);
    this.#roots.set(path, root);
    return root;
  }

  /**
   * The sidecars that a session has, or may have by now, each by its whole name. `others`: files of it that do not
   * count, as they go with it.
   * @throws FileError when a directory or a file cannot be read.
   */
  async resolve(
    path: string,
    root: string,
    sidecars: readonly Sidecar[],
    others: ReadonlySet<string> = NO_PATHS,
  ): Promise<Resolved> {
    const named = new Map<string, NamedSidecar>();
    const there = new Map<string, NamedSidecar>();
    for (const sidecar of sidecars) {
      const { name, kind, ending, sharedBy, isClaimed } = sidecar;
      if (isClaimed) continue;
      if (sharedBy && this.isHeldElsewhere(root, sharedBy, path, others)) continue;
      if (this.isNoted(root, sidecar)) continue;
      if (sidecar.unless !== undefined && (await this.#hasRival(root, sidecar))) continue;
      const isSure = ending === undefined && !sidecar.belongs;
      if (isSure) named.set(name, { name, kind });
      const home = toHome(root, name);
      const names = this.#listHome(home);
      for (const whole of pick(names, name, ending)) {
        if (there.has(whole) || join(root, whole) === path) continue;
        if (!(await this.#belongs(sidecar, join(root, whole), path))) continue;
        there.set(whole, { name: whole, kind });
        if (!isSure) named.set(whole, { name: whole, kind });
      }
    }
    return { named: [...named.values()], there: [...there.values()] };
  }

  /** Returns whether no other name in the directory of a session file begins with its own without the extension. */
  isAlone(path: string): boolean {
    const home = dirname(path);
    const known = this.#alone.get(home);
    if (known) return known.has(basename(path));
    const alone = findAlone(this.#listHome(home));
    this.#alone.set(home, alone);
    return alone.has(basename(path));
  }

  /**
   * Returns whether a sidecar that is being restored belongs to the session at `path`, and to no session that is there
   * already. `file`, `session`: the paths of the two until they get their names. `restored`: the real paths of files
   * that this run has restored.
   */
  async belongsToRestored(
    sidecar: Sidecar,
    { root, path, file, session }: Readonly<Record<'root' | 'path' | 'file' | 'session', string>>,
    restored: ReadonlySet<string>,
  ): Promise<boolean> {
    const { sharedBy, belongs } = sidecar;
    // An archive in the store, such as the one that it comes from, has no session of an agent.
    const others = sharedBy ? this.#listElsewhere(root, sharedBy, path) : [];
    const isOther = (one: string): boolean =>
      !isMadeForPeople(basename(one)) && !restored.has(getRealPath(one));
    if (others.some(isOther)) return false;
    if (await this.#hasRival(root, sidecar)) return false;
    return !belongs || belongs(await readStart(file), await readStart(session));
  }

  /**
   * Returns whether a session has another file than the one at a path, and than `others`; or may have one where
   * no one can look.
   */
  isHeldElsewhere(
    root: string,
    heldIn: HeldIn,
    path: string,
    others: ReadonlySet<string> = NO_PATHS,
  ): boolean {
    const found = this.listOthers(root, heldIn, path);
    return found === undefined || found.some((other) => !others.has(other));
  }

  /** Returns whether a session has another file that was listed: unlike `isHeldElsewhere`, none that may be hidden. */
  isSeenElsewhere(
    root: string,
    heldIn: HeldIn,
    path: string,
    isOwn: (path: string) => boolean,
  ): boolean {
    return this.#listElsewhere(root, heldIn, path).some((other) => !isOwn(other));
  }

  /** Lists the other files of a session; undefined where there may be some that no one can look at. */
  listOthers(root: string, heldIn: HeldIn, path: string): readonly string[] | undefined {
    const { isHidden } = this.#findFiles(root, heldIn);
    return isHidden ? undefined : this.#listElsewhere(root, heldIn, path);
  }

  #listElsewhere(root: string, heldIn: HeldIn, path: string): readonly string[] {
    const folder = join(dirname(path), getFolderName(path) ?? '.');
    // Lines of a session name it, also those that a repair took out of it, and prompts that wait beside it.
    const own = new Set([path, getRejectedPath(path), getPromptsPath(path)]);
    const { byId } = this.#findFiles(root, heldIn);
    return (byId.get(heldIn.id.toLowerCase()) ?? []).filter(
      (other) =>
        !own.has(other) && !isBelow(other, folder) && getRealPath(other) !== getRealPath(path),
    );
  }

  /** Lists the stores in which other files of a session may be. @throws FileError if they cannot be listed. */
  listStores(root: string, heldIn: HeldIn): readonly string[] {
    const key = toKey(root, heldIn);
    const known = this.#stores.get(key) ?? heldIn.listStores(root, this.#homes);
    this.#stores.set(key, known);
    return known;
  }

  #findFiles(root: string, heldIn: HeldIn): FilesById {
    const key = toKey(root, heldIn);
    const known = this.#filesById.get(key) ?? indexFilesById(this.listStores(root, heldIn), heldIn);
    this.#filesById.set(key, known);
    return known;
  }

  /** Returns whether it is of another session, which is there. */
  async #hasRival(root: string, { unless }: Sidecar): Promise<boolean> {
    if (unless === undefined) return false;
    const home = toHome(root, unless);
    return pick(this.#listHome(home), unless).length > 0;
  }

  /** Returns whether another session may use a sidecar, too, as a note says. */
  isNoted(root: string, { name, notedIn }: Sidecar): boolean {
    if (notedIn === undefined) return false;
    const isNoted = this.#noted.get(root) ?? readNotedNames(root, notedIn);
    this.#noted.set(root, isNoted);
    return isNoted(name);
  }

  async #belongs({ belongs }: Sidecar, file: string, session: string): Promise<boolean> {
    if (!belongs) return true;
    return belongs(await this.#readStart(file), await this.#readStart(session), basename(file));
  }

  #listHome(home: string): readonly string[] {
    const names = this.#names.get(home) ?? listNames(home);
    this.#names.set(home, names);
    return names;
  }

  #readStart(path: string): Promise<string> {
    const known = this.#starts.get(path) ?? readStart(path);
    this.#starts.set(path, known);
    return known;
  }
}

/** The sessions of two agents may be in one root, such as a directory that both were restored into. */
function toKey(root: string, { agent }: HeldIn): string {
  return `${agent}\0${root}`;
}

function indexFilesById(
  stores: readonly string[],
  { listHeldIds, listPackedIds, listIds, isOfOne }: Omit<HeldIn, 'agent' | 'listStores' | 'id'>,
): FilesById {
  const listed = stores.map((store) => ({ store, ...listAll(store) }));
  const failures = listed.flatMap(({ failures: unlisted }) => unlisted);
  const byId = new Map<string, string[]>();
  let isHidden = listed.some(({ unread }) => unread.length > 0);
  const all = listed.flatMap(({ store, files }) => files.map((path) => ({ store, path })));
  for (const { store, path } of all.filter((one) => !isTempName(basename(one.path)))) {
    const name = basename(path);
    const parts = relative(store, path).split(sep);
    // Names on the way count too, such as that of a directory with backups.
    const ids = parts.flatMap(listHeldIds);
    for (const id of new Set(ids)) addTo(byId, id, path);
    if (isOfOne(parts.join('/'))) continue;
    if (isPacked(name)) isHidden ||= listPackedIds(name).length === 0;
    else {
      const failure = addNamedIds(byId, path, listIds);
      if (failure) failures.push(failure);
    }
  }
  return { byId, isHidden: isHidden || failures.length > 0, failures };
}

/** Adds a file of any name to the ids that are in it. Returns the error if it cannot be read. */
function addNamedIds(
  byId: Map<string, string[]>,
  path: string,
  listIds: HeldIn['listIds'],
): FileError | undefined {
  return orFileErrorSync(() => {
    const ids = new Set<string>();
    for (const text of readPiecesSync(path)) for (const id of listIds(text)) ids.add(id);
    for (const id of ids) addTo(byId, id, path);
    return undefined;
  });
}

/** The directory of what has a name relative to a root. */
function toHome(root: string, name: string): string {
  const start = name.lastIndexOf('/') + 1;
  return start === 0 ? root : join(root, name.slice(0, start));
}

/**
 * Picks the names that begin and end so, or just the one that is so, from those in its directory. `names`: sorted.
 */
function pick(names: readonly string[], name: string, ending?: string): readonly string[] {
  const wanted = name.slice(name.lastIndexOf('/') + 1);
  const found: string[] = [];
  for (let at = countLeading(names, (one) => one < wanted); at < names.length; at += 1) {
    const own = names[at] ?? '';
    if (!own.startsWith(wanted)) break;
    if (ending === undefined ? own === wanted : isBetween(own, wanted, ending)) {
      found.push(name + own.slice(wanted.length));
    }
  }
  return found;
}

/** Finds the names that no other begins with, but for the extension. `names`: sorted. */
function findAlone(names: readonly string[]): ReadonlySet<string> {
  const alone = new Set<string>();
  for (const [at, name] of names.entries()) {
    const stem = getFolderName(name) ?? name;
    if (names[at - 1]?.startsWith(stem) !== true && names[at + 1]?.startsWith(stem) !== true) {
      alone.add(name);
    }
  }
  return alone;
}
