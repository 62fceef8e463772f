import { FileError } from '../../errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { foldSession } from '../read/recognize.ts';
import { composeFile } from '../jsonl/write/compose-file.ts';
import { createFile } from '../jsonl/write/create-file.ts';
import { fileExists } from '../jsonl/read/read-lines.ts';
import type { LineProblem, Converted, NewIdentity } from '../dialect/migration.ts';
import type { Agent } from '../model/session.ts';
import type { MigrationResult } from './types.ts';

export interface ConvertOptions {
  readonly to: Dialect;
  /** Its working directory; empty where it is not known. */
  readonly cwd: string;
  /** For one whose working directory nobody knows. */
  readonly fallbackCwd: string;
  /** Where the new session goes. */
  readonly findPath: (identity: NewIdentity) => Promise<string>;
  /** False: only find out what would be done. */
  readonly apply: boolean;
  readonly signal: AbortSignal;
}

type Decision = Pick<MigrationResult, 'action' | 'reasons'> & Partial<MigrationResult>;

/**
 * Makes a new session of another agent from one; the source is only read. The new file is whole, and
 * its last change is the source's. The same source gives the same file under the same name.
 * @throws FileError if the source cannot be read or the file not be written.
 */
export async function convertSession(
  path: string,
  options: ConvertOptions,
): Promise<MigrationResult> {
  const { to, signal } = options;
  const folded = await foldSession(
    path,
    (dialect) => {
      const fold = dialect.conversions?.[to.agent]?.createConverter();
      const index = dialect.reading.indexSession('lines');
      return {
        visit: (line, content) => (fold ?? index).visit(line, content),
        finish: (file) => ({ converted: fold?.finish(file), session: index.finish(file) }),
      };
    },
    { signal },
  );
  if (folded.kind !== 'session') throw new FileError(path, 'not-a-session', 'is not a session');
  const { dialect, result } = folded;
  const { converted, session } = result;
  const size = session.stamp.size;
  const from = session.formatVersion;
  const decision = converted
    ? await convert(converted, options)
    : leave('unchanged', describeNone(dialect.agent, to.agent));
  return {
    path,
    bytesBefore: size,
    bytesAfter: size,
    fromVersion: from,
    toVersion: from,
    newPath: null,
    backupPath: null,
    problems: [],
    ...decision,
  };
}

function describeNone(from: Agent, to: Agent): string {
  return from === to ? `is of ${to} already` : `sessions of ${from} cannot become ones of ${to}`;
}

function leave(action: 'unchanged' | 'skip', reason: string): Decision {
  return { action, reasons: [reason] };
}

async function convert(
  converted: Converted,
  { to, cwd, fallbackCwd, findPath, apply, signal }: ConvertOptions,
): Promise<Decision> {
  const { session, id, timestamp, cwdHint, refusal, messageCount } = converted;
  if (refusal !== undefined) return leave('skip', refusal);
  const known = cwd || cwdHint;
  const identity = { id, timestamp, cwd: known ?? fallbackCwd };
  const newPath = await findPath(identity);
  if (await fileExists(newPath)) return leave('unchanged', `was migrated to ${newPath}`);
  const { path, stamp } = session;
  const chunks = composeFile({ path, stamp }, converted.toPieces(identity));
  const bytesAfter = apply
    ? await createFile(newPath, chunks, { signal, mtimeMs: stamp.mtimeMs })
    : countBytes(chunks);
  const count = `${messageCount} ${messageCount === 1 ? 'message' : 'messages'}`;
  const unknown = known === undefined ? [describeUnknownCwd(fallbackCwd)] : [];
  return {
    action: 'migrate',
    reasons: [`to ${to.agent}`, count],
    bytesAfter,
    toVersion: to.currentVersion,
    newPath,
    problems: [...unknown, ...converted.problems],
  };
}

function describeUnknownCwd(cwd: string): LineProblem {
  const message = `its working directory is not known: the new session has ${cwd}`;
  return { line: 1, code: 'cwd-unknown', message };
}

function countBytes(chunks: Iterable<Buffer>): number {
  let bytes = 0;
  for (const chunk of chunks) bytes += chunk.length;
  return bytes;
}
