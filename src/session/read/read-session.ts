import type { Dialect } from '../dialect/dialect.ts';
import { foldSession } from './recognize.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import { FileError } from '../../errors.ts';
import type { Session } from '../model/session.ts';

export interface ReadSessionOptions extends ReadLinesOptions {
  /** Sees every parsed line on the way, for what the index does not keep. */
  readonly onLine?: (dialect: Dialect, lineNumber: number, content: LineContent) => void;
}

export interface ReadSession {
  readonly session: Session;
  readonly dialect: Dialect;
}

/**
 * Reads a session file once and keeps its index.
 * @throws FileError if it cannot be read or is no session.
 */
export async function readSession(
  path: string,
  options: ReadSessionOptions = {},
): Promise<ReadSession> {
  const folded = await foldSession(
    path,
    (dialect, framing) => {
      const fold = dialect.indexSession(framing);
      const { onLine } = options;
      if (!onLine) return fold;
      return {
        visit(line, content) {
          fold.visit(line, content);
          onLine(dialect, line.number, content);
        },
        finish: (file) => fold.finish(file),
      };
    },
    options,
  );
  if (folded.kind === 'session') return { session: folded.result, dialect: folded.dialect };
  const message = folded.kind === 'empty' ? 'is empty' : 'is no session file of a known agent';
  throw new FileError(path, folded.kind === 'empty' ? 'file-empty' : 'not-a-session', message);
}
