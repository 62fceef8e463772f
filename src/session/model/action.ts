import { type ErrorCode, FileError } from '../../errors.ts';

const ACTIONS = [
  'migrate',
  'relocate',
  'fork',
  'move',
  'label',
  'compact',
  'reduce',
  'compress',
  'decompress',
  'flatten',
  'remove',
  'restore',
  'export',
  'backup',
  'keep',
  'unchanged',
  'skip',
  'fail',
] as const;

/** An action of a command on a session. */
export type Action = (typeof ACTIONS)[number];

/** The outcome for one session, or the outcome that applying would have. Sizes in bytes. */
export interface ActionResult {
  readonly path: string;
  readonly action: Action;
  /** The reasons, for people: each a few words. */
  readonly reasons: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/** Makes the result for a session that is as it was. `size`: in bytes. */
export function toUnchanged<A extends Action>(
  { path, size }: { readonly path: string; readonly size: number },
  action: A,
  reasons: readonly string[],
): ActionResult & { readonly action: A } {
  return { path, action, reasons, bytesBefore: size, bytesAfter: size };
}

export interface ActionSummary {
  /** False for a preview. */
  readonly applied: boolean;
  readonly sessions: number;
  /** Only actions that occur. */
  readonly actions: Readonly<Partial<Record<Action, number>>>;
  /** Negative when files grow. */
  readonly bytesReclaimed: number;
}

/** Actions that leave the file as it is. */
const PASSIVE: ReadonlySet<Action> = new Set(['keep', 'unchanged', 'skip', 'fail']);

export function isChange({ action }: Pick<ActionResult, 'action'>): boolean {
  return !PASSIVE.has(action);
}

/**
 * Counts the actions and bytes of a run. `countKept`: counts the bytes that a result has moved into files beside the new
 * one, or left in the old one: these are not free.
 */
export function sumActions<T extends ActionResult>(
  results: readonly T[],
  applied: boolean,
  countKept: (result: T) => number = () => 0,
): ActionSummary {
  const counts = new Map<Action, number>(ACTIONS.map((action) => [action, 0]));
  let bytesReclaimed = 0;
  for (const result of results) {
    const { action, bytesBefore, bytesAfter } = result;
    counts.set(action, (counts.get(action) ?? 0) + 1);
    if (isChange(result)) bytesReclaimed += bytesBefore - bytesAfter - countKept(result);
  }
  return {
    applied,
    sessions: results.length,
    actions: Object.fromEntries([...counts].filter(([, count]) => count > 0)),
    bytesReclaimed,
  };
}

/** Words an error for the report about the session at a path: it names the file, if that is another one. */
export function describeError({ path, message }: FileError, session: string): string {
  return path === session || message.includes(path) ? message : `${path}: ${message}`;
}

/** The reason to leave a session when the run is stopped. */
export const STOPPED = 'stopped before its turn';

/** The code of the problem of such a session, where it has one. */
export const STOPPED_CODE = 'stopped';

/** Returns whether a session was left since the run was stopped. */
export function isStopped({ action, reasons }: Pick<ActionResult, 'action' | 'reasons'>): boolean {
  return action === 'skip' && reasons.includes(STOPPED);
}

/** The error for such a session, which is as it was. */
export function stoppedError(path: string): FileError {
  return new FileError(path, STOPPED_CODE, STOPPED);
}

/** The reason to leave a session that was found through a symbolic link: it is outside of the store. */
export const LINKED = 'reached through a symbolic link';

/** The remedies, by what would be done to it. */
export const LINKED_TO_CHANGE = `${LINKED}; name it to change it`;
export const LINKED_TO_FORK = `${LINKED}; name it, or pass --out <dir>`;
export const LINKED_TO_MOVE = `is ${LINKED}; rename the link, then run this again`;

/**
 * Codes of errors after which a session is as it was and nothing has failed: another process uses it, or
 * has written to it since it was read, a hook has cancelled the change, or the run was stopped. The next run takes it.
 */
const SKIPS: ReadonlySet<ErrorCode> = new Set(['in-use', 'ECHANGED', 'cancelled', STOPPED_CODE]);

/** Returns the reason to skip a session after an error; undefined if the error is a failure. */
export function toSkipReason(error: unknown): string | undefined {
  return error instanceof FileError && SKIPS.has(error.code) ? error.message : undefined;
}

/**
 * Returns the result of work on a session, or the result for one that is skipped.
 * @throws every error that is a failure.
 */
export async function orSkip<T>(
  work: () => Promise<T>,
  toSkipped: (reason: string) => T | Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const reason = toSkipReason(error);
    if (reason === undefined) throw error;
    return toSkipped(reason);
  }
}
