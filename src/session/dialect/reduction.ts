import type { Entry } from '../model/entry.ts';
import type { LookedAt } from './rule.ts';
import type { Session } from '../model/session.ts';
import type { Tree } from '../model/tree/tree.ts';

/** The entries of a session, in file order, and how they hang together. */
export interface Forest {
  readonly entries: readonly Entry[];
  readonly tree: Tree;
}

/** Reducers that take whole entries out, in the order in which they are applied. */
export const ENTRY_REDUCERS = [
  'abandoned-branches',
  'summarized',
  'copies',
  'superseded-state',
] as const;
export type EntryReducerName = (typeof ENTRY_REDUCERS)[number];

/** Those entries that may go without a change to what the model sees. */
export type EntryReducer = (forest: Forest) => ReadonlySet<Entry>;

/** What stands instead of an image or text block; undefined to leave it. */
export type BlockChange = (block: Buffer) => Buffer | undefined;

/** Rows of an agent's databases that count the bytes of a file, by ids and databases. */
export interface StaleRows {
  readonly ids: readonly string[];
  readonly databases: readonly string[];
}

/** What counts on the bytes of a file. */
export interface Counts {
  /** Why no byte of it may move. */
  readonly obstacle?: string;
  /** Rows that must be gone before it does: the agent makes them anew. */
  readonly stale?: StaleRows;
}

/** How images are taken out, and put back. */
export type ImageMode = 'extract' | 'drop' | 'restore';

/** How lines that stay are made smaller by what a later line replaces: counted as superseded state. */
export interface TrimDialect {
  readonly find: EntryReducer;
  trim(bytes: Buffer): Buffer | undefined;
  /** What is no longer possible once something was trimmed, and what is kept. */
  describe(forest: Forest): string;
}

/** How an agent's lines can be made smaller. */
export interface ReductionDialect {
  /** Where files of older versions are also rewritten, as they are: the oldest of those. */
  readonly oldestVersion?: number;
  /** What in other places counts on the bytes of a file; nothing does unless given. */
  findCounts?(session: Session, files: LookedAt): Promise<Counts>;
  readonly trimming?: TrimDialect;
  /** Those that find something in sessions of the agent. */
  readonly entryReducers: Readonly<Partial<Record<EntryReducerName, EntryReducer>>>;
  /** Under which keys a line says its id and its parent; absent where lines say neither. */
  readonly keys?: { readonly id: string; readonly parentId: string };
  /**
   * The key under which an entry points to another without being about it, so that it moves on where
   * that one goes; undefined for all other entries. Without it, what an entry names stays.
   */
  getPointerKey?(entry: Entry): string | undefined;
  /**
   * Why the agent might not go on with the same conversation once only `after` is left of the
   * entries; undefined where it does. Absent where that follows from the tree.
   */
  findHarm?(before: Session, after: readonly Entry[]): string | undefined;
  /**
   * Changes the blocks of a message or of an edit that replaces one, and keeps every other byte.
   * Undefined when nothing changes. `bytes` is a line that `JSON.parse` accepts. `isSuperseded`: it is one
   * of those that could be trimmed.
   */
  changeBlocks(bytes: Buffer, change: BlockChange, isSuperseded: boolean): Buffer | undefined;
  /**
   * Cuts what a tool or a command printed to so many bytes of UTF-8. Undefined when it fits.
   */
  cutOutput(bytes: Buffer, entry: Entry, maxBytes: number): Buffer | undefined;
}
