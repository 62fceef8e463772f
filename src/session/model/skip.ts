import { type ErrorCode, FileError } from '../../errors.ts';

/**
 * Codes of errors after which a session is as it was and nothing has failed: another process uses it, or
 * has written to it since it was read, or a hook has cancelled the change. The next run takes it.
 */
const SKIPS: ReadonlySet<ErrorCode> = new Set(['in-use', 'ECHANGED', 'cancelled']);

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
