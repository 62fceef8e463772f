import type { ExitCode } from '../../errors.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { Header } from '../../session/model/entry.ts';
import { findSuperseded } from '../../session/model/tree/superseded.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import { readOpening } from '../../session/read/read-opening.ts';
import { type KnownSession, RelocationPlan } from '../../session/migrate/relocation.ts';
import type { MigrationResult, Relocation } from '../../session/migrate/types.ts';
import { type MovedFolders, moveProjectFolders } from '../../store/output/project-folders.ts';
import { reportProjectLists } from '../../store/output/project-lists.ts';
import { requireRowMover } from '../../store/database/move-rows.ts';
import { type FoundFile, listExplicit } from '../../store/select/found-file.ts';
import { findSharedLogs, findTied } from '../../store/sessions/shared-logs.ts';
import type { Context } from '../command.ts';
import { runSessions, splitFound } from '../shared/run-sessions.ts';
import { type FoundFiles, findRoots } from '../shared/select/files.ts';
import { findChosenFiles } from '../shared/select/sessions.ts';
import { formatPath } from '../../report/text/paths.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { findRestored } from '../shared/select/left-aside.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { reportMigration } from './report.ts';
import type { MigrateRequest, RelocationTask } from './request.ts';
import { resolveParents } from './resolve-parents.ts';
import { type Migrated, MigrationRunner } from './runner.ts';
import { reportUnmovable } from './unmovable.ts';

const WORDS = { verb: 'move', past: 'Moved', how: 'add --apply' };

/** Runs `coppice migrate --cwd`. */
export async function runRelocation(
  request: MigrateRequest<RelocationTask>,
  context: Context,
): Promise<ExitCode> {
  const { select, output, change, task } = request;
  const { files, problems } = await findChosenFiles(select, context, { which: 'every' });
  const done = await relocateSessions(files, request, context);
  const left = await reportUnmovable(done.others, { moves: task.moves, select }, context);
  // The stores are searched a second time, for all forks.
  const met = new Set(problems.map(({ path }) => path));
  const others = done.problems.filter(({ path }) => !met.has(path));
  const run = {
    applied: change.apply,
    results: [...done.results, ...left.results],
    problems: [...problems, ...others, ...left.problems],
    words: WORDS,
    explicit: listExplicit(files),
  };
  const exitCode = await reportMigration(run, request, context);
  const { results, problems: unread } = run;
  // Another shard may have some.
  const isWhole = unread.length === 0 && !select.selection.shard;
  if (results.length === 0 && isWhole && !output.quiet) await reportNone(task, context);
  return exitCode;
}

/** A slip in a path looks like a run that has nothing more to do. */
async function reportNone({ moves }: RelocationTask, { home, terminal }: Context): Promise<void> {
  const places = moves.map(({ from }) => toPlainLine(formatPath(from, home)));
  await terminal.err.write(
    `coppice: no selected session has its working directory in ${places.join(', ')}\n`,
  );
}

/** Moves the chosen sessions, and updates all of their forks in the stores. */
async function relocateSessions(
  selected: readonly FoundFile[],
  request: MigrateRequest<RelocationTask>,
  context: Context,
): Promise<Migrated & Pick<Headers, 'others'>> {
  const { select, change, task } = request;
  const { moves } = task;
  const runner = new MigrationRunner(request, context, await findRoots(select, context));
  const { chosen, stored } = await findRestored(selected, request, context);
  const headers = await readHeaders(chosen, stored, select, context);
  const { files, sessions, problems, others } = headers;
  const sidecars = findSuperseded(sessions.map(({ path, header: { id } }) => ({ path, id })));
  const current = sessions.filter(({ path }) => !sidecars.has(path));
  const plan = new RelocationPlan(resolveParents(current), moves);
  await requireMovable(plan, headers);
  const tied = await findTiedSessions(plan, headers, runner);
  const migrated: Migrated[] = [];
  for (const level of plan.levels) {
    const jobs = level.flatMap((session) => toJob(session, plan, files));
    const done = await runJobs(jobs, { runner, tied, applied: change.apply });
    for (const { path, newPath, action } of done.results) {
      if (action === 'relocate' && newPath !== null) plan.recordMove(path, newPath);
    }
    migrated.push(done);
  }
  const moved = migrated.flatMap(({ results }) => results);
  const followed = await moveProjectFolders(sessions, moved, moves, change.apply);
  if (!request.output.quiet) await reportAlone(followed.alone, change.apply, context);
  return {
    results: await reportProjectLists(sessions, followed.results, moves),
    problems: [...problems, ...migrated.flatMap((one) => one.problems), ...followed.problems],
    others,
  };
}

/** Runs jobs on files that may have moved in the folder of another session; their results have both paths. */
async function runJobs(
  jobs: readonly RelocationJob[],
  { runner, tied, applied }: JobTerms,
): Promise<Migrated> {
  const taken = new Map<string, Taken>();
  const there = jobs.map(({ file, relocation }) => {
    const { at } = relocation;
    const path = applied ? (at ?? file.path) : file.path;
    if (at !== undefined) taken.set(path, { path: file.path, newPath: at });
    const obstacle = relocation.obstacle ?? tied.get(file.path);
    return { file: { ...file, path }, relocation: { ...relocation, obstacle } };
  });
  const { results, problems } = await runner.run(there);
  return { results: results.map((one) => ({ ...one, ...taken.get(one.path) })), problems };
}

type Taken = Pick<MigrationResult, 'path' | 'newPath'>;

interface JobTerms {
  readonly runner: MigrationRunner;
  /** The reasons against moving sessions that share a log with one that does not move. */
  readonly tied: ReadonlyMap<string, string>;
  readonly applied: boolean;
}

/** Reports folders of projects that an earlier run has left, and no result of this one does. */
async function reportAlone(
  alone: MovedFolders['alone'],
  applied: boolean,
  { home, terminal }: Context,
): Promise<void> {
  for (const { from, to } of alone) {
    const [old, now] = [from, to].map((path) => toPlainLine(formatPath(path, home)));
    await terminal.err.write(`coppice: ${applied ? 'moved' : 'would move'} ${old} to ${now}\n`);
  }
}

/**
 * Finds the sessions that cannot move because a session that shares a log with them does not move. Maps each path to
 * the reason.
 */
async function findTiedSessions(
  plan: RelocationPlan,
  { agents, files }: Headers,
  runner: MigrationRunner,
): Promise<ReadonlyMap<string, string>> {
  const moving = listMoving(plan);
  const logs = await findSharedLogs(agents, moving);
  const sharing = new Set(logs.flatMap(({ sessions }) => sessions));
  const jobs = plan.levels
    .flat()
    .filter(({ path }) => moving.has(path) && sharing.has(path))
    .flatMap((session) => toJob(session, plan, files));
  const leaving = new Set(await runner.findMoving(jobs));
  const left = jobs.filter(({ file: { path } }) => !leaving.has(path));
  for (const { file } of left) moving.delete(file.path);
  return findTied(logs, moving);
}

interface RelocationJob {
  readonly file: FoundFile;
  readonly relocation: Relocation;
}

function toJob(
  session: KnownSession,
  plan: RelocationPlan,
  files: Headers['files'],
): readonly RelocationJob[] {
  const file = files.get(session.path);
  const relocation = plan.relocate(session);
  return file && relocation ? [{ file, relocation }] : [];
}

/** The paths of the sessions that leave their directory. */
function listMoving(plan: RelocationPlan): Set<string> {
  const leaves = (session: KnownSession): boolean => {
    const { moveTo, obstacle } = plan.relocate(session) ?? {};
    return moveTo !== undefined && obstacle === undefined;
  };
  const moving = plan.levels.flat().filter(leaves);
  return new Set(moving.map(({ path }) => path));
}

/** @throws UsageError if sessions that would move have rows that this Node cannot write. */
async function requireMovable(plan: RelocationPlan, { agents }: Headers): Promise<void> {
  for (const session of plan.levels.flat()) {
    const agent = plan.relocate(session) && agents.get(session.path);
    if (agent !== undefined) await requireRowMover(agent, session.path);
  }
}

interface Headers extends Pick<FoundFiles, 'problems'> {
  readonly files: ReadonlyMap<string, FoundFile>;
  readonly sessions: readonly KnownSession[];
  readonly agents: ReadonlyMap<string, Agent>;
  /** The chosen files that are none of these sessions. */
  readonly others: readonly FoundFile[];
}

/** Reads the headers of all sessions. Lists only those of versions that coppice knows: no other may be changed. */
async function readHeaders(
  chosen: readonly FoundFile[],
  stored: FoundFiles,
  { jobs }: SelectionRequest,
  context: Context,
): Promise<Headers> {
  const chosenPaths = new Set(chosen.map(({ path }) => path));
  const files = new Map([...stored.files, ...chosen].map((file) => [file.path, file]));
  const run = { label: 'Reading headers', jobs, context };
  const read = ({ path }: FoundFile) => readPlace(path, context.signal);
  const outcomes = await runSessions([...files.values()], read, run);
  const agents = new Map<string, Agent>();
  const sessions = outcomes.flatMap((outcome): KnownSession[] => {
    if (!outcome.ok || outcome.value.opening.kind !== 'session') return [];
    const { dialect, result } = outcome.value.opening;
    const { formatVersion } = result.session;
    const { currentVersion, relocation } = dialect;
    const migration = relocation ?? dialect.migration;
    const header = relocation ? toHeader(outcome.value.cwd) : result.session.header;
    if (!header || !migration || formatVersion > currentVersion) return [];
    const { path, linked } = outcome.item;
    agents.set(path, dialect.agent);
    const isChosen = chosenPaths.has(path);
    const { toProjectDirectoryName } = migration;
    const projectFolders = relocation?.projectFolders ?? [];
    const projectLists = relocation?.listProjectLists?.(path, context) ?? [];
    const { needsDirectory } = dialect.places;
    const { findNaming } = dialect.migration ?? {};
    const naming = { toProjectDirectoryName, findNaming };
    const places = { ...naming, projectFolders, projectLists, needsDirectory };
    const { otherCwds } = outcome.value;
    return [{ path, header, otherCwds, isChosen, isLinked: linked, ...places }];
  });
  const { problems: unreadable } = splitFound(outcomes);
  const others = chosen.filter(({ path }) => !agents.has(path));
  return { files, sessions, agents, others, problems: [...stored.problems, ...unreadable] };
}

/** Reads how a session begins, and the directories that its lines name if no header does. */
async function readPlace(path: string, signal: AbortSignal) {
  const opening = await readOpening(path, { signal });
  const asksLines = opening.kind === 'session' && opening.dialect.relocation !== undefined;
  const summary = asksLines ? await summarizeSession(path, { usage: false, signal }) : undefined;
  if (!summary || !('path' in summary)) return { opening, cwd: '', otherCwds: undefined };
  const { cwd, otherCwds = [] } = summary;
  return { opening, cwd, otherCwds };
}

/** Makes a header for a session without one, from the directory that its lines name. */
function toHeader(cwd: string): Header {
  const unknown = { timestamp: undefined, parentSession: undefined, branchedFrom: undefined };
  return { id: '', cwd, line: 1, offset: 0, length: 0, ...unknown };
}
