import type { Entry } from '../model/entry.ts';
import type { Value, WholeRow } from './surroundings/rows.ts';
import type { LookedAt } from './rule.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { Session } from '../model/session.ts';
import type { Tree } from '../model/tree/tree.ts';

/** The entries of a session, in file order, and their relations. */
export interface Forest {
  readonly entries: readonly Entry[];
  readonly tree: Tree;
  /** Bytes of the file at which others continue from it: the path to there is theirs, too. */
  readonly cuts?: readonly number[] | undefined;
}

/** Reducers that take whole entries out, in the order in which they are applied. */
export const ENTRY_REDUCERS = [
  'abandoned-branches',
  'summarized',
  'copies',
  'superseded-state',
] as const;
export type EntryReducerName = (typeof ENTRY_REDUCERS)[number];

/** Finds the entries that can be taken out without a change to the context. */
export type EntryReducer = (forest: Forest) => ReadonlySet<Entry>;

/** Makes the replacement of an image or text block; undefined to keep it. */
export type BlockChange = (block: Buffer) => Buffer | undefined;

/** Rows of an agent's databases that count the bytes of a file, by ids and databases. */
export interface StaleRows {
  readonly ids: readonly string[];
  readonly databases: readonly string[];
}

/** Says what becomes of such rows where the file changes. */
export function describeStaleRows({ databases }: StaleRows): string {
  return `its rows in ${databases.join(', ')} are removed: its agent makes them again`;
}

/** A byte of a file from which another one continues: a line begins there, or the file ends. */
export interface Cut {
  readonly offset: number;
  /** The file that continues. */
  readonly path: string;
  /** The files that continue from that one, and so on. */
  readonly heirs: readonly string[];
}

/** Rows that say at which bytes of a file something is. */
export interface PositionRows {
  readonly ids: readonly string[];
  readonly database: string;
  /** How many there are, in words. */
  readonly description: string;
  /** Whether a run that was killed has left them without numbers. */
  readonly isUnplaced: boolean;
}

/** The offsets at which a line and the next one begin. */
export interface LinePlace {
  readonly offset: number;
  readonly end: number;
}

/** The capability to rewrite a file that others continue, or whose lines rows in a database point to. */
export interface CutDialect {
  /**
   * The line of a header, and as long as it was, that continues from another byte; undefined where that cannot be.
   */
  moveCut(line: Buffer, header: JsonObject, from: number, to: number): Buffer | undefined;
  /** Returns the number by which rows know a line. */
  getNumber(line: JsonObject): number | undefined;
  /** Values of rows, by table, with which the agent does nothing that needs the bytes of a file. */
  readonly unplaced: Readonly<Record<string, Readonly<Record<string, Value>>>>;
  /** The values of a row of a table once the bytes are known. */
  place(
    table: string,
    row: WholeRow,
    find: (number: number) => LinePlace | undefined,
  ): Readonly<Record<string, Value>> | undefined;
}

/** The files and rows that depend on the bytes of a file. */
export interface Counts {
  /** The reason why no byte of it may move. */
  readonly obstacle?: string;
  /** Rows that must be gone before it does: the agent makes them again. */
  readonly stale?: StaleRows;
  /** The places at which other files continue it; none unless given. No row of such a file is removed. */
  readonly cuts?: readonly Cut[];
  /** Rows of a file with cuts. */
  readonly positions?: PositionRows | undefined;
}

/** The ways to take out images, and to restore them. */
export const IMAGE_MODES = ['extract', 'drop', 'restore'] as const;
export type ImageMode = (typeof IMAGE_MODES)[number];

/**
 * The capability to cut from kept lines the state that a later line replaces: counted as superseded state.
 */
export interface TrimDialect {
  readonly find: EntryReducer;
  trim(bytes: Buffer): Buffer | undefined;
  /** Describes the abilities that trimming costs, and those that are kept. */
  describe(forest: Forest): string;
}

/** The capability to make lines smaller. */
export interface ReductionDialect {
  /** The oldest version whose files coppice also rewrites; the current one unless given. */
  readonly oldestVersion?: number;
  /** Finds the files and rows that depend on the bytes of a file; absent if nothing does. */
  findCounts?(session: Session, files: LookedAt): Promise<Counts>;
  /** Present if files may continue one that is rewritten. */
  readonly cutting?: CutDialect;
  readonly trimming?: TrimDialect;
  /** The reducers that apply to sessions of the agent. */
  readonly entryReducers: Readonly<Partial<Record<EntryReducerName, EntryReducer>>>;
  /** The keys under which a line names itself and its parent; absent where lines say neither. */
  readonly keys?: { readonly id: string; readonly parentId: string };
  /**
   * The key under which an entry points to another without being about it, so that it moves on where
   * that one goes; undefined for all other entries. Without it, what an entry names is kept.
   */
  getPointerKey?(entry: Entry): string | undefined;
  /** The parent that the line of an entry names, where the agent may attach the entry to another one. */
  getWrittenParent?(entry: Entry): string | null;
  /**
   * Returns the reason why the agent might not continue the same conversation once only `after` is left of
   * the entries; undefined if it does. Absent if that follows from the tree. `sizes`: those that the file may have
   * then.
   */
  findHarm?(
    before: Session,
    after: readonly Entry[],
    sizes?: readonly number[],
  ): string | undefined;
  /** The bytes up to which the agent loads a file whole; absent: any file. */
  readonly maxWholeBytes?: number;
  /**
   * Changes the blocks of a message or of an edit that replaces one, and keeps every other byte.
   * Undefined when nothing changes. `bytes` is a line that `JSON.parse` accepts. `isSuperseded`: it is one
   * of those that could be trimmed.
   */
  changeBlocks(bytes: Buffer, change: BlockChange, isSuperseded: boolean): Buffer | undefined;
  /**
   * Cuts what a tool or a command printed to this many bytes of UTF-8. Undefined when it fits.
   */
  cutOutput(bytes: Buffer, entry: Entry, maxBytes: number): Buffer | undefined;
}
