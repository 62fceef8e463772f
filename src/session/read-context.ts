import type { SessionContext } from './dialect.ts';
import type { Entry } from './entry.ts';
import { FileError } from '../errors.ts';
import { isObject, type JsonObject } from './json.ts';
import { openSpans } from './jsonl/read-spans.ts';
import { readSession } from './read-session.ts';
import { buildTree, getPath } from './tree.ts';

export interface ReadContextOptions {
  /** The entry to go on from; the current leaf unless given. */
  readonly leafId?: string;
}

/**
 * The context that the agent would send to the model on opening a session.
 * @throws FileError if the file cannot be read, is no session, or has no such entry.
 */
export async function readContext(
  path: string,
  { leafId }: ReadContextOptions = {},
): Promise<SessionContext> {
  const { session, dialect } = await readSession(path);
  const tree = buildTree(session.entries);
  const leaf = leafId === undefined ? tree.leaf : tree.get(leafId);
  if (leafId !== undefined && !leaf)
    throw new FileError(path, 'no-entry', `has no entry ${leafId}`);
  const spans = await openSpans(path);
  try {
    const readPayload = async (entry: Entry): Promise<JsonObject> => {
      const value: unknown = JSON.parse((await spans.read(entry)).toString('utf8'));
      if (isObject(value)) return value;
      throw new FileError(path, 'ECHANGED', 'was rewritten while it was read');
    };
    return await dialect.buildContext(getPath(tree, leaf), readPayload);
  } finally {
    await spans.close();
  }
}
