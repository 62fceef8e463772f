import { basename, join } from 'node:path';
import { CoppiceError, FileError } from '../../../errors.ts';
import { getDialect } from '../../../session/agents/index.ts';
import {
  describeNoSidecars,
  type SidecarDialect,
} from '../../../session/dialect/surroundings/sidecars.ts';
import {
  isSystemFailure,
  isUnreachable,
  orFileError,
} from '../../../session/jsonl/files/file-error.ts';
import { describeError, LINKED } from '../../../session/model/action.ts';
import { getFolderName, type Sidecar } from '../../../session/model/sidecar.ts';
import { isSessionName } from '../../../session/model/session-names.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import { summarizeSession } from '../../../session/read/summaries/summarize-session.ts';
import { getActivity } from '../../../session/read/summaries/unread.ts';
import type { FoundFile } from '../../select/found-file.ts';
import { type Shared, shorten } from '../../sessions/read-prunable.ts';
import { describeUnsupported, stampUnlessLink } from '../../sessions/file-tree.ts';
import {
  ownsFolder,
  readAgain,
  listNamed,
  readSessionFiles,
  type SessionFiles,
  toOwnName,
} from '../../sessions/session-files.ts';
import { readStoredRows } from '../../remove/remove-whole.ts';
import { findClaimable, withClaimed } from '../../sessions/sidecars/claimed-sidecars.ts';
import { findMisplaced } from '../../sessions/units/obstacles.ts';
import type { PrunableUnit } from '../../sessions/units/unit.ts';
import type { SessionFacts } from '../member/write-member.ts';

/** A session with what an archive says of it, or the reason why it cannot be put into one. */
export type Copyable =
  | {
      readonly files: SessionFiles;
      readonly facts: SessionFacts;
      /** The parts beside the session that are not copied, with reasons. */
      readonly omissions: readonly string[];
      /** The names by which its lines claim sidecars; undefined where its agent has none of that kind. */
      readonly claims?: readonly string[] | undefined;
      /** Whether another run might copy more of the same files. */
      readonly lacksRows?: boolean;
    }
  | { readonly obstacle: string };

/** How sessions are read; `now`: milliseconds. */
export interface CopyReading {
  readonly signal: AbortSignal;
  readonly now: number;
}

/**
 * Reads a session for a backup, damaged or not. Undefined for a file that is not a session.
 * @throws FileError when it cannot be read, `ENOENT` when it is gone.
 */
export async function readCopyable(
  { path, linked }: FoundFile,
  store: string,
  { survey, complete }: Shared,
  reading: CopyReading,
): Promise<Copyable | undefined> {
  const before = linked ? undefined : stampUnlessLink(path);
  if (!before) return { obstacle: LINKED };
  const read = await summarizeSession(path, { usage: false, signal: reading.signal });
  if ('kind' in read) {
    return read.kind === 'foreign' ? undefined : { obstacle: read.problem.message };
  }
  const dialect = getDialect(read.agent);
  const sidecars = findCopied(dialect.sidecars);
  if (!sidecars) return { obstacle: describeNoSidecars(dialect) ?? '' };
  const now = await readSessionFiles(path, sidecars, survey);
  const [own, ...others] = now.files;
  if (own?.name !== toOwnName(path, now.root)) throw toLinkError(now);
  const found = { ...now, files: [{ ...before, name: own.name }, ...others] };
  const isOwn = ownsFolder(found, read.id, sidecars);
  const claims = findClaimable(read) && (read.claims ?? []);
  const { files, lack } = await addReadable(isOwn ? found : await withoutFolder(found), claims);
  const omissions = [
    ...(isOwn ? [] : ['without the directory beside it, which may not belong to it']),
    ...lack,
    ...listOmitted(files),
  ];
  const inside = await findActivityBeside(files, reading);
  return { files, facts: toSessionFacts(await complete(read), store, inside), omissions, claims };
}

/** The error for a session file that is behind a link in the directory of its agent. */
function toLinkError({ path, unsupported }: SessionFiles): FileError {
  const reason = unsupported ? describeUnsupported(unsupported) : LINKED;
  return new FileError(path, 'ELINK', `not copied: ${reason}`);
}

/** Adds to the files of a session what its lines claim, or the reason why that cannot be looked up. */
async function addReadable(files: SessionFiles, claims: readonly string[] = []) {
  const claimed = await orFileError(() => withClaimed(files, claims));
  if (!(claimed instanceof FileError)) return { files: claimed, lack: [] };
  if (!isUnreachable(claimed)) throw claimed;
  return { files, lack: [`without ${describeError(claimed, files.path)}`] };
}

/** Finds the latest activity of the sessions in the folder of one, which count for it; 0 if there are none. */
async function findActivityBeside(
  { root, files }: SessionFiles,
  { signal, now }: CopyReading,
): Promise<number> {
  let latest = 0;
  for (const { name } of files.slice(1).filter((one) => isSessionName(one.name))) {
    const read = await orFileError(() =>
      summarizeSession(join(root, name), { usage: false, signal }),
    );
    if (read instanceof FileError && isSystemFailure(read)) throw read;
    if (read instanceof FileError || 'kind' in read) continue;
    const activity = getActivity(read);
    if (activity <= now) latest = Math.max(latest, activity);
  }
  return latest;
}

/** Makes the facts about a session for an archive. */
function toSessionFacts(summary: SessionSummary, store: string, inside = 0): SessionFacts {
  const { agent, id, cwd, name } = summary;
  const title = name ?? shorten(summary.firstMessage);
  const lastActive = new Date(Math.max(getActivity(summary), inside)).toISOString();
  return { agent, id, cwd, title, lastActive, store };
}

function listOmitted({ unsupported, unsupportedCount = 1 }: SessionFiles): readonly string[] {
  if (unsupported === undefined) return [];
  const more =
    unsupportedCount > 1 ? [`and ${unsupportedCount - 1} more that cannot be copied`] : [];
  return [`without ${unsupported.name}, ${unsupported.what}`, ...more];
}

/** Reads what is missing of a session of several files, which were read already. */
export async function readCopyableUnit(
  { whole, ids, members }: PrunableUnit,
  store: string,
): Promise<Copyable> {
  const { file, summary, files, obstacle = 'cannot be read' } = whole;
  if (!summary || !files) return { obstacle };
  const parts = members.map((path) => ({ file: { ...file, path } }));
  const misplaced = findMisplaced(summary.agent, parts);
  if (misplaced !== undefined) return { obstacle: misplaced };
  const candidate = { agent: summary.agent, path: file.path, ids };
  const facts = toSessionFacts(summary, store);
  try {
    const rows = await readStoredRows({ candidate, files });
    return { files: { ...files, rows }, facts, omissions: listOmitted(files) };
  } catch (error) {
    if (!(error instanceof CoppiceError)) throw error;
    const what = `without its rows in the databases of its agent: ${error.message}`;
    return { files, facts, omissions: [...listOmitted(files), what], lacksRows: true };
  }
}

/** A sidecar that several sessions share is copied with each of them. */
export function findCopied(dialect: SidecarDialect | undefined): SidecarDialect | undefined {
  if (!dialect) return undefined;
  const list = (path: string): readonly Sidecar[] =>
    dialect.list(path).map(({ sharedBy: _, ...sidecar }) => sidecar);
  return { ...dialect, list };
}

async function withoutFolder(files: SessionFiles): Promise<SessionFiles> {
  const { path, root } = files;
  const folder = getFolderName(path);
  const others = listNamed(files).filter(({ name, kind }) => {
    return kind !== 'directory' || basename(name) !== folder;
  });
  return readAgain({ path, root, sidecars: others });
}
