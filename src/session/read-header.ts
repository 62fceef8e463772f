import type { Header } from './entry.ts';
import { readOpening } from './read-opening.ts';

/**
 * The header of a session file, from the start of the file only; undefined when the file is no
 * session or has none there.
 * @throws FileError if the file cannot be read.
 */
export async function readHeader(path: string): Promise<Header | undefined> {
  const opening = await readOpening(path);
  return opening.kind === 'session' ? opening.result.session.header : undefined;
}
