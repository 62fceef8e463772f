/** A model as the agent names it; a part that the file lacks is undefined to the agent, too. */
export interface ModelRef {
  readonly provider: string | undefined;
  readonly modelId: string | undefined;
}

/** The place of a line in its file: bytes, and a 1-based line number. */
export interface LineSpan {
  readonly line: number;
  readonly offset: number;
  readonly length: number;
  /** The path of the file that it is in, where that is not the session's own. */
  readonly file?: string | undefined;
}

/** The first line of a session file: who and where. Not part of the tree. */
export interface Header extends LineSpan {
  readonly id: string;
  /** The written time, which may be absent or unreadable. */
  readonly timestamp: string | undefined;
  readonly cwd: string;
  readonly parentSession: string | undefined;
  /** Its name in v1. pi's listing does not read it, so ours does not report it. */
  readonly branchedFrom: string | undefined;
  /** The line before it that holds the name of the session, for agents that have one there. */
  readonly title?: TitleLine | undefined;
}

export interface TitleLine extends LineSpan {
  readonly name: string;
}

/** The id by which a summary of a branch says that the branch left no entry. */
export const ROOT = 'root';

/**
 * The part of an entry that is kept in memory: its place in the tree and the few facts that decide about
 * other entries. The payload is on disk, at `offset`.
 */
export interface Entry extends LineSpan {
  /** Undefined where the file has none; such an entry can be a leaf, but no one's parent. */
  readonly id: string | undefined;
  /** Null for a root, and where the file has none. */
  readonly parentId: string | null;
  readonly type: string;
  /** Says something about the session and is not in its tree: no one's parent, and never the leaf. */
  readonly aside?: true | undefined;
  /** The role of a message. */
  readonly role?: string | undefined;
  /** Milliseconds; NaN when unreadable. */
  readonly time: number;
  /** The id of a message that several lines hold: equal for all of them. */
  readonly messageId?: string | undefined;
  /** The agent does not load its line: a compaction stands for it. */
  readonly isUnloaded?: true | undefined;
  /** A sub-agent has it from the session that began it. */
  readonly isCopied?: true | undefined;
  /** The id of the entry that a label or a context edit is about, or of the earlier turn that an item is of. */
  readonly targetId?: string | undefined;
  /** The text of a label; absent when it clears. */
  readonly label?: string | undefined;
  /** The name that a `session_info` sets; empty when it clears. */
  readonly name?: string | undefined;
  readonly firstKeptEntryId?: string | undefined;
  /** v1 only: the index among all parsed lines, the header being 0. */
  readonly firstKeptEntryIndex?: number | undefined;
  /** The leaf that a branch summary left; `ROOT` if no entry was left. */
  readonly fromId?: string | undefined;
  readonly model?: ModelRef | undefined;
  readonly thinkingLevel?: string | undefined;
  readonly customType?: string | undefined;
  /** The id that a call, its result and further events about it have in common. */
  readonly callId?: string | undefined;
}

/** The beginning of another file, which a session continues from and does not hold. */
export interface Base {
  /** The id by which the file is known. */
  readonly id: string;
  /** How many bytes of it, of its text where it is compressed. */
  readonly end: number;
}
