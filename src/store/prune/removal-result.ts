import { formatCounted } from '../../session/model/text/numbers.ts';
import type { FileError } from '../../errors.ts';
import { STOPPED } from '../../session/model/action.ts';
import { IS_OPEN } from '../../session/model/in-use.ts';
import { BASE_KEPT } from '../../session/prune/decide-removals.ts';
import type { Removal } from '../remove/remove-session.ts';

/** The outcome for one session that was to be removed. */
export interface RemovalResult {
  readonly removal: Removal | 'gone' | 'stopped' | 'open' | 'needed';
  /** The reason for `needed`, unless it is that another file continues from the session. */
  readonly reason?: string;
  /** Compressed, where it was moved to an archive. */
  readonly archivedBytes?: number;
  readonly archived?: string;
  /** The problems with what could not be removed of a session that was. */
  readonly left?: readonly FileError[];
  /** The size of its files that are left. */
  readonly leftBytes?: number;
}

/** The reason for a session that has changed since a plan was made. */
export const CHANGED = 'changed since it was planned';

const NOT_REMOVED = {
  gone: 'another process removed it first',
  changed: CHANGED,
  stopped: STOPPED,
  open: IS_OPEN,
  needed: BASE_KEPT,
} as const;

/** Returns the bytes that a removed session still takes on this disk. */
export function toRemaining({ archivedBytes = 0, archived, leftBytes = 0 }: RemovalResult): {
  readonly bytesAfter: number;
  readonly archived?: string;
} {
  const bytesAfter = archivedBytes + leftBytes;
  return archived === undefined ? { bytesAfter } : { bytesAfter, archived };
}

/** Describes the reason why a session was kept; undefined if it was removed. */
export function describeKept({ removal, reason }: RemovalResult): string | undefined {
  return removal === 'removed' ? undefined : (reason ?? NOT_REMOVED[removal]);
}

/** The reason that says how many prompts of the list of all went, or came back, with a session. */
export function describePrompts(count: number): string {
  return `with ${formatCounted(count, 'prompt')} from the prompt history`;
}
