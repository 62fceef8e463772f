import { createReadStream } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { releaseAfter, tryAll } from '../../../session/jsonl/files/release-after.ts';
import { syncDirectory } from '../../../session/jsonl/files/flush.ts';
import { createCleaner, createTempFile } from '../../../session/jsonl/files/temp-file.ts';
import type { OmittedRows } from '../../../session/dialect/surroundings/rows.ts';
import { getRealPath, isGone } from '../../files/stat-file.ts';
import { NO_PATHS } from '../../../session/model/paths.ts';
import {
  createFile,
  ignoreMissing,
  linkExclusively,
} from '../../../session/jsonl/write/create-file.ts';
import { type AddedRows, editRows, type RowEditor } from '../../database/edit-rows.ts';
import { decodeRows } from '../../database/stored-rows.ts';
import { createClaimTest } from './claimed-files.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import {
  type Destination,
  findPlace,
  makeDirectories,
  type Place,
  setDirectoryFacts,
  setFileFacts,
} from '../place.ts';
import { inDirectoryBelow } from '../../output/hold-directory.ts';
import { readManifest, readMember, readRows, readToEnd } from './read-member.ts';
import { requireOwnParts } from './require-own-parts.ts';
import { requireOwnSidecars } from './require-own-sidecars.ts';
import { createRestoreStores, type KnownFiles, type RestoreStores } from './restore-stores.ts';
import {
  findRowTarget,
  findWanted,
  getTop,
  hashIfThere,
  OCCUPIED,
  requireSpace,
  toConflict,
  toTarget,
} from './restore-target.ts';
import { attempt } from '../../files/attempt.ts';

export interface Restored {
  readonly path: string;
  /** False when everything was there already, so that nothing was written. */
  readonly changed: boolean;
  /** It had rows in databases of its agent, and there are none where it is now. */
  readonly lacksRows: boolean;
  readonly omittedRows: readonly OmittedRows[];
  /** The files that its lines claim and that were left out, with the reasons. */
  readonly omittedFiles: readonly FileError[];
}

/**
 * Returns a function that puts a session and its sidecars back where it came from, or to the
 * same place in another store, with every byte, mtime, and mode (but for the right to execute a file,
 * and everybody's to write). The archive keeps its copy. Each file appears whole, the session file
 * last; a file that is there already is never replaced, and a directory keeps its mode.
 *
 * That function throws FileError when other files are in the way, the destination does not hold the
 * session's place, or the member is not sound; no session file has then been made.
 */
export function createRestorer(
  destination: Destination,
  now: number,
  known?: Partial<KnownFiles>,
): (member: string) => Promise<Restored> {
  // Directories are cleared once a run: a project can hold thousands.
  const clear = createCleaner(now);
  const around = createRestoreStores(known);
  return async (member) => {
    const place = findPlace(await readManifest(member), destination);
    const directory = dirname(place.path);
    try {
      await makeDirectories(place.base, directory);
      await clear(directory);
      return await new Restore(member, place, around, clear).run();
    } catch (error) {
      throw toFileError(error, place.path, 'restore');
    }
  };
}

interface RestoredRows extends Partial<Pick<Restored, 'lacksRows' | 'omittedRows'>> {
  /** How many were added. */
  readonly added?: number;
}

/** The reason to leave out a file that the session may share. */
const CLAIMED = 'another session may name it';

/** How often files may be taken away again. */
const MAX_TRIES = 3;

class Restore {
  readonly #member: string;
  readonly #place: Place;
  readonly #around: RestoreStores;
  readonly #clear: (directory: string) => Promise<void>;
  /** Files that are written in full and wait for their names: the session file. */
  #temps = new Map<ManifestFile, string>();
  /** A path that leads to the directory of the session file. */
  #home = '';
  /** The files that are left out, by name, with the reasons. */
  #omitted = new Map<string, FileError>();
  /** Directories that were missing. */
  readonly #made = new Set<string>();

  constructor(
    member: string,
    place: Place,
    around: RestoreStores,
    clear: (directory: string) => Promise<void>,
  ) {
    this.#member = member;
    this.#place = place;
    this.#around = around;
    this.#clear = clear;
  }

  async run(): Promise<Restored> {
    const manifest = await readManifest(this.#member);
    const wanted = await findWanted(manifest, this.#place, this.#around.newest);
    const { missing } = wanted;
    this.#omitted = new Map(wanted.omitted);
    if (missing.size > 0) await this.#prepare(manifest, missing);
    const stored = await readRows(this.#member);
    const target = stored && (await findRowTarget(manifest, this.#place));
    if (!stored || !target) {
      await this.#restoreAll(manifest, missing);
      return this.#toRestored(missing, { lacksRows: stored !== undefined });
    }
    const { rows, omitted: others } = decodeRows(stored, target, this.#member);
    const add = async (editor: RowEditor): Promise<AddedRows> => {
      const added = editor.add(rows, true);
      // The files come before the rows are seen, and the rows are taken back if the files do not come.
      await this.#restoreAll(manifest, missing);
      return added;
    };
    const { added, omitted } = await editRows(target.home, target.databases, add);
    return this.#toRestored(missing, { added, omittedRows: [...others, ...omitted] });
  }

  #toRestored(
    missing: ReadonlySet<string>,
    { lacksRows = false, added = 0, omittedRows = [] }: RestoredRows,
  ): Restored {
    const omitted = this.#omitted;
    const changed = added > 0 || [...missing].some((name) => !omitted.has(name));
    const { path } = this.#place;
    return { path, changed, lacksRows, omittedRows, omittedFiles: [...omitted.values()] };
  }

  /**
   * Restores files, and those that were there and are gone by then: a run that removes the session takes its sidecars
   * away after it.
   */
  async #restoreAll(manifest: Manifest, missing: ReadonlySet<string>): Promise<void> {
    let left = missing;
    for (let tries = 0; tries < MAX_TRIES && left.size > 0; tries += 1) {
      if (tries > 0) await this.#prepare(manifest, left);
      await this.#restoreFiles(left);
      // Another run may have removed the session again, with all of that.
      left = isGone(this.#place.path) ? NO_PATHS : this.#listGone(manifest);
    }
    const [name] = left;
    if (name === undefined) return;
    throw new FileError(toTarget(this.#place, name), 'ECHANGED', 'another process removes it');
  }

  /** Lists the names of files that are not there. */
  #listGone({ files }: Manifest): ReadonlySet<string> {
    const names = files.map(({ name }) => name).filter((name) => !this.#omitted.has(name));
    return new Set(names.filter((name) => isGone(toTarget(this.#place, name))));
  }

  async #restoreFiles(missing: ReadonlySet<string>): Promise<void> {
    const restore = async (): Promise<void> => {
      const read = await readMember(this.#member, (file, chunks) =>
        missing.has(file.name) ? this.#write(file, chunks) : readToEnd(file, chunks),
      );
      await this.#commit(read);
    };
    // The temporary files are where they were made, whatever happens to the directory meanwhile.
    await this.#inHome(this.#place.path, (home) => {
      this.#home = home;
      return releaseAfter(restore, () => this.#removeTemps());
    });
  }

  /** Acts in the directory of a file that is below the store. */
  #inHome<T>(target: string, act: (home: string) => Promise<T>): Promise<T> {
    return inDirectoryBelow(getTop(this.#place), dirname(target), act);
  }

  async #removeTemps(): Promise<void> {
    const removals = [...this.#temps.values()].map((temp) => () => unlink(temp));
    await tryAll(...removals);
  }

  async #prepare({ files, directories }: Manifest, missing: ReadonlySet<string>): Promise<void> {
    const { path } = this.#place;
    const wanted = files.filter(({ name }) => missing.has(name));
    await requireSpace(dirname(path), path, wanted);
    const top = getTop(this.#place);
    for (const { name, mode } of directories) {
      const made = await makeDirectories(top, toTarget(this.#place, name), mode);
      for (const one of made) this.#made.add(one);
    }
    // Directories that hold sidecars and are not sidecars themselves.
    for (const { name } of wanted) await makeDirectories(top, dirname(toTarget(this.#place, name)));
  }

  async #write(file: ManifestFile, chunks: AsyncIterable<Buffer>): Promise<void> {
    // All are gathered next to the session file, where a later run finds what this one leaves.
    const home = dirname(this.#place.path);
    // The reader of a member would take an error of the disk that is written to for one of the member.
    const attemptHere = <T>(act: () => Promise<T>): Promise<T> => attempt(home, act, 'restore');
    const temp = await attemptHere(() =>
      createTempFile(join(this.#home, basename(this.#place.path))),
    );
    this.#temps.set(file, temp.path);
    const write = async (): Promise<void> => {
      for await (const chunk of chunks) await attemptHere(() => temp.file.appendFile(chunk));
      await attemptHere(async () => {
        await setFileFacts(temp.path, file);
        await temp.file.sync();
      });
    };
    await releaseAfter(write, () => temp.file.close());
  }

  async #commit(manifest: Manifest): Promise<void> {
    const place = this.#place;
    const unpacked = { member: this.#member, manifest, place, temps: this.#temps };
    await requireOwnParts(unpacked, this.#around);
    for (const file of await requireOwnSidecars(unpacked, this.#around))
      await this.#omit(file, CLAIMED);
    const waiting = [...this.#temps].toReversed();
    const isClaimed = createClaimTest(manifest, place);
    const homes = new Set(waiting.map(([{ name }]) => dirname(toTarget(this.#place, name))));
    // A run that was killed may have left a copy there, beside one on another file system.
    for (const { name } of manifest.files) await this.#clear(dirname(toTarget(place, name)));
    const syncHomes = async (): Promise<void> => {
      for (const home of homes) await syncDirectory(home);
    };
    for (const [file, temp] of waiting) {
      // The session comes last: where it is, everything is as it was.
      if (file === manifest.files[0]) {
        await this.#finishDirectories(manifest);
        await syncHomes();
      }
      await this.#putInPlace(file, temp, isClaimed(file.name));
    }
    await syncHomes();
  }

  /** Gives a finished file its name. One that others may have claimed as well is left out for theirs. */
  async #putInPlace(file: ManifestFile, temp: string, isClaimed: boolean): Promise<void> {
    const target = toTarget(this.#place, file.name);
    try {
      await this.#giveName(target, (home) => takeName(temp, join(home, basename(target)), file));
    } catch (error) {
      const isTaken = toFileError(error, target, 'restore').code === 'EEXIST';
      if (!isTaken || !isClaimed) throw error;
      return this.#omit(file, OCCUPIED);
    }
    this.#temps.delete(file);
  }

  /** Leaves out a file that is not written yet. */
  async #omit(file: ManifestFile, reason: string): Promise<void> {
    const temp = this.#temps.get(file);
    if (temp !== undefined) await unlink(temp).catch(ignoreMissing);
    this.#temps.delete(file);
    this.#omitted.set(file.name, toConflict(toTarget(this.#place, file.name), reason));
  }

  /** Lets a file get its name. It counts as this run's before it is there, since other members look meanwhile. */
  async #giveName(target: string, act: (home: string) => Promise<void>): Promise<void> {
    const { restored } = this.#around;
    const real = join(getRealPath(dirname(target)), basename(target));
    const isKnown = restored.has(real);
    restored.add(real);
    try {
      await this.#inHome(target, act);
    } catch (error) {
      if (!isKnown) restored.delete(real);
      throw error;
    }
  }

  async #finishDirectories({ directories }: Manifest): Promise<void> {
    for (const directory of directories.toReversed()) {
      const path = toTarget(this.#place, directory.name);
      await inDirectoryBelow(getTop(this.#place), path, async (held) => {
        await syncDirectory(held);
        await setDirectoryFacts(held, directory, this.#made.has(path));
      });
    }
  }
}

/**
 * Gives a finished file its name, and never takes it from another file. One with the same content is as good: of a
 * sidecar that two sessions share, or of another run that restores the same.
 */
async function takeName(temp: string, target: string, file: ManifestFile): Promise<void> {
  try {
    await linkOrCopy(temp, target, file);
  } catch (error) {
    const isTaken = toFileError(error, target, 'restore').code === 'EEXIST';
    if (!isTaken || (await hashIfThere(target)) !== file.sha256) throw error;
  }
  await unlink(temp).catch(ignoreMissing);
}

/** Gives a file a name, or a copy of it where that is on another file system, as one that is mounted beside a store. */
async function linkOrCopy(
  temp: string,
  target: string,
  { mtimeMs }: Pick<ManifestFile, 'mtimeMs'>,
): Promise<void> {
  try {
    await linkExclusively(temp, target);
  } catch (error) {
    if (toFileError(error, target, 'restore').code !== 'EXDEV') throw error;
    await createFile(target, createReadStream(temp), { like: temp, mtimeMs });
  }
}
