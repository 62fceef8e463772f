import type { Holder } from '../model/in-use.ts';
import type { Agent } from '../model/agent.ts';
import type { SessionSummary, Unread } from '../model/summary.ts';

/** A file that has further names, in this session or elsewhere. */
interface SharedFile {
  /** A key that every name of it shares. */
  readonly file: string;
  readonly bytes: number;
  /** How many names it has; as many as are known unless given. */
  readonly links?: number;
}

/** The facts about one session that the policy needs. Times in milliseconds, sizes in bytes. */
export interface Candidate {
  readonly path: string;
  /** The directories around it that were searched, the outermost first: none of them is emptied by accident. */
  readonly stores: readonly [outermost: string, ...inner: string[]];
  /** Null for a file that cannot be read. */
  readonly agent: Agent | null;
  readonly id: string;
  readonly cwd: string;
  readonly name: string | null;
  /** The name, or else how the session begins. */
  readonly title: string;
  /** Last activity of any kind, as far as read; 0 for a file that cannot be read. */
  readonly modified: number;
  /** The latest that it can have been active: later than listed where a part could not be read. */
  readonly latest: number;
  /** The latest that it can have been used, by a name without a time, too; `latest` unless given. */
  readonly latestUse?: number;
  /** The time of the last write to the file or a sidecar. */
  readonly fileModified: number;
  /** The notes of its agent's processes; none unless given. */
  readonly holder?: Holder;
  /** The size of the session with the files beside it, but without those that are sessions themselves. */
  readonly bytes: number;
  /** The bytes in files that have further names: they count once, and are freed with the last name. */
  readonly shared?: readonly SharedFile[] | undefined;
  /** Null if a session of its agent cannot have any. */
  readonly labelCount: number | null;
  readonly parentSessionPath: string | null;
  /** Further sessions that its lines were copied from. */
  readonly otherParents?: readonly string[] | undefined;
  /** Paths of its parents that may be forks of it instead: it is kept with any of them. */
  readonly possibleForks?: readonly string[] | undefined;
  readonly unread: Pick<Unread, 'lines' | 'entries' | 'title' | 'otherName'>;
  /** The paths of the sessions among its files, which are removed with it; unless given, all that it owns by name. */
  readonly parts?: ReadonlySet<string> | undefined;
  /** A key that every name of one file shares. */
  readonly file?: string | undefined;
  /** The ids of all its parts; its own alone unless given. */
  readonly ids?: readonly string[] | undefined;
  /** Paths of other sessions that it cannot be opened without. */
  readonly needs?: readonly string[] | undefined;
  /** Paths of other sessions whose lines name files in its folders. */
  readonly referrers?: readonly string[] | undefined;
  /** A file that could not be read: its lines may do so. */
  readonly unreadReferrer?: string | undefined;
  /** Paths of other sessions whose sidecars go with it: it is removed after them, and kept with any of them. */
  readonly copies?: readonly string[] | undefined;
  /** A key that all sessions share on which only one shard may act; its path unless given. */
  readonly family?: string | undefined;
  /** A session in its folder has lines that could not be read. */
  readonly hasDamagedPart?: boolean | undefined;
  /** A part of it has a name of its own, such as a sub-agent. */
  readonly hasNamedPart?: boolean | undefined;
  /** The summaries of its files, where its agent keeps records of sessions elsewhere, such as names. */
  readonly recorded?: readonly SessionSummary[] | undefined;
  /** The reason why it is kept unless the user includes such sessions: pinned in its agent. */
  readonly pin?: string | undefined;
  /** Whether the selectors, but for those by age, chose it. */
  readonly selected: boolean;
  /** The reason why the selectors could not be asked, though they may mean this session. */
  readonly unjudged?: string | undefined;
  /** The reason why it is kept whatever the policy: unreadable, behind a link. */
  readonly obstacle?: string | undefined;
}

/**
 * Orders candidates by activity, latest first; equal times by path, so that the order is always the
 * same.
 */
export function byActivity(a: Candidate, b: Candidate): number {
  return b.modified - a.modified || (a.path < b.path ? -1 : 1);
}

/**
 * Returns whether lines of a session, or of one in its folder, could not be read: it takes the place of no other, also
 * where it may be removed.
 */
export function isDamaged({
  unread,
  hasDamagedPart = false,
}: Pick<Candidate, 'unread' | 'hasDamagedPart'>): boolean {
  return unread.lines > 0 || hasDamagedPart;
}
