import {
  buildTree,
  type CompactOptions,
  compactSession,
  createCommand,
  createOpenAi,
  extractive,
  FileError,
  getPath,
  leaveBranch,
  type ListDocument,
  type MigrationResult,
  planPrune,
  readSession,
  type SessionEntry,
  SessionManager,
  type Summarizer,
  validateSession,
} from 'coppice';

/** What a program does that reads the output of the command line. */
export function listPaths(json: string): readonly string[] {
  const { results, summary } = JSON.parse(json) as ListDocument;
  return results.map(({ path }) => path).slice(0, summary.total);
}

export async function countEntries(path: string): Promise<number> {
  try {
    const { session } = await readSession(path);
    const tree = buildTree(session.entries);
    return getPath(tree, tree.leaf).length;
  } catch (error) {
    if (error instanceof FileError) return error.code.length;
    throw error;
  }
}

export async function useManager(): Promise<SessionEntry | undefined> {
  const session = SessionManager.inMemory('/work');
  const id = session.appendMessage({ role: 'user', content: 'Hello', timestamp: 1 });
  const { signal } = new AbortController();
  await leaveBranch(session, id, { summarizer: extractive, signal });
  return session.getEntry(id);
}

export const summarizers: readonly Summarizer[] = [extractive];
export const factories = [createCommand, createOpenAi];
export const functions = [compactSession, planPrune, validateSession];
export type Both = CompactOptions & Pick<MigrationResult, 'newPath'>;
