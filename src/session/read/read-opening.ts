import type { Dialect } from '../dialect/dialect.ts';
import { foldSession, type FoldResult } from './recognize.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import type { Agent } from '../model/agent.ts';
import type { Session } from '../model/session.ts';
import type { Framing } from '../dialect/fold.ts';

/** The facts that the first lines of a session file hold. */
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
    const fold = dialect.reading.indexSession(framing);
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

/** Returns whether an object is the last of an opening: a header, or any where none is recognized. */
function isLast({ migration }: Dialect, value: JsonObject): boolean {
  return migration?.isHeader(value) ?? true;
}

export interface SessionIdentity {
  readonly id: string;
  readonly agent: Agent;
}

/**
 * The id of a session, from the start of its file only; undefined when the file is not a session or
 * names none there.
 * @throws FileError if the file cannot be read.
 */
export async function readSessionId(path: string): Promise<SessionIdentity | undefined> {
  const opening = await readOpening(path);
  if (opening.kind !== 'session') return undefined;
  const { dialect, result } = opening;
  const id = dialect.reading.getSessionId(result.session);
  return id === undefined ? undefined : { id, agent: dialect.agent };
}
