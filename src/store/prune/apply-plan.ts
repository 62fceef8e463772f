import { join } from 'node:path';
import { FileError, UsageError } from '../../errors.ts';
import { isMissing } from '../../session/jsonl/files/file-error.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import { describeError } from '../../session/model/action.ts';
import type { Flattened } from '../../session/fork/flatten-session.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { type Decision, isRemoval, type RemovalOutcome } from '../../session/prune/policy.ts';
import { removeLeftRows, type RemovalTarget } from '../remove/remove-whole.ts';
import type { TrashWorld } from '../remove/trash.ts';
import { isGone } from '../files/stat-file.ts';
import { toProblem } from '../select/found-file.ts';
import type { SessionFiles } from '../sessions/session-files.ts';
import type { FoundCandidate } from './candidates.ts';
import { type FlattenedForks, flattenForks } from './forks/flatten-forks.ts';
import { PromptHistory } from './prompts/prompt-history.ts';
import { hasHistory } from './prompts/prompt-list.ts';
import {
  describeKept,
  type RemovalResult,
  toRemaining,
  describePrompts,
} from './removal-result.ts';
import { type Destination, openRemover } from './remove.ts';

/** The decisions about sessions, and each session as it was seen, by path. */
export interface PlannedRemovals {
  readonly decisions: readonly Decision[];
  readonly files: ReadonlyMap<string, SessionFiles>;
}

/** The sessions among which forks are made self-contained, and which of them may be. */
export interface FlatteningTerms {
  readonly found: readonly FoundCandidate[];
  /** The grace time in milliseconds: a fork that was used within it is left unchanged. */
  readonly grace: number;
  /** Returns the reason why a fork must be left unchanged. */
  readonly findObstacle?: ((fork: Candidate) => string | undefined) | undefined;
}

/** The parts of a run besides its removals, and how sessions are removed. */
export interface PlanRun {
  /** Otherwise, only what would be done is computed. */
  readonly apply: boolean;
  readonly destination: Destination;
  /** Makes kept forks self-contained where they continue from what is to be removed. */
  readonly flattening?: FlatteningTerms | undefined;
  /** Removes the prompts of removed sessions from the lists of their agents, in these stores, too. `agent`: the only one. */
  readonly prompts?:
    | { readonly stores: readonly string[]; readonly agent?: Agent | undefined }
    | undefined;
  readonly world: TrashWorld & AgentWorld & { readonly signal: AbortSignal };
  /** Calls `remove` once for each session, in any order, several at once or not, unless the run is stopped. */
  readonly visit: (
    targets: readonly RemovalTarget[],
    remove: (target: RemovalTarget) => Promise<void>,
  ) => Promise<unknown>;
}

export interface AppliedPlan {
  /** The decisions of the plan, without removals of sessions that are kept after all. */
  readonly decisions: readonly Decision[];
  /** The outcome of each decision to remove a session. */
  readonly removals: ReadonlyMap<Candidate, RemovalOutcome>;
  /** The sessions with forks that were made self-contained, or would be. */
  readonly flattened: ReadonlyMap<Candidate, Flattened>;
  readonly problems: readonly FileProblem[];
}

/**
 * Does what a plan decides, or computes what would be done: makes kept forks self-contained, then removes
 * sessions, and then their prompts. A signal ends this between two sessions.
 * @throws UsageError where prompts of some could not be removed, before anything is removed; FileError
 * for an archive or a trash that cannot be used.
 */
export async function applyPlan(plan: PlannedRemovals, run: PlanRun): Promise<AppliedPlan> {
  const { decisions, forks, failures } = await flatten(plan, run);
  const targets = listRemovalTargets({ ...plan, decisions });
  const history = await readPrompts(decisions, run);
  const candidates = decisions.map(({ candidate }) => candidate);
  const owed = run.apply ? await removeLeftRows(candidates, run.world.now()) : [];
  const results = run.apply ? await removeAll(targets, history, run) : undefined;
  const unwritten = results && history ? await removePrompts(history, targets, results) : [];
  const left = [...(results?.values() ?? [])].flatMap((one) =>
    typeof one === 'string' ? [] : (one.left ?? []),
  );
  const problems = [...[...failures, ...owed, ...left].map(toProblem), ...unwritten];
  const removals = new Map<Candidate, RemovalOutcome>();
  const names = new Map<string, number>();
  for (const decision of decisions) {
    if (decision.action !== 'remove') continue;
    const { candidate, owner = candidate } = decision;
    const prompts = history?.count(candidate) ?? 0;
    const outcome = toOutcome(decision, results?.get(owner), prompts);
    const held = outcome.action === 'remove' ? countHeld(candidate, names) : 0;
    removals.set(candidate, { ...outcome, bytesAfter: outcome.bytesAfter + held });
  }
  return { decisions, removals, flattened: forks, problems };
}

/**
 * Counts the bytes of a removed session that other names of its files still hold: they are freed with the last name.
 * `names`: how many of each file are removed by now.
 */
function countHeld({ shared = [] }: Candidate, names: Map<string, number>): number {
  let held = 0;
  for (const { file, bytes, links = 1 } of shared) {
    const removed = (names.get(file) ?? 0) + 1;
    names.set(file, removed);
    if (removed < links) held += bytes;
  }
  return held;
}

/** Lists the sessions to remove; the policy removes none without files. */
function listRemovalTargets({ decisions, files }: PlannedRemovals): readonly RemovalTarget[] {
  return decisions.filter(isRemoval).map(({ candidate, waitsFor }) => {
    return { candidate, waitsFor, files: getFiles(files, candidate.path) };
  });
}

/** Returns the files of a session to be removed. */
export function getFiles(files: PlannedRemovals['files'], path: string): SessionFiles {
  const found = files.get(path);
  if (!found) throw new Error(`no files known of ${path}`);
  return found;
}

async function flatten(plan: PlannedRemovals, run: PlanRun): Promise<FlattenedForks> {
  const { flattening, apply, world } = run;
  const { decisions } = plan;
  if (!flattening) return { decisions, forks: new Map(), failures: [] };
  const { found, ...terms } = flattening;
  const { signal } = world;
  const how = { ...terms, apply, now: world.now(), world, signal };
  return flattenForks(decisions, found, how);
}

/**
 * Reads the lines that the prompt lists of agents have of the sessions to be removed.
 * @throws UsageError where no agent of the run keeps one, or a process may be about to write to it.
 */
async function readPrompts(
  decisions: readonly Decision[],
  { prompts, world }: PlanRun,
): Promise<PromptHistory | undefined> {
  if (!prompts) return undefined;
  if (prompts.agent && !hasHistory(prompts.agent)) throw new UsageError(NO_HISTORY);
  const all = decisions.map(({ candidate }) => candidate);
  const isOfNone = all.length > 0 && !all.some(({ agent }) => hasHistory(agent));
  const targets = decisions.filter(isRemoval).map(({ candidate }) => candidate);
  try {
    const history = await PromptHistory.read(targets, all, prompts.stores, {
      now: world.now(),
      world,
    });
    // The last session of such an agent may be gone: what runs each night goes on for the others.
    if (isOfNone && !history.isThere) throw new UsageError(NO_HISTORY);
    return history;
  } catch (error) {
    if (!(error instanceof FileError) || error.code !== 'in-use') throw error;
    throw new UsageError(`--history: ${error.path}: ${error.message}; nothing was removed`);
  }
}

const NO_HISTORY =
  '--history: none of these agents has a prompt history that coppice can edit; leave it out';

/** The result of each removal; a text gives the reason of a failure. */
type Results = ReadonlyMap<Candidate, RemovalResult | string>;

async function removeAll(
  targets: readonly RemovalTarget[],
  history: PromptHistory | undefined,
  { destination, world, visit }: PlanRun,
): Promise<Results> {
  const remove = await openRemover(
    destination,
    world,
    targets,
    history && ((target, removeFiles) => history.removeWith(target, removeFiles)),
  );
  const results = new Map<Candidate, RemovalResult | string>();
  const removeOne = async (target: RemovalTarget): Promise<void> => {
    const { candidate } = target;
    try {
      const result = await remove(target);
      results.set(candidate, result.left ? { ...result, leftBytes: sumLeft(target) } : result);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      // Another run was quicker, which reports the removal.
      const isTaken = isMissing(error) && isGone(candidate.path);
      const failure = describeError(error, candidate.path);
      results.set(candidate, isTaken ? { removal: 'gone' } : failure);
    }
  };
  await visit(targets, removeOne);
  // A stopped run does not visit all, but a fork is removed when its parent is visited: its result is asked for here.
  for (const target of targets) if (!results.has(target.candidate)) await removeOne(target);
  return results;
}

function sumLeft({ files: { root, files } }: RemovalTarget): number {
  const there = files.filter(({ name }) => !isGone(join(root, name)));
  return there.reduce((sum, { size }) => sum + size, 0);
}

/** Removes the lines of removed sessions: until the sessions are removed, each list is unchanged. */
async function removePrompts(
  history: PromptHistory,
  targets: readonly RemovalTarget[],
  results: Results,
): Promise<readonly FileProblem[]> {
  const removed = targets.flatMap(({ candidate }) => {
    const result = results.get(candidate);
    return typeof result === 'object' && result.removal === 'removed' ? candidate : [];
  });
  return (await history.removeLines(removed)).map(toProblem);
}

function toOutcome(
  { candidate: { bytes }, reasons, owner }: Decision,
  result: RemovalResult | string | undefined,
  prompts: number,
): RemovalOutcome {
  const unchanged = { bytesBefore: bytes, bytesAfter: bytes };
  if (typeof result === 'string') return { action: 'fail', reasons: [result], ...unchanged };
  const kept = result && describeKept(result);
  if (kept !== undefined) return { action: 'skip', reasons: [kept], ...unchanged };
  const left = result?.left ? ['some of it could not be removed'] : [];
  return {
    action: 'remove',
    reasons: [...reasons, ...(prompts === 0 ? [] : [describePrompts(prompts)]), ...left],
    bytesBefore: bytes,
    // The archive of a session that is removed along with another is in the outcome of that one.
    ...(result && owner === undefined ? toRemaining(result) : { bytesAfter: 0 }),
  };
}
