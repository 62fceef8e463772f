import { basename, resolve } from 'node:path';
import type { Outcome } from '../../../batch/run-batch.ts';
import { type ExitCode, FileError, UsageError } from '../../../errors.ts';
import { toPlainLine } from '../../../report/text/escape.ts';
import type { PruneResult } from '../../../report/prune/columns.ts';
import {
  createRestoreColumns,
  RESTORE_WORDS,
  toOmission,
} from '../../../report/prune/restore-columns.ts';
import {
  type ArchivedState,
  chooseStates,
  listMoments,
} from '../../../store/archive/choose-states.ts';
import { type ArchivedSession, readArchive } from '../../../store/archive/index/archive-index.ts';
import { fitsArchived } from '../../../store/archive/fits-archived.ts';
import { type Destination, findPlace } from '../../../store/archive/place.ts';
import { findSound, readManifest } from '../../../store/archive/member/read-member.ts';
import { isAsIndexed } from '../../../store/archive/member/manifest.ts';
import { findNewest } from '../../../store/archive/member/claimed-files.ts';
import { findPresent } from '../../../store/archive/member/present-files.ts';
import type { KnownFiles } from '../../../store/archive/member/restore-stores.ts';
import { createRestorePreview } from '../../../store/archive/member/preview-restore.ts';
import { createRestorer, type Restored } from '../../../store/archive/member/restore-member.ts';
import { requireSqlite } from '../../../store/database/sqlite.ts';
import {
  findDisplaced,
  findOmitted,
  findReplaced,
} from '../../../store/prune/retention/omitted.ts';
import {
  PromptRestorer,
  type RestoredPrompts,
} from '../../../store/prune/prompts/restore-prompts.ts';
import { createCompleter } from '../../../store/sessions/surroundings.ts';
import { summarizeSession } from '../../../session/read/summaries/summarize-session.ts';
import { listAgentStores } from '../../../store/find/roots.ts';
import { reportActions } from '../../shared/output/report-actions.ts';
import { describePrompts } from '../../../store/prune/removal-result.ts';
import type { Context } from '../../command.ts';
import { toStateResult } from './archived-result.ts';
import { checkBases } from './check-bases.ts';
import type { PruneRequest, RestoreTask } from '../request.ts';
import { describeError, STOPPED } from '../../../session/model/action.ts';
import { runSessions } from '../../shared/run-sessions.ts';
import { toProblem } from '../../../store/select/found-file.ts';
import type { FileProblem } from '../../../session/model/summary.ts';

const CONTRADICTED = 'not restored: index.ndjson contradicts it; remove index.ndjson and try again';

/** Runs `coppice prune --archive <dir> --restore <id|all>`. */
export async function restoreFromArchive(
  { select, output, task }: PruneRequest<RestoreTask>,
  context: Context,
): Promise<ExitCode> {
  const { archive: directory, ids, asOf, apply } = task;
  const destination = await findDestination(select.stores, task, context);
  const { sessions, problems } = await readArchive(directory);
  const { selection } = select;
  const chosen = chooseStates(sessions, ids, { directory, asOf, now: context.now(), selection });
  requireRowsWritable(chosen);
  const isAll = ids.includes('all');
  if (!isAll && !output.quiet) await reportStates(chosen, context);
  const fitting = sessions.filter(({ facts }) => fitsArchived(facts, selection));
  const missed = isAll ? await findMissed(task, fitting, chosen) : [];
  const displaced = await findDisplaced(directory, chosen, destination, context.now());
  const left = chosen.filter((one) => !displaced.has(one)).map(({ session }) => session);
  const known = await findKnown(directory, left, destination);
  const restore = createJob(task, { destination, displaced, ...known }, context);
  const run = { label: 'Restoring', jobs: select.jobs, context };
  const outcomes = await runSessions(chosen, restore, {
    ...run,
    toStopped: apply
      ? (state) => ({ result: toStoppedResult(state, destination), omittedFiles: [] })
      : undefined,
  });
  const { results, problems: failures } = await toResults(
    outcomes,
    { apply, sessions, destination },
    context,
  );
  const report = {
    command: 'prune',
    applied: apply,
    results,
    columns: createRestoreColumns(context.now(), context.home, results),
    problems: [...[...problems, ...missed].map(toProblem), ...failures],
    words: RESTORE_WORDS,
  };
  return reportActions(report, output, context);
}

/** Finds what the word `all` does not restore, though somebody may rely on that. */
async function findMissed(
  { archive: directory, asOf }: RestoreTask,
  sessions: readonly ArchivedSession[],
  chosen: readonly ArchivedState[],
): Promise<readonly FileError[]> {
  const omitted = await findOmitted(directory, chosen, asOf);
  if (asOf === undefined) return omitted;
  return [...omitted, ...(await findReplaced(directory, sessions, chosen, asOf))];
}

/** @throws FileError where the index says something else of a state than its member does. */
async function findMember(directory: string, { session }: ArchivedState): Promise<string> {
  const member = await findSound(directory, session.member);
  if (isAsIndexed(await readManifest(member), session)) return member;
  throw new FileError(member, 'EARCHIVE', CONTRADICTED);
}

interface Run {
  readonly apply: boolean;
  /** All of the archive. */
  readonly sessions: readonly ArchivedSession[];
  readonly destination: Destination;
}

/** A session that was restored, and the files that were left out. */
interface Done {
  readonly result: PruneResult;
  readonly omittedFiles: Restored['omittedFiles'];
}

async function toResults(
  outcomes: readonly Outcome<ArchivedState, Done>[],
  { apply, sessions, destination }: Run,
  context: Context,
): Promise<{
  readonly results: readonly PruneResult[];
  readonly problems: readonly FileProblem[];
}> {
  const results: PruneResult[] = [];
  const problems: FileProblem[] = [];
  const restored = outcomes.flatMap((one) => (one.ok ? [one.value.result] : []));
  const back = restored.filter(({ action }) => action === 'restore');
  const restorer = new PromptRestorer(back, { now: context.now(), world: context });
  const prompts: RestoredPrompts = apply ? await restorer.restore(restored) : new Map();
  for (const outcome of outcomes) {
    if (outcome.ok) {
      const { result, omittedFiles } = outcome.value;
      const added = prompts.get(result);
      if (added instanceof FileError) problems.push(toProblem(added));
      problems.push(...omittedFiles.map(toProblem));
      results.push(withPrompts(result, added));
    } else {
      results.push(toFailed(outcome, destination));
    }
  }
  if (!apply) return { results, problems };
  const archived = new Set(sessions.map(({ facts }) => facts.id));
  const checked = await checkBases(results, archived);
  return { ...checked, problems: [...problems, ...checked.problems.map(toProblem)] };
}

/** The result for a state that was not restored: at the place where it was to be, if it has one. */
function toFailed(
  { item, error }: Extract<Outcome<ArchivedState, unknown>, { ok: false }>,
  destination: Destination,
): PruneResult {
  const { member, facts } = item.session;
  const path = findPathOrOld(item, destination);
  const reason =
    basename(error.path) === member
      ? `${member} ${error.message}`
      : describeError(error, error.path === facts.path ? facts.path : path);
  return toRestored(item, path, 'fail', reason);
}

/** The place to which a state is restored; where it has none, the old one. */
function findPathOrOld({ session }: ArchivedState, destination: Destination): string {
  try {
    return findPlace(session.facts, destination).path;
  } catch (error) {
    if (error instanceof FileError) return session.facts.path;
    throw error;
  }
}

/** Reports what has become of the prompts that were removed with a session. `added`: how many, or why none. */
function withPrompts(result: PruneResult, added: number | FileError | undefined): PruneResult {
  if (added === undefined || added === 0) return result;
  const reason =
    added instanceof FileError
      ? 'not all of its prompts were added; they are in a file beside it'
      : describePrompts(added);
  return { ...result, reasons: [...result.reasons, reason] };
}

/** @throws UsageError where some have rows that this Node cannot write. */
function requireRowsWritable(chosen: readonly ArchivedState[]): void {
  if (chosen.some(({ session }) => session.facts.hasRows)) requireSqlite();
}

/** Reports what of the session was not restored. */
function addOmissions(
  result: PruneResult,
  { lacksRows, omittedRows, omittedFiles }: Restored,
): PruneResult {
  const omission = toOmission(omittedRows);
  const lacks = [
    ...omittedFiles.map(({ path }) => `without ${basename(path)}`),
    ...(lacksRows ? ['without its rows: its agent has no database'] : []),
  ];
  return { ...result, ...omission, reasons: [...result.reasons, ...lacks, ...omission.reasons] };
}

/** The warning for a restored session that its agent may delete, since it was last written too long ago. */
function createExpiryFinder({ now, env }: Context): (path: string) => Promise<readonly string[]> {
  const complete = createCompleter({ env });
  return async (path) => {
    const read = await summarizeSession(path, { usage: false });
    const { expires } = 'path' in read ? await complete(read) : {};
    if (expires === undefined || Date.parse(expires) > now()) return [];
    return [`its agent may delete it again: expired on ${expires.slice(0, 10)}`];
  };
}

/** The stores of a configuration are those that are searched: nothing is moved into one of them. */
async function findDestination(
  stores: readonly string[],
  { namesStore }: RestoreTask,
  context: Context,
): Promise<Destination> {
  const paths = stores.map((store) => resolve(context.cwd, store));
  if (!namesStore) return { ownStores: [...(await listAgentStores(context)), ...paths] };
  const [store, ...others] = paths;
  if (store === undefined || others.length > 0)
    throw new UsageError('--restore: takes only one --store');
  return { store };
}

/** A session of which there are several states is named, with the times that choose another one. */
async function reportStates(
  chosen: readonly ArchivedState[],
  { terminal }: Context,
): Promise<void> {
  for (const { session, others } of chosen) {
    if (others.length === 0) continue;
    const own = listMoments([session.archivedAt]);
    const moments = listMoments(others.map(({ archivedAt }) => archivedAt));
    const text = `the state archived at ${own}; --as-of chooses another: ${moments}`;
    await terminal.err.write(`coppice: ${toPlainLine(session.facts.id)}: ${text}\n`);
  }
}

async function findKnown(
  directory: string,
  sessions: readonly ArchivedSession[],
  destination: Destination,
): Promise<KnownFiles> {
  const newest = await findNewest(directory, sessions, destination);
  return { newest, present: await findPresent(directory, sessions, destination, newest) };
}

interface Placement extends KnownFiles {
  readonly destination: Destination;
  /** The states that are not restored, since others are in their place. */
  readonly displaced: ReadonlyMap<ArchivedState, FileError>;
}

function createJob(
  { archive: directory, apply }: RestoreTask,
  { destination, displaced, ...known }: Placement,
  context: Context,
): (state: ArchivedState) => Promise<Done> {
  const findExpiry = createExpiryFinder(context);
  const restoreMember = apply
    ? createRestorer(destination, context.now(), known)
    : createRestorePreview(destination, known);
  return async (state) => {
    const problem = displaced.get(state);
    if (problem) throw problem;
    const member = await findMember(directory, state);
    const restored = await restoreMember(member);
    const action = restored.changed ? 'restore' : 'unchanged';
    const result = addOmissions(toRestored(state, restored.path, action), restored);
    const expiry = apply && restored.changed ? await findExpiry(restored.path) : [];
    const reasons = [...result.reasons, ...expiry];
    return { result: { ...result, reasons }, omittedFiles: restored.omittedFiles };
  };
}

function toStoppedResult(state: ArchivedState, destination: Destination): PruneResult {
  return toRestored(state, findPathOrOld(state, destination), 'skip', STOPPED);
}

function toRestored(
  { session: { facts } }: ArchivedState,
  path: string,
  action: 'restore' | 'unchanged' | 'skip' | 'fail',
  message?: string,
): PruneResult {
  const { bytes } = facts;
  const reason = action === 'restore' ? 'from the archive' : 'is there already';
  return toStateResult(facts, {
    path,
    action,
    reasons: [message ?? reason],
    bytesBefore: bytes,
    bytesAfter: bytes,
  });
}
