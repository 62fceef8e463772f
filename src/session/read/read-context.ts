import { FileError } from '../../errors.ts';
import type { SessionContext } from '../dialect/dialect.ts';
import { withPayloads } from './payloads.ts';
import { readSession } from './read-session.ts';
import { buildTree, getPath } from '../model/tree/tree.ts';

export interface ReadContextOptions {
  /** The entry to go on from; the current leaf unless given. */
  readonly leafId?: string;
}

/**
 * The context that the agent would send to the model on opening a session.
 * @throws FileError if the file cannot be read, is not a session, or has no such entry.
 */
export async function readContext(
  path: string,
  { leafId }: ReadContextOptions = {},
): Promise<SessionContext> {
  const { session, dialect } = await readSession(path);
  const tree = buildTree(session.entries, session);
  const leaf = leafId === undefined ? tree.leaf : tree.get(leafId);
  if (leafId !== undefined && !leaf)
    throw new FileError(path, 'no-entry', `has no entry ${leafId}`);
  return withPayloads(path, (read) => dialect.context.build(getPath(tree, leaf), read));
}
