import type { FileError } from '../../../errors.ts';
import type { Holder } from '../../../session/model/in-use.ts';
import type { FileProblem, SessionSummary } from '../../../session/model/summary.ts';
import type { FileStates } from '../../files/file-state.ts';
import type { Prunable } from '../read-prunable.ts';
import type { Survey } from '../sidecars/survey.ts';
import type { UnreadFact } from '../surroundings.ts';

export interface FoundPrunable extends Prunable {
  /** It is among the targets, and not only in the same store. */
  readonly isTarget: boolean;
}

/** The facts read from the sessions that the policy may be about. */
export interface ReadSessions {
  readonly read: readonly FoundPrunable[];
  readonly stores: readonly string[];
  /** Those of them that the user named as stores. */
  readonly named?: readonly string[] | undefined;
  readonly problems: readonly FileProblem[];
  /** The files beside the sessions that could not be read, with the facts that they hold. */
  readonly unreadFacts?: readonly UnreadFact[];
  /** The sidecars of the sessions, as they were when these were read. */
  readonly survey: Survey;
  /** The paths of files that were read, and are of no session. */
  readonly foreign?: ReadonlySet<string>;
  /** The state of each file before it was read. */
  readonly states?: FileStates;
  /** The paths of files that had changed since, and were read again: once, as an agent may write on and on. */
  readonly readAgain?: ReadonlySet<string>;
}

/** A session file, by what files that continue from it know it, and what it continues from itself. */
export interface Link {
  readonly path: string;
  /** Files of one name in two homes are two files. */
  readonly home: string;
  readonly id: string;
  readonly baseId: string | undefined;
}

/** A session that is removed or kept as one, with what was read of all of its files. */
export interface PrunableUnit {
  /** The session, with the files of the whole. */
  readonly whole: FoundPrunable;
  /** The paths of all files that were read; that of the session first. */
  readonly members: readonly string[];
  /** The files that others may continue, or that continue others. */
  readonly links: readonly Link[];
  /** The ids of the session and of its sub-agents. */
  readonly ids?: readonly string[];
  readonly needs: readonly string[];
  /**
   * A key that all files of a session share, even if some of them are gone; its path unless given.
   */
  readonly family?: string | undefined;
  readonly pin?: string | undefined;
  readonly holder?: Holder;
  /** The summaries of its files. */
  readonly recorded?: readonly SessionSummary[];
  /** The errors that are the obstacle to removing it, where it is not what was read of its own files. */
  readonly failures?: readonly FileError[];
}

/** A session file that was read. */
export type ReadFile = FoundPrunable & { readonly summary: SessionSummary };
