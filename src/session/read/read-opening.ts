import type { Dialect, Framing } from '../dialect/dialect.ts';
import { foldSession, type FoldResult } from './recognize.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import type { Session } from '../model/session.ts';

/** What the first lines of a session file tell of it. */
export interface Opening {
  readonly framing: Framing;
  /** The header, the version and the state of the file; of the entries only what stands before. */
  readonly session: Session;
  /** Whether there is a header, and nothing that parses before it but a title. */
  readonly startsWithHeader: boolean;
}

/**
 * Reads a session file up to its header.
 * @throws FileError if it cannot be read.
 */
export async function readOpening(
  path: string,
  options: Pick<ReadLinesOptions, 'signal'> = {},
): Promise<FoldResult<Opening>> {
  let isDone = false;
  const createFold = (dialect: Dialect, framing: Framing) => {
    const fold = dialect.indexSession(framing);
    let hasScalar = false;
    return {
      visit(line: Parameters<typeof fold.visit>[0], content: LineContent) {
        if (isDone) return;
        fold.visit(line, content);
        hasScalar ||= content.kind === 'scalar' && Boolean(content.value);
        isDone = content.kind === 'object' && isLast(dialect, content.value);
      },
      finish(file: Parameters<typeof fold.finish>[0]): Opening {
        const session = fold.finish(file);
        const startsWithHeader =
          session.header !== undefined && session.entries.length === 0 && !hasScalar;
        return { framing, session, startsWithHeader };
      },
    };
  };
  return foldSession(path, createFold, { ...options, isDone: () => isDone });
}

/** Without knowing better, the first object is the header or there is none. */
function isLast({ migration }: Dialect, value: Parameters<Dialect['recognizes']>[0]): boolean {
  return migration?.isHeader(value) ?? true;
}
