import { stat } from 'node:fs/promises';

/**
 * Whether two paths lead to one file. Asked in whole numbers: those of NTFS have 64 bits, of which the
 * numbers that Node gives otherwise keep 53, so that files made one after the other look like one.
 * @throws what `stat` throws where one of them leads nowhere.
 */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  // The first one last: callers ask about one that may have changed.
  const b = await stat(other, { bigint: true });
  const a = await stat(one, { bigint: true });
  return a.dev === b.dev && a.ino === b.ino;
}
