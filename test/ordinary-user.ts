const NOBODY = 65_534;

/** Runs as a user whom file modes bind: for root, as CI often is, they mean nothing. */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  // Windows has neither.
  if (process.geteuid?.() !== 0 || !process.seteuid) return work();
  process.seteuid(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid(0);
  }
}

/** Files that a test makes from now on may be read by such a user, too. Lasts for the file of tests. */
export function shareNewFiles(): void {
  process.umask(0o022);
}
