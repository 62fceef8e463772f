import { FileError } from '../errors.ts';

/** The outcome for one item: a value, or the reason why the file could not be used. */
export type Outcome<I, T> =
  | { readonly ok: true; readonly item: I; readonly value: T }
  | { readonly ok: false; readonly item: I; readonly error: FileError };

/**
 * Does one item.
 * @throws whatever the job throws that is not a FileError.
 */
export async function attempt<I, T>(item: I, job: (item: I) => Promise<T>): Promise<Outcome<I, T>> {
  try {
    return { ok: true, item, value: await job(item) };
  } catch (error) {
    if (error instanceof FileError) return { ok: false, item, error };
    throw error;
  }
}
