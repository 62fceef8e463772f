import type { Agent } from './agent.ts';
import type { Base } from './entry.ts';
import { addUsage, type EntryUsage, NO_USAGE, type PackedUsages, type Usage } from './usage.ts';

/** The reason why a session cannot be used as it is. */
export interface Problem {
  /** Stable, for programs. */
  readonly code: string;
  /** A sentence for people: what is wrong, and what to do. */
  readonly message: string;
}

/** A file that was asked for and could not be used. */
export interface FileProblem {
  readonly path: string;
  readonly problem: Problem;
}

/** The parts of a session file that were not understood. A command that removes sessions asks for it. */
export interface Unread {
  /** Lines that are cut, glued, too long, hold NULs or invalid UTF-8, or are not JSON objects. */
  readonly lines: number;
  /** Entries of a type that no release of the agent is known to write. */
  readonly entries: number;
  /** Messages whose time cannot be read, or makes no sense: the session may have been active later than it says. */
  readonly times: number;
  /** Whether the file beside the session with the name that a person gave it cannot be read. */
  readonly title?: boolean;
  /** Whether the agent has a name for it in a second place, which it does not show. */
  readonly otherName?: boolean;
  /** Whether the agent has it among the archived ones in one place, and among the others in another. */
  readonly state?: boolean;
  /** Whether nothing shows which of it and another session is the fork: a fork starts where its copied lines end. */
  readonly start?: boolean;
}

/** The kinds of origin of a session. */
export const SOURCES = ['interactive', 'exec', 'subagent'] as const;
export type Source = (typeof SOURCES)[number];

/** The places in which an agent keeps a session: among those in use, or put away. */
export const STATES = ['active', 'archived'] as const;
export type State = (typeof STATES)[number];

/** A conversation that a call of a session began; it is not a session itself. */
export interface Subagent {
  readonly path: string;
  readonly id: string;
  /** The kind of agent; null if not known. */
  readonly type: string | null;
  /** Its task, in a few words. */
  readonly description: string | null;
  /** The call that began it. */
  readonly callId: string | null;
  readonly created: string | null;
  readonly modified: string;
  readonly messageCount: number;
  readonly entryCount: number;
  /** The ends of branches. */
  readonly leafCount: number;
  readonly compactionCount: number;
  readonly models: readonly string[];
  readonly size: number;
  /** Present when usage was asked for; not a part of that of its session. */
  readonly usage?: Usage;
  readonly entryUsages?: readonly EntryUsage[];
  /** The usages in a packed form: then there is no `entryUsages`. */
  readonly packedUsages?: PackedUsages;
}

/** The relations of a session file to others, by ids; a listing turns them into paths. */
export interface Relations {
  /** The id by which the file is known to others that continue from it. */
  readonly fileId: string;
  readonly base?: Base | undefined;
  /** The session that it is a fork of. */
  readonly forkOf?: string | undefined;
  /** The session that began it as its sub-agent. */
  readonly startedBy?: string | undefined;
  /** The kind of sub-agent, and its name. */
  readonly subagentType?: string | undefined;
  readonly subagentName?: string | undefined;
  /** The offsets at which its messages begin, in bytes. */
  readonly messagesAt: readonly number[];
}

/** One session as a listing shows it. Times are ISO 8601 in UTC, sizes in bytes. */
export interface SessionSummary {
  readonly path: string;
  readonly agent: Agent;
  /** 0: a file that predates versions. Null: sessions of this agent have none. */
  readonly formatVersion: number | null;
  readonly id: string;
  readonly cwd: string;
  readonly name: string | null;
  /** Null when the header has no readable time. */
  readonly created: string | null;
  readonly modified: string;
  /** Present if `modified` is the time of the file whatever its lines say, since its agent lists by that. */
  readonly listedByFile?: true;
  readonly messageCount: number;
  /** The messages of every branch; present if `messageCount` counts fewer, as those of the current one. */
  readonly branchMessageCount?: number;
  readonly firstMessage: string;
  readonly parentSessionPath: string | null;
  /** The parent that v1 named in another field, which listings of the agent leave out. */
  readonly branchedFrom: string | null;
  /** The bytes of its file; in a listing, of all of its files. Sidecars do not count. */
  readonly size: number;
  readonly entryCount: number;
  /** The ends of branches: `fork --each-leaf` makes a session of each. */
  readonly leafCount: number;
  readonly compactionCount: number;
  /** Each as `provider/model`, in order of first use. */
  readonly models: readonly string[];
  readonly userMessageCount: number;
  /** Entries that somebody's work has left: all but settings and bookkeeping. */
  readonly workCount: number;
  /** Null for an agent whose sessions cannot have labels. */
  readonly labelCount: number | null;
  readonly unread: Unread;
  /** The time of the last write to the file. */
  readonly fileModified: string;
  /**
   * The latest time of any line, the header too: also of what listings skip, such as commands,
   * names and compactions. Null where none was read.
   */
  readonly lastWritten: string | null;
  /**
   * Present if something without a time may be later than all lines that have one: a name, a setting, or
   * the copy of lines that a fork begins with.
   */
  readonly hasLaterLine?: true;
  /** The name that a person gave in the session's own lines, empty if it was taken away; absent if none was given. */
  readonly givenName?: string;
  /** When it got its name, of an agent that keeps names with their times outside of the session. */
  readonly namedAt?: string;
  /** Present when usage was asked for. */
  readonly usage?: Usage;
  readonly entryUsages?: readonly EntryUsage[];
  /** The usages in a packed form: then there is no `entryUsages`. */
  readonly packedUsages?: PackedUsages;
  /** The last branch of git that the agent noted, if it notes any. */
  readonly gitBranch?: string;
  /** The program that started the session, as the agent calls it. */
  readonly entrypoint?: string;
  /** Its agent deletes it by itself only once another program that holds it has given it up. */
  readonly isHeldByHost?: true;
  /** Whether a person started it, or a program. */
  readonly source?: Source;
  /** The time from which the agent may delete the session by itself. */
  readonly expires?: string;
  /** Whether the session is archived in its agent, if the agent keeps those apart. */
  readonly archived?: boolean;
  /** All files of a session that may have several, oldest first. */
  readonly files?: readonly string[];
  readonly relations?: Relations;
  /**
   * Present if copies do not name their source: ids that a session and its copies share, the first by how it
   * begins, the others by where a copy may begin.
   */
  readonly origins?: readonly string[];
  /**
   * Sidecars that its lines name, as those of other sessions may: they are its own where no other does.
   * Relative to the directory that all names of a session are relative to.
   */
  readonly claims?: readonly string[];
  /** The working directories that are known of it besides `cwd`. */
  readonly otherCwds?: readonly string[];
  /** The paths that its file had in other projects, before its agent moved it along to another directory. */
  readonly earlierPaths?: readonly string[];
  /** The working directory by which its agent lists the session, if its lines name another one last. */
  readonly listedCwd?: string;
  /** The paths of sessions, besides its parent, that its lines were copied from. */
  readonly otherParents?: readonly string[];
  /** Its parents that may be forks of it instead: both began at the same time. */
  readonly possibleForks?: readonly string[];
  /** Conversations that its calls began, each in a file of its own. */
  readonly subagents?: readonly Subagent[];
  /** Present when the agent would not open the file, or only in part. */
  readonly problem?: Problem;
}

/** The facts that only the commands need. JSON for other programs leaves them out. */
export const INNER_FACTS = [
  'branchMessageCount',
  'userMessageCount',
  'workCount',
  'labelCount',
  'unread',
  'branchedFrom',
  'fileModified',
  'lastWritten',
  'listedByFile',
  'isHeldByHost',
  'hasLaterLine',
  'givenName',
  'namedAt',
  'entryUsages',
  'packedUsages',
  'relations',
  'origins',
  'claims',
  'otherCwds',
  'earlierPaths',
  'listedCwd',
  'otherParents',
  'possibleForks',
] as const satisfies readonly (keyof SessionSummary)[];

/** All working directories of a session; an empty one is not known. */
export function listCwds({
  cwd,
  otherCwds = [],
}: Pick<SessionSummary, 'cwd' | 'otherCwds'>): readonly string[] {
  return [cwd, ...otherCwds];
}

/** The working directories of a session besides its own, each once: an empty one is not known. */
export function listOtherCwds(
  cwd: string,
  directories: Iterable<string>,
): Pick<SessionSummary, 'otherCwds'> {
  const others = new Set(directories);
  others.delete(cwd);
  others.delete('');
  return others.size === 0 ? {} : { otherCwds: [...others] };
}

export type InnerFact = (typeof INNER_FACTS)[number];

/** The JSON of a sub-agent, below its session. */
export type SubagentResult = Omit<Subagent, 'entryUsages' | 'packedUsages'>;

export function toSubagentResult({
  entryUsages: _usages,
  packedUsages: _packed,
  ...shown
}: Subagent): SubagentResult {
  return shown;
}

/** The usage of all sub-agents of a session. */
export function sumSubagents(subagents: readonly Subagent[]): Usage {
  const usages = subagents.flatMap(({ usage }) => usage ?? []);
  return usages.reduce(addUsage, NO_USAGE);
}
