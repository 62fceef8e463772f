import { describeCandidate, findById } from '../../../session/model/ids/match-id.ts';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Outcome, runBatch } from '../../../batch/run-batch.ts';
import { type ExitCode, FileError, UsageError } from '../../../errors.ts';
import { toPlainLine } from '../../../report/text/escape.ts';
import type { PruneResult } from '../../../report/prune/columns.ts';
import { createRestoreColumns } from '../../../report/prune/restore-columns.ts';
import { type ArchivedSession, readArchive } from '../../../store/archive/index/archive-index.ts';
import { toMemberFacts, toSessionKey } from '../../../store/archive/member/manifest.ts';
import { type Destination, findPlace } from '../../../store/archive/place.ts';
import { readManifest } from '../../../store/archive/member/read-member.ts';
import { createRestorer, type Restored } from '../../../store/archive/member/restore-member.ts';
import { requireSqlite } from '../../../store/database/sqlite.ts';
import { putBackPrompts } from '../../../store/prune/prompts/prompt-history.ts';
import { createCompleter } from '../../../store/sessions/surroundings.ts';
import { summarizeSession } from '../../../session/read/summaries/summarize-session.ts';
import { listAgentStores } from '../../../store/find/roots.ts';
import { readSettings } from '../../../store/settings/settings.ts';
import { reportActions } from '../../shared/output/report-actions.ts';
import type { Context } from '../../command.ts';
import { toArchivedResult } from './archived-result.ts';
import type { PruneRequest, RestoreTask } from '../request.ts';
import { toProblem } from '../../../store/select/found-file.ts';
import type { FileProblem } from '../../../session/model/summary.ts';

/** Runs `coppice prune --archive <dir> --restore <id|all>`. */
export async function restoreFromArchive(
  { select, report: how, task }: PruneRequest<RestoreTask>,
  context: Context,
): Promise<ExitCode> {
  const { archive: directory, ids, asOf, applies: applied } = task;
  const destination = await findDestination(select.stores, context);
  const { sessions, problems } = await readArchive(directory);
  const chosen = chooseStates(sessions, ids, asOf);
  if (applied) requireRowWriting(chosen);
  if (!ids.includes('all') && !how.quiet) await noteStates(chosen, context);
  const findExpiry = createExpiryFinder(context);
  const restoreMember = createRestorer(destination, context.now());
  const restore = async (state: ArchivedState): Promise<PruneResult> => {
    const member = join(directory, state.session.member);
    await checkIndex(member, state.session);
    const { path } = findPlace(state.session.facts, destination);
    if (!applied) return toRestored(state, path, 'restore');
    const restored = await restoreMember(member);
    const action = restored.changed ? 'restore' : 'unchanged';
    const result = toRestored(state, restored.path, action);
    const expiry = restored.changed ? await findExpiry(restored.path) : [];
    return { ...result, reasons: [...result.reasons, ...noteRows(restored), ...expiry] };
  };
  const { signal } = context;
  const outcomes = await runBatch(chosen, restore, { jobs: select.jobs, signal });
  const { results, problems: left } = await toResults(outcomes, applied);
  const report = {
    command: 'prune',
    applied,
    results,
    columns: createRestoreColumns(context.now(), context.home),
    problems: [...problems.map(toProblem), ...left],
    words: { verb: 'restore', past: 'Restored', how: 'leave out --dry-run' },
  };
  return reportActions(report, how, context);
}

/** One after another: the prompts of several sessions are in one list. */
async function toResults(
  outcomes: readonly Outcome<ArchivedState, PruneResult>[],
  applied: boolean,
): Promise<{
  readonly results: readonly PruneResult[];
  readonly problems: readonly FileProblem[];
}> {
  const results: PruneResult[] = [];
  const problems: FileProblem[] = [];
  for (const outcome of outcomes) {
    if (outcome.ok) {
      results.push(applied ? await withPrompts(outcome.value, problems) : outcome.value);
    } else {
      const { item, error } = outcome;
      results.push(toRestored(item, item.session.facts.path, 'fail', error.message));
    }
  }
  return { results, problems };
}

/** Puts the prompts of a restored session back into the list of all, if they went with it. */
async function withPrompts(result: PruneResult, problems: FileProblem[]): Promise<PruneResult> {
  try {
    const added = await putBackPrompts(result);
    if (added === undefined || added === 0) return result;
    return {
      ...result,
      reasons: [...result.reasons, `with its ${added} prompts in the prompt history`],
    };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    problems.push(toProblem(error));
    return { ...result, reasons: [...result.reasons, 'its prompts are in a file beside it'] };
  }
}

/** @throws UsageError where some have rows that this Node cannot write. */
function requireRowWriting(chosen: readonly ArchivedState[]): void {
  if (chosen.some(({ session }) => session.facts.hasRows)) requireSqlite();
}

function noteRows({ lacksRows }: Restored): readonly string[] {
  return lacksRows ? ['without its rows: its agent has no database'] : [];
}

/** The warning for a restored session that its client may delete, since it was last written too long ago. */
function createExpiryFinder({
  signal,
  now,
}: Context): (path: string) => Promise<readonly string[]> {
  const complete = createCompleter();
  return async (path) => {
    const read = await summarizeSession(path, { usage: false, signal });
    const { expires } = 'path' in read ? await complete(read) : {};
    if (expires === undefined || Date.parse(expires) > now()) return [];
    return [`its client may delete it again: due since ${expires.slice(0, 10)}`];
  };
}

async function findDestination(named: readonly string[], context: Context): Promise<Destination> {
  const [store, ...others] = named;
  if (others.length > 0) throw new UsageError('--restore puts sessions into one --store');
  if (store !== undefined) return { store: resolve(context.cwd, store) };
  return { ownStores: await listAgentStores({ ...context, readSettings }) };
}

/**
 * The index only saves opening every member: it is not believed over one.
 * @throws FileError when the member says otherwise of itself.
 */
async function checkIndex(member: string, { facts }: ArchivedSession): Promise<void> {
  if (isDeepStrictEqual(toMemberFacts(await readManifest(member)), facts)) return;
  throw new FileError(
    member,
    'EARCHIVE',
    'not restored: index.ndjson contradicts it; remove index.ndjson and try again',
  );
}

/** One state of a session file, and when others of it were archived, in milliseconds. */
interface ArchivedState {
  readonly session: ArchivedSession;
  readonly others: readonly number[];
}

/**
 * Chooses the state of a session file that was archived last, or last at or before a moment.
 * @throws UsageError for an id that no session has, or prefixes that several have.
 */
function chooseStates(
  sessions: readonly ArchivedSession[],
  ids: readonly string[],
  asOf = Number.POSITIVE_INFINITY,
): readonly ArchivedState[] {
  const byKey = new Map<string, ArchivedSession[]>();
  for (const session of sessions) {
    const key = toSessionKey(session.facts);
    const states = byKey.get(key);
    if (states) states.push(session);
    else byKey.set(key, [session]);
  }
  const chosen = [...byKey.values()].flatMap((states) => chooseState(states, asOf) ?? []);
  if (ids.includes('all')) return chosen;
  const found = ids.flatMap((id) =>
    findById(id, chosen, {
      getId: ({ session }) => session.facts.id,
      asked: `--restore ${id}`,
      unknown: describeUnknown(id, sessions),
      describe: ({ session }) => describeCandidate(session.facts),
    }),
  );
  return [...new Set(found)];
}

/** Undefined where all states came later than that. */
function chooseState(states: readonly ArchivedSession[], asOf: number): ArchivedState | undefined {
  const sorted = states.toSorted((a, b) => a.archivedAt - b.archivedAt);
  const session = sorted.findLast(({ archivedAt }) => archivedAt <= asOf);
  const others = sorted.filter((one) => one !== session).map(({ archivedAt }) => archivedAt);
  return session && { session, others };
}

function describeUnknown(id: string, sessions: readonly ArchivedSession[]): string {
  const times = sessions.flatMap(({ facts, archivedAt }) =>
    facts.id.startsWith(id) ? [archivedAt] : [],
  );
  if (times.length === 0) return 'no session in the archive has this id';
  return `was archived after --as-of only: ${listMoments(times)}`;
}

const MAX_MOMENTS = 5;

/** The latest ones, as `--as-of` takes them. */
function listMoments(times: readonly number[]): string {
  const moments = times
    .toSorted((a, b) => b - a)
    .slice(0, MAX_MOMENTS)
    .map((time) => new Date(time).toISOString());
  const more = times.length - moments.length;
  return [...moments, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** A session of which there are several states is named, with the times that choose another one. */
async function noteStates(chosen: readonly ArchivedState[], { terminal }: Context): Promise<void> {
  for (const { session, others } of chosen) {
    if (others.length === 0) continue;
    const own = listMoments([session.archivedAt]);
    const text = `the state archived at ${own}; --as-of chooses another: ${listMoments(others)}`;
    await terminal.err.write(`coppice: ${toPlainLine(session.facts.id)}: ${text}\n`);
  }
}

function toRestored(
  { session: { facts } }: ArchivedState,
  path: string,
  action: 'restore' | 'unchanged' | 'fail',
  message?: string,
): PruneResult {
  const { bytes } = facts;
  const reasons = { restore: 'from the archive', unchanged: 'is there already', fail: message };
  return toArchivedResult(facts, {
    path,
    action,
    reasons: [reasons[action] ?? ''],
    bytesBefore: bytes,
    bytesAfter: bytes,
  });
}
