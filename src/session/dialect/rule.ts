import type { Entry } from '../model/entry.ts';
import type { MemberEdit } from '../jsonl/edit/splice.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { OtherFiles } from '../jsonl/read/other-files.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import type { Line } from '../jsonl/read/line-splitter.ts';
import type { LinePlan } from '../jsonl/scanner/plan.ts';
import type { Variables } from './surroundings/world.ts';
import type { ReadTables } from './surroundings/records.ts';
import type { Session } from '../model/session.ts';
import type { Tree } from '../model/tree/tree.ts';
import type { Framing } from './fold.ts';
import type { UnparsedEntry } from './known-shapes.ts';
import type { FindingLevel } from './levels.ts';

/** The place of a finding. Line 1 also represents the file as a whole. */
export interface Place {
  readonly line: number;
  /** Bytes from the start of the file. */
  readonly offset: number;
  readonly id?: string | undefined;
  /** `false` where a repair of the rule would do harm to something else. */
  readonly fixable?: false | undefined;
}

/** Reports a finding at one place; the message fits on one line, and quoted text is escaped. */
export type Report = (place: Place, message: string) => void;

/** A change to a line that repairs what a rule says of it. */
export interface LineChange {
  /** The offset at which the line begins. */
  readonly offset: number;
  readonly edits: readonly MemberEdit[];
  /** A line that is put behind it. */
  readonly followedBy?: JsonObject;
  /** A line from further below that is put before it; what it was is kept with the rejected lines. */
  readonly preceded?: MovedLine;
}

/** A line that gets another place in its file. */
export interface MovedLine {
  /** The byte at which the line begins. */
  readonly from: number;
  readonly bytes: Buffer;
}

/** The files and databases that a rule may read beside the session. */
export interface LookedAt extends OtherFiles {
  /** The rows that could be read of an agent's databases in a directory. */
  readonly readTables: ReadTables;
  /** The variables by which the user may have databases elsewhere. */
  readonly env: Variables;
  /**
   * Returns the fact about a path that the run has found before, or that `make` finds now. `what`: the kind
   * of fact.
   */
  readonly recall: <T>(what: string, path: string, make: () => Promise<T>) => Promise<T>;
}

/** Visits lines; `line.bytes` is valid only during the call. */
export type VisitLine = (line: Line, content: LineContent) => void;

/** Gathers facts from the lines of one file, for the rules that name it in `collect`. */
export interface Collector {
  readonly line: VisitLine;
  /** Replaces `line` for lines of a shape in which no rule has found anything. */
  readonly unparsed?: (unparsed: UnparsedEntry) => void;
}

/** One rule at work on one file. */
export interface Check {
  /** Only reports: it is not called for further lines of a shape in which no rule has found anything. */
  readonly line?: VisitLine;
  /** Is called once all lines have been seen, and before `session`. */
  readonly look?: (files: LookedAt) => Promise<void>;
  /** Is called once all lines have been seen. */
  readonly session?: (checked: CheckedSession) => void;
}

/** Entries that leave a context and are kept in the file, because another branch needs them. */
export interface KeptLater {
  readonly entries: ReadonlySet<Entry>;
  /** Compactions that keep them, each with the entry from which it keeps instead. */
  readonly firstKept: ReadonlyMap<Entry, Entry>;
}

/** A session as relation rules see it. */
export interface CheckedSession {
  readonly session: Session;
  readonly file: FileFacts;
  /** False for a file of a newer version than we know. */
  readonly isKnownVersion: boolean;
  readonly framing: Framing;
  readonly tree: Tree;
  /** Root → current leaf. */
  readonly path: readonly Entry[];
  /**
   * The entries that the model would see, older compactions resolved: those of the current path, or
   * of every branch that is looked at.
   */
  readonly contexts: readonly (readonly Entry[])[];
  /** Returns the context of every branch, also of those that are not checked. */
  readonly getAllContexts: () => readonly (readonly Entry[])[];
  /** Whether the parent that the header names is there, also by its name in the same store; undefined where it names no file. */
  readonly parentSessionExists: boolean | undefined;
}

/** The facts about a file that are known before its first line is. All rules of a file get one object. */
export interface FileFacts {
  readonly path: string;
  readonly framing: Framing;
}

/** A thing that can be wrong with a session file. */
export interface Rule {
  /** Stable; used in `--rule`, reports and suppressions. */
  readonly id: string;
  /** The level unless it is configured. */
  readonly level: FindingLevel;
  /** `--fix` repairs it without losing a byte. */
  readonly fixable: boolean;
  /** It compares the path of the file with what is in it: a session without a path is not checked by it. */
  readonly isAboutPath?: true;
  /** The fault that it finds, in one line. */
  readonly summary: string;
  /** The consequence for the agent, and the repair, in a few sentences. */
  readonly help: string;
  /**
   * Gives what this rule and others gather from the lines of a file, before they check the session: one
   * collector for a file, whichever rule asks (`remember`). It sees each line once.
   */
  readonly collect?: (file: FileFacts) => Collector;
  check(report: Report, file: FileFacts): Check;
  /**
   * The members that it and its collector read of the object on a line, beside those of the index: of
   * others it may be given no more. Absent if it reads all of them: then every line is parsed.
   */
  readonly reads?: LinePlan;
  /**
   * Selects the records that `--fix` takes out, for a fixable rule about whole records. A fresh function for
   * each file, asked about every record in file order.
   */
  readonly takesOut?: () => (record: JsonObject) => boolean;
  /**
   * Present for a fixable rule about entries that the model must not see: `--fix` takes out those that it
   * reports, with the labels and edits that are about them. Their children move to their parents.
   */
  readonly takesOutEntries?: {
    /**
     * Makes the entry that replaces one without which the session would continue at the end of another path.
     * Absent if the agent has no such entry: then the entry is kept.
     */
    readonly toLeaf?: (entry: Entry) => JsonObject;
    /**
     * Finds the entries that are kept in the file. Absent if compactions of the agent name no first kept
     * entry.
     */
    readonly keepLater?: (checked: CheckedSession) => KeptLater;
  };
  /**
   * Lists the changes to lines that `--fix` makes, for a fixable rule about a session as a whole, once its
   * check is done. They are made only where the current path then holds all that it held before.
   */
  readonly changeLines?: (checked: CheckedSession) => readonly LineChange[];
  /** Lists the edits that `--fix` makes to a record, for a fixable rule about members; none to leave it. */
  readonly changeRecord?: (record: JsonObject) => readonly MemberEdit[];
  /**
   * Returns the bytes that `--fix` writes, for a fixable rule about the bytes of a line, or of a part of one
   * that is kept; undefined to keep them. The bytes that it replaces are moved to the `.rejected` file.
   */
  readonly replaceBytes?: (bytes: Buffer) => Buffer | undefined;
  /** Returns whether `--fix` takes a line out, for a fixable rule about lines that are not records. */
  readonly takesOutLine?: (line: Line, content: LineContent) => boolean;
}

/** One thing that is wrong in one place. `line` is 1-based, `byteOffset` from the file's start. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly byteOffset: number;
  readonly entryId?: string;
  readonly rule: string;
  readonly level: FindingLevel;
  readonly message: string;
  readonly fixable: boolean;
  /** The findings of this rule that it stands for, where a file has too many to list; otherwise absent. */
  readonly count?: number;
}
