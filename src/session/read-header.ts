import type { Header } from './entry.ts';
import { foldSession } from './fold-session.ts';

/**
 * The header of a session file, from the start of the file only; undefined when the file is no
 * session or has none there.
 * @throws FileError if the file cannot be read.
 */
export async function readHeader(path: string): Promise<Header | undefined> {
  let hasLine = false;
  const folded = await foldSession(
    path,
    (dialect, framing) => {
      const fold = dialect.indexSession(framing);
      return {
        visit(line, content) {
          hasLine = true;
          fold.visit(line, content);
        },
        finish: (file) => fold.finish(file),
      };
    },
    { isDone: () => hasLine },
  );
  return folded.kind === 'session' ? folded.result.header : undefined;
}
