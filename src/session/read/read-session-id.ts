import { readOpening } from './read-opening.ts';

/**
 * The id of a session, from the start of its file only; undefined when the file is no session or
 * names none there.
 * @throws FileError if the file cannot be read.
 */
export async function readSessionId(path: string): Promise<string | undefined> {
  const opening = await readOpening(path);
  if (opening.kind !== 'session') return undefined;
  return opening.dialect.getSessionId(opening.result.session);
}
