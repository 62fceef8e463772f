import { join } from 'node:path';
import { CoppiceError } from '../../errors.ts';
import { getString, type JsonObject } from '../../session/jsonl/edit/json.ts';
import { CURRENT_VERSION } from '../../session/agents/pi/format.ts';
import {
  assertValidSessionId,
  createEntryId,
  toSessionFileName,
} from '../../session/agents/pi/places/session-place.ts';
import { branchRecords } from './records/branch-records.ts';
import { loadSession } from '../functions/load-session.ts';
import { isSaid, RecordTable } from './records/record-table.ts';
import { SessionFile } from './session-file.ts';
import type { SessionWorld } from '../world.ts';

export interface NewSessionOptions {
  /** Letters, digits, `.`, `_` and `-`; a new UUID of version 7 unless given. */
  readonly id?: string;
  /** The path of the session that this one comes from. */
  readonly parentSession?: string;
}

/** The fields of an entry; some need to know its id, its time (in milliseconds) or the leaf before it. */
export type Fields = JsonObject | ((id: string, time: number, leafId: string | null) => JsonObject);

/**
 * A session that is being written: its entries, the leaf where it continues, and its file. An entry
 * is in memory only once it is in the file, so that no entry in the file ever lacks its parent.
 */
export class SessionLog {
  readonly cwd: string;
  /** The directory for new files; undefined for a session in memory. */
  readonly directory: string | undefined;
  readonly #world: SessionWorld;
  #header: JsonObject = {};
  #table = new RecordTable();
  #file: SessionFile | undefined;
  leafId: string | null = null;

  constructor(cwd: string, directory: string | undefined, world: SessionWorld) {
    this.cwd = cwd;
    this.directory = directory;
    this.#world = world;
  }

  get header(): JsonObject {
    return this.#header;
  }

  get table(): RecordTable {
    return this.#table;
  }

  /** Returns the path that the session has, or will have. */
  get path(): string | undefined {
    return this.#file?.path;
  }

  /** @throws CoppiceError for an id that pi would not accept. */
  begin(options: NewSessionOptions = {}, records: readonly JsonObject[] = []): void {
    const header = this.#makeHeader(options);
    this.#set(header, records, this.#makeFile(header));
  }

  /** @throws FileError if the file cannot be read or is not a session. */
  open(path: string): void {
    const loaded = loadSession(path);
    const file = new SessionFile(path, loaded);
    if (loaded?.header) this.#set(loaded.header, loaded.records, file);
    else this.#set(this.#makeHeader({}), [], file);
  }

  /** Goes on in a new session made of the path to an entry. */
  branchOff(id: string): void {
    this.require(id);
    const { createId } = this.#world;
    const records = branchRecords(this.#table.pathTo(id), this.#table.labels, createId);
    const parentSession = this.path;
    const header = this.#makeHeader(parentSession === undefined ? {} : { parentSession });
    const file = this.#makeFile(header);
    // A session without a message is not a conversation yet: pi creates the file with the first message.
    if (records.some(isSaid)) file?.create([header, ...records]);
    this.#set(header, records, file);
  }

  /** @throws CoppiceError, with pi's words, for an unknown entry. */
  require(id: string): JsonObject {
    const record = this.#table.get(id);
    if (!record) throw new CoppiceError(`Entry ${id} not found`);
    return record;
  }

  /** Hangs a new entry on the leaf, and makes it the leaf; returns its id. */
  append(type: string, fields: Fields): string {
    return this.appendAt(this.leafId, type, fields);
  }

  /** Appends an entry below another one than the leaf. */
  appendAt(parentId: string | null, type: string, fields: Fields): string {
    const record = this.#write((id) => {
      const timestamp = new Date(this.#world.now()).toISOString();
      const own =
        typeof fields === 'function' ? fields(id, Date.parse(timestamp), this.leafId) : fields;
      return { type, id, parentId, timestamp, ...own };
    });
    this.#table.add(record);
    this.leafId = getString(record, 'id') ?? null;
    return this.leafId ?? '';
  }

  /** Makes an entry, and writes it where there is a file, or should be one now. */
  #write(make: (id: string) => JsonObject): JsonObject {
    const file = this.#file;
    if (file?.exists) {
      const held = file.isEmpty ? [this.#header, ...this.#table.records] : [];
      let made: JsonObject = {};
      file.append((foreign) => {
        for (const record of foreign) this.#table.add(record);
        made = make(this.#createEntryId());
        return [...held, made];
      });
      return made;
    }
    const made = make(this.#createEntryId());
    if (this.#table.hasConversation || isSaid(made)) {
      file?.create([this.#header, ...this.#table.records, made]);
    }
    return made;
  }

  #set(header: JsonObject, records: readonly JsonObject[], file: SessionFile | undefined): void {
    this.#header = header;
    this.#file = file;
    this.#table = new RecordTable(records);
    this.leafId = this.#table.lastId;
  }

  #makeHeader({ id, parentSession }: NewSessionOptions): JsonObject {
    if (id !== undefined) assertValidSessionId(id);
    return {
      type: 'session',
      version: CURRENT_VERSION,
      id: id ?? this.#world.createId(),
      timestamp: new Date(this.#world.now()).toISOString(),
      cwd: this.cwd,
      ...(parentSession !== undefined && { parentSession }),
    };
  }

  #makeFile(header: JsonObject): SessionFile | undefined {
    if (this.directory === undefined) return undefined;
    const [timestamp, id] = [getString(header, 'timestamp'), getString(header, 'id')];
    return new SessionFile(join(this.directory, toSessionFileName(timestamp ?? '', id ?? '')));
  }

  #createEntryId(): string {
    return createEntryId(this.#world.createId, (id) => this.#table.has(id));
  }
}
