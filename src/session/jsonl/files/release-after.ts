type Act = () => void | Promise<void>;

/**
 * Does work, and gives back what it holds (open files, temporary ones), whatever comes: every
 * release is tried, in order. What fails first is thrown, so that a file that cannot be closed does
 * not hide why it was closed.
 */
export async function releaseAfter<T>(
  work: () => Promise<T>,
  ...releases: readonly Act[]
): Promise<T> {
  const results: T[] = [];
  await tryAll(async () => void results.push(await work()), ...releases);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- there is one unless something failed
  return results[0] as T;
}

/** Tries every act, in order, and then throws what failed first. */
export async function tryAll(...acts: readonly Act[]): Promise<void> {
  const errors: unknown[] = [];
  for (const act of acts) {
    try {
      await act();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Takes back what was done before something failed: tries every undo, in order, and throws the cause. */
export function undoAndThrow(cause: unknown, ...undos: readonly Act[]): Promise<never> {
  return releaseAfter(() => Promise.reject(cause), ...undos);
}

/** Releases like `releaseAfter`, for callers that cannot wait. */
export function releaseAfterSync<T>(work: () => T, ...releases: readonly (() => void)[]): T {
  const errors: unknown[] = [];
  const attempt = <U>(act: () => U): U | undefined => {
    try {
      return act();
    } catch (error) {
      errors.push(error);
      return undefined;
    }
  };
  const result = attempt(work);
  for (const release of releases) attempt(release);
  if (errors.length > 0) throw errors[0];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undefined only after an error
  return result as T;
}
