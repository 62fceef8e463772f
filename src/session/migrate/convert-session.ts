import { getStatedVersion } from '../agents/index.ts';
import { formatCounted } from '../model/text/numbers.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { toNoSessionError } from '../read/no-session.ts';
import { foldSession } from '../read/recognize.ts';
import type { SourceState } from '../jsonl/write/compose-file.ts';
import { composeFiles } from '../jsonl/write/compose-files.ts';
import type { Session } from '../model/session.ts';
import type { ImageFiles } from '../model/text/image-block.ts';
import { withPayloads } from '../read/turns/payloads.ts';
import { listImageHomes } from '../read/image-homes.ts';
import { withBases } from '../read/read-bases.ts';
import { describeMissingLines, holdsNoObject } from '../read/unread-lines.ts';
import { createFile } from '../jsonl/write/create-file.ts';
import { beginsWith } from '../jsonl/read/begins-with.ts';
import { fileExists } from '../jsonl/read/read-lines.ts';
import type { LineProblem, Converted, NewIdentity } from '../dialect/migration.ts';
import type { Agent } from '../model/agent.ts';
import { RestoredImages } from './restored-images.ts';
import { type MigrationResult, toUnchangedResult } from './types.ts';
import { countBytes } from '../jsonl/write/count-bytes.ts';

export interface ConvertOptions {
  readonly to: Dialect;
  /** The listed name, for agents whose session files do not hold it. */
  readonly name?: string | null;
  /** Its working directory; empty where it is not known. */
  readonly cwd: string;
  /** The working directory of a session whose own is not known. */
  readonly fallbackCwd: string;
  /** Finds the path of the new session. */
  readonly findPath: (identity: NewIdentity) => Promise<string>;
  /** Finds the images that were taken out of the session at a path, whose folder may be in other directories, too. */
  readonly openImages: (
    path: string,
    listOthers?: (folder: string) => readonly string[],
  ) => Pick<ImageFiles, 'get'>;
  /** The new paths of this run, with the source of each; a copy of a session would have the same. Grows. */
  readonly made?: Map<string, string> | undefined;
  /** False: only find out what would be done. */
  readonly apply: boolean;
  readonly signal: AbortSignal;
}

/** One of two copies of a session may have more, and a session may be continued after it was migrated. */
const IS_OTHER = 'is there already, and does not begin with all that this session holds now';

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
  const { to } = options;
  const { dialect, session, converted, bases, unread } = await readConverted(path, options);
  const decision = converted
    ? await convert(converted, { dialect, bases }, options)
    : toDecision('unchanged', describeNone(dialect.agent, to.agent));
  return {
    ...toUnchangedResult(
      { path, size: session.stamp.size, formatVersion: getStatedVersion(session) },
      decision,
    ),
    ...decision,
    ...(decision.action === 'migrate' && {
      problems: [...(decision.problems ?? []), ...toProblems(unread)],
    }),
  };
}

interface ReadConverted {
  readonly dialect: Dialect;
  readonly session: Session;
  /** Undefined where sessions of its agent cannot be brought there. */
  readonly converted: Converted | undefined;
  /** Other files that it continues from. */
  readonly bases: readonly SourceState[];
  readonly unread: UnreadLines;
}

/** The lines that could not be read: how many in all files, and the first in its own. */
interface UnreadLines {
  count: number;
  first?: number;
}

async function readConverted(path: string, options: ConvertOptions): Promise<ReadConverted> {
  const { to, signal } = options;
  const unread: UnreadLines = { count: 0 };
  const folded = await foldSession(
    path,
    (dialect) => {
      const conversion = dialect.conversions?.[to.agent];
      const fold =
        conversion && 'createConverter' in conversion ? conversion.createConverter() : undefined;
      const index = dialect.reading.indexSession('lines');
      return {
        visit(line, content) {
          if (holdsNoObject(content)) {
            unread.count += 1;
            unread.first ??= line.number;
          }
          (fold ?? index).visit(line, content);
        },
        finish: (file) => ({ converted: fold?.finish(file), session: index.finish(file) }),
      };
    },
    { signal },
  );
  if (folded.kind !== 'session') throw toNoSessionError(path, folded.kind);
  const { dialect, result } = folded;
  const bases: SourceState[] = [];
  const indexed =
    result.converted ?? convertIndexed(result.session, dialect, options, { bases, unread });
  return { dialect, session: result.session, converted: await indexed, bases, unread };
}

/** Converts a session with all files that it continues from, which `bases` gets, and counts what is unread of them. */
async function convertIndexed(
  own: Session,
  dialect: Dialect,
  { to, name, signal }: ConvertOptions,
  { bases, unread }: { readonly bases: SourceState[]; readonly unread: UnreadLines },
): Promise<Converted | undefined> {
  const conversion = dialect.conversions?.[to.agent];
  if (!conversion || !('convert' in conversion)) return undefined;
  const onBase = (base: SourceState) => bases.push(base);
  const onUnread = () => {
    unread.count += 1;
  };
  const session = await withBases(own, dialect, { signal, onBase, onUnread });
  return withPayloads(session.path, (read) => conversion.convert(session, read, name ?? null));
}

function describeNone(from: Agent, to: Agent): string {
  return from === to ? `is of ${to} already` : `sessions of ${from} cannot become ones of ${to}`;
}

function toDecision(action: 'unchanged' | 'skip', reason: string): Decision {
  return { action, reasons: [reason] };
}

async function convert(
  converted: Converted,
  { dialect, bases }: Pick<ReadConverted, 'dialect' | 'bases'>,
  { to, cwd, fallbackCwd, findPath, openImages, made, apply, signal }: ConvertOptions,
): Promise<Decision> {
  const { session, id, timestamp, cwdHint, refusal, messageCount } = converted;
  if (refusal !== undefined) return toDecision('skip', refusal);
  const known = cwd || cwdHint;
  const identity = { id, timestamp, cwd: known ?? fallbackCwd };
  const newPath = await findPath(identity);
  const { path, stamp } = session;
  const files = openImages(path, (folder) => listImageHomes(session, dialect.sidecars, folder));
  const images = to.reduction && new RestoredImages(files, to.reduction);
  const pieces = converted.toPieces(identity);
  const chunks = composeFiles([{ path, stamp }, ...bases], images?.restore(pieces) ?? pieces);
  const copied = made?.get(newPath);
  if (copied !== undefined) {
    return toDecision('skip', `is a copy of ${copied}, of which ${newPath} is made`);
  }
  if (await fileExists(newPath)) {
    return (await beginsWith(newPath, chunks))
      ? toDecision('unchanged', `was migrated to ${newPath}`)
      : toDecision('skip', `${newPath} ${IS_OTHER}`);
  }
  made?.set(newPath, path);
  const bytesAfter = apply
    ? await createFile(newPath, chunks, { signal, mtimeMs: stamp.mtimeMs })
    : await countBytes(chunks);
  const count = formatCounted(messageCount, 'message');
  const unknown = known === undefined ? [describeUnknownCwd(fallbackCwd)] : [];
  return {
    action: 'migrate',
    reasons: [`to ${to.agent}`, count],
    bytesAfter,
    toVersion: to.currentVersion,
    newPath,
    problems: [...unknown, ...converted.problems, ...(images?.problems ?? [])],
  };
}

function toProblems({ count, first = 1 }: UnreadLines): readonly LineProblem[] {
  const [message] = describeMissingLines(count);
  return message === undefined ? [] : [{ line: first, code: 'lines-unreadable', message }];
}

function describeUnknownCwd(cwd: string): LineProblem {
  const message = `its working directory is not known: the new session has ${cwd}`;
  return { line: 1, code: 'cwd-unknown', message };
}
