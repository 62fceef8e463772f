import { lstat, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { throwIfBug } from '../../session/jsonl/files/file-error.ts';
import { toStamp } from '../../session/jsonl/files/identity/file-stamp.ts';
import { fileExists } from '../../session/jsonl/read/read-lines.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { attempt } from '../files/attempt.ts';
import {
  type ExportRecord,
  formatRecords,
  listRecords,
  NO_RECORD,
  readRecords,
  readRecordsOfOther,
  toOlderKey,
} from './export-records.ts';
import { describeStamp, OutputDirectory, type WrittenFile } from './output-directory.ts';
import { readHeadIfAny } from '../files/read-head.ts';
import { hashFile } from '../files/read-regular-file.ts';
import { RECORD_NAME, toRecordName } from './made-names.ts';
import { refuseLink } from './refuse-link.ts';

/**
 * A directory of exported files, and a record of what they were made of, so that the next run makes
 * only what changed. Each file has one record. Without the record everything is made again.
 */
export class ExportFolder {
  readonly output: OutputDirectory;
  readonly #recordName: string;
  readonly #records: Map<string, ExportRecord>;
  /** The key of the record of each file, by the name of the file. */
  readonly #owners = new Map<string, string>();
  /** Files to remove, unless they are written again, and the key of the record that named each. */
  readonly #stale: (readonly [key: string, file: WrittenFile])[] = [];
  /** The records of other parts, once they were asked for. */
  #others: readonly [key: string, record: ExportRecord][] | undefined;
  /** The keys of what was taken over from them. */
  readonly #adopted = new Set<string>();
  #isChanged: boolean;

  private constructor(
    output: OutputDirectory,
    recordName: string,
    records: Map<string, ExportRecord> | undefined,
  ) {
    this.output = output;
    this.#recordName = recordName;
    this.#records = records ?? new Map();
    this.#isChanged = records === undefined;
    for (const [key, { files }] of this.#records) {
      for (const { name } of files) this.#owners.set(name, key);
    }
  }

  /** `part` keeps apart runs that share the folder at the same time. `now` in milliseconds. */
  static async open(directory: string, now: number, part = ''): Promise<ExportFolder> {
    const recordName = toRecordName(part);
    const path = join(directory, recordName);
    const records = (await fileExists(path)) ? readRecords(path) : new Map();
    return new ExportFolder(new OutputDirectory(directory, now), recordName, records);
  }

  /** The record of a source, if it was made so and every file is still as it was written. */
  async findCurrent(key: string, made: string): Promise<ExportRecord | undefined> {
    const record = this.#records.get(key);
    if (record?.made !== made) return undefined;
    const files: WrittenFile[] = [];
    for (const file of record.files) {
      const found = await this.#findUnchanged(file);
      if (!found) return undefined;
      files.push(found);
    }
    const current = { ...record, files };
    if (files.some(({ stamp }, index) => stamp !== record.files[index]?.stamp)) {
      this.#records.set(key, current);
      this.#isChanged = true;
    }
    return current;
  }

  /**
   * Every record whose key begins like this, in the order of the keys; also those that runs of other
   * parts have saved by now.
   */
  list(prefix: string): readonly (readonly [key: string, record: ExportRecord])[] {
    const all = new Map([...this.#readOthers(), ...this.#records]);
    const older = toOlderKey(prefix);
    const found = [...all].filter(([key]) => key.startsWith(prefix) || key === older);
    return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** Finds the files that runs have written and recorded, and that are as they were written. */
  async findWritten(): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    for (const [, { files }] of this.list('')) {
      for (const file of files) {
        if (await this.#findUnchanged(file)) found.add(join(this.output.directory, file.name));
      }
    }
    return found;
  }

  /** The parts, as runs named them, that have recorded files under keys which begin like this. */
  listParts(prefix: string): readonly string[] {
    const { directory } = this.output;
    return listRecords(directory).flatMap((name) => {
      const [, part] = RECORD_NAME.exec(name) ?? [];
      if (part === undefined) return [];
      const keys = [...readRecordsOfOther(join(directory, name))].map(([key]) => key);
      return keys.some((key) => key.startsWith(prefix)) ? [part] : [];
    });
  }

  *#readOthers(): Generator<[key: string, record: ExportRecord]> {
    const { directory } = this.output;
    for (const name of listRecords(directory)) {
      if (name === this.#recordName) continue;
      yield* readRecordsOfOther(join(directory, name));
    }
  }

  /** The beginning of a file, as text; nothing of one that cannot be read. */
  readHead(name: string, bytes: number): string {
    return readHeadIfAny(join(this.output.directory, name), bytes);
  }

  /** Records what was written. What was there under this key and was not written again is removed. */
  set(key: string, record: ExportRecord): void {
    this.remove(key);
    this.#records.set(key, record);
    for (const { name } of record.files) {
      const owner = this.#owners.get(name);
      if (owner !== undefined) this.#disown(owner, name);
      this.#owners.set(name, key);
    }
  }

  /**
   * Takes over what runs of other parts have recorded for a source, of which no two have the same at a time: it is
   * written again, or removed.
   */
  adopt(key: string): void {
    this.#others ??= [...this.#readOthers()];
    for (const [other, { files }] of this.#others) {
      if (other !== key && other !== toOlderKey(key)) continue;
      this.#addStale(key, files);
      this.#adopted.add(other);
    }
  }

  /** Records which sessions have moved. `isHere`: whether the file of a record was found; undefined if it was not looked for. */
  recordMoves(isHere: (key: string) => boolean | undefined): void {
    const sessions = this.list('').flatMap(([key, { session }]) => (isHere(key) ? session : []));
    const here = new Set(sessions);
    for (const [key, record] of this.#records) {
      const { session = '', hasMoved = false } = record;
      const found = isHere(key);
      const now = found === undefined ? hasMoved : !found && (hasMoved || here.has(session));
      if (now === hasMoved) continue;
      this.#records.set(key, { ...record, hasMoved: now });
      this.#isChanged = true;
    }
  }

  /** Records what was written before a run was stopped; all else is as it was, and is made again. */
  setHalfway(key: string, files: readonly WrittenFile[]): void {
    const names = new Set(files.map(({ name }) => name));
    const kept = this.#listFiles(key).filter(({ name }) => !names.has(name));
    this.set(key, { ...NO_RECORD, files: [...files, ...kept] });
  }

  /** Removes what an earlier export wrote under this key, and its record, when the rest is saved. */
  remove(key: string): void {
    this.#isChanged = true;
    const files = this.#listFiles(key);
    for (const { name } of files) this.#owners.delete(name);
    this.#addStale(key, files);
    for (const one of [key, toOlderKey(key)]) this.#records.delete(one);
  }

  /** The files that are recorded under a key, also by an earlier version. */
  #listFiles(key: string): readonly WrittenFile[] {
    return [key, toOlderKey(key)].flatMap((one) => this.#records.get(one)?.files ?? []);
  }

  #addStale(key: string, files: readonly WrittenFile[]): void {
    for (const file of files) this.#stale.push([key, file]);
  }

  /**
   * Writes the record for the next run, if there is anything new in it.
   * @throws FileError when it cannot be written, or what is to go cannot be removed.
   */
  async save(): Promise<void> {
    if (!this.#isChanged) return;
    await releaseAfter(
      async () => {
        await this.#removeStale();
        await this.#forgetAdopted();
      },
      () => this.#write(this.#recordName, this.#records),
    );
  }

  async #write(name: string, records: ReadonlyMap<string, ExportRecord>): Promise<void> {
    await this.output.write(name, [formatRecords(records)]);
  }

  /** The records of other parts would name files that are gone, and such a name may hold a secret. */
  async #forgetAdopted(): Promise<void> {
    if (this.#adopted.size === 0) return;
    for (const name of listRecords(this.output.directory)) {
      if (name === this.#recordName) continue;
      const all = [...readRecordsOfOther(join(this.output.directory, name))];
      const kept = all.filter(([key]) => !this.#adopted.has(key));
      if (kept.length < all.length) await this.#write(name, new Map(kept));
    }
    this.#adopted.clear();
  }

  /** Another export has made the file again: the record of the one before names it no more. */
  #disown(owner: string, name: string): void {
    const record = this.#records.get(owner);
    if (!record) return;
    const files = record.files.filter((file) => file.name !== name);
    if (files.length === 0) this.#records.delete(owner);
    else this.#records.set(owner, { ...record, made: '', files });
  }

  /** One that cannot be removed does not keep the others, and the next run tries again. */
  async #removeStale(): Promise<void> {
    const failures: unknown[] = [];
    for (const [key, file] of this.#stale.splice(0)) {
      if (this.#owners.has(file.name)) continue;
      try {
        await this.#removeUnchanged(file);
      } catch (error) {
        failures.push(error);
        this.#keepForNextRun(key, file);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  async #removeUnchanged(file: WrittenFile): Promise<void> {
    const path = join(this.output.directory, file.name);
    await refuseLink(this.output.directory, dirname(path));
    // Somebody may have put something else in its place.
    if (!(await this.#findUnchanged(file))) return;
    await attempt(path, () => rm(path, { force: true }), 'remove');
    await this.#removeEmptied(file.name);
  }

  /** The next run exports its session again, and then removes the file: no run knows one that no record names. */
  #keepForNextRun(key: string, file: WrittenFile): void {
    const record = this.#records.get(key) ?? NO_RECORD;
    this.#records.set(key, { ...record, made: '', files: [...record.files, file] });
    this.#owners.set(file.name, key);
  }

  /** A directory of images has the name of its document, which may have held a secret; no other run uses it. */
  async #removeEmptied(name: string): Promise<void> {
    const directory = dirname(name);
    if (!directory.endsWith('.images')) return;
    try {
      await rmdir(join(this.output.directory, directory));
    } catch (error) {
      // Something else is in it: then it is somebody's.
      throwIfBug(error);
    }
  }

  /** The file with its stamp of now. One that was only touched or copied is read, and is the same. */
  async #findUnchanged(file: WrittenFile): Promise<WrittenFile | undefined> {
    const path = join(this.output.directory, file.name);
    try {
      const stats = await lstat(path, { bigint: true });
      if (!stats.isFile() || Number(stats.size) !== file.size) return undefined;
      const stamp = describeStamp(toStamp(stats));
      const isSame = stamp === file.stamp || (await hashFile(path)) === file.sha256;
      return isSame ? { ...file, stamp } : undefined;
    } catch {
      return undefined;
    }
  }
}
