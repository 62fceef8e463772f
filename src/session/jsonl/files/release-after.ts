type Release = () => void | Promise<void>;

/**
 * Does work, and gives back what it holds (open files, temporary ones), whatever comes: every
 * release is tried, in order. What fails first is thrown, so that a file that cannot be closed does
 * not hide why it was closed.
 */
export async function releaseAfter<T>(
  work: () => Promise<T>,
  ...releases: readonly Release[]
): Promise<T> {
  const errors: unknown[] = [];
  const attempt = async <U>(act: () => U | Promise<U>): Promise<U | undefined> => {
    try {
      return await act();
    } catch (error) {
      errors.push(error);
      return undefined;
    }
  };
  const result = await attempt(work);
  for (const release of releases) await attempt(release);
  if (errors.length > 0) throw errors[0];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- undefined only after an error
  return result as T;
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
