import { letYoungSpaceGrow } from '../../batch/v8-settings.ts';
import { UsageError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { Agent } from '../../session/model/agent.ts';
import { type Excess, findLeftOver } from '../../session/prune/budget.ts';
import type { Decision } from '../../session/prune/policy.ts';
import type { FlatteningTerms } from '../../store/prune/apply-plan.ts';
import type { FoundCandidate } from '../../store/prune/candidates.ts';
import type { ParsedRules } from '../../store/prune/parse-rules.ts';
import {
  selectTargets,
  planOnFacts,
  removesAny,
  indexFiles,
} from '../../store/prune/plan-on-facts.ts';
import { toQuestion } from '../../store/prune/question.ts';
import { listExplicit } from '../../store/select/found-file.ts';
import type { Targets } from '../../store/prune/reading/targets.ts';
import { keepDecisionsOfShard } from '../../store/prune/shard-decisions.ts';
import { isInShard } from '../../store/select/shard.ts';
import { checkOverwrite, type PlannedSession } from '../../store/prune/plan-file.ts';
import type { SessionFiles } from '../../store/sessions/session-files.ts';
import type { Context } from '../command.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import type { DecidedByRules, PruneRequest, RemovalTask } from './request.ts';
import { createReaders, findPruneTargets, readFound } from './read-sessions.ts';

/** The sessions to remove and those to keep, with the reasons; nothing has been touched. */
export interface PrunePlan {
  /** Decisions about all targets, and about the sessions that are removed with them. */
  readonly decisions: readonly Decision[];
  /** The files of each session, by path, with what is needed to remove it as it was seen. */
  readonly files: ReadonlyMap<string, SessionFiles>;
  /** Sessions of a plan that are not as planned, with what became of them. */
  readonly mismatched: ReadonlyMap<
    string,
    { readonly planned: PlannedSession; readonly why: string }
  >;
  readonly problems: readonly FileProblem[];
  /** Undefined where no fork is made self-contained. */
  readonly flattening: FlatteningTerms | undefined;
  /** The stores that were searched. */
  readonly stores: readonly string[];
  /** The kept sessions, if they exceed a budget. */
  readonly excess?: Excess | undefined;
}

/** @throws UsageError where a rule about labels could only keep everything. */
function requireLabels(decisions: readonly Decision[]): void {
  const read = decisions.filter(({ candidate }) => candidate.selected && candidate.agent !== null);
  if (read.length === 0 || read.some(({ candidate }) => candidate.labelCount !== null)) return;
  throw new UsageError('--keep-labeled: none of these agents has labels; leave it out');
}

/** @throws UsageError where no fork can need to be made self-contained. `only`: the agent whose sessions are asked for. */
function requireFlattening(decisions: readonly Decision[], only: Agent | undefined): void {
  const agents = only ? [only] : decisions.flatMap(({ candidate }) => candidate.agent ?? []);
  if (agents.length === 0 || agents.some((one) => getDialect(one).flattening)) return;
  throw new UsageError(
    '--flatten: forks of none of these agents need another file; use --include-parents',
  );
}

/** Lists the targets that are only a part of a session which was not named, such as its sub-agents. */
function listParts(found: readonly FoundCandidate[], { files }: Targets): readonly FileProblem[] {
  const explicit = listExplicit(files);
  if (explicit.size === 0) return [];
  return found.flatMap(({ candidate: { path: whole }, members, isTarget }) =>
    members
      .filter((path) => !isTarget && explicit.has(path))
      .map((path) => {
        const message = `is part of another session; name that session instead: ${whole}`;
        return { path, problem: { code: 'not-a-session', message } };
      }),
  );
}

/** The terms on which forks are made self-contained; undefined where the rules do not include that. */
export function toFlattening(
  { policy: { includeBases = false, grace } }: ParsedRules,
  found: readonly FoundCandidate[],
  findObstacle?: FlatteningTerms['findObstacle'],
): FlatteningTerms | undefined {
  return includeBases ? { found, grace, findObstacle } : undefined;
}

/** Plans by rules. */
export async function planByRules(
  { rules, planOut }: DecidedByRules,
  { select, task: { apply } }: PruneRequest<RemovalTask>,
  context: Context,
): Promise<PrunePlan> {
  const { shard } = select.selection;
  const question = toQuestion(rules, context.now(), context);
  // It may take long to read all sessions.
  if (planOut) await checkOverwrite(planOut.path);
  const targets = await findPruneTargets(select, context);
  letYoungSpaceGrow();
  let sessions = await readFound(targets, select, context);
  const isActedOn = apply || planOut !== undefined;
  // Facts from the cache about a kept session could decide about others, so everything is read again.
  if (isActedOn && select.cache && (await removesAny(sessions, question))) {
    sessions = await readFound(targets, { ...select, cache: false }, context);
  }
  const { found, decisions, problems } = await planOnFacts(sessions, {
    ...question,
    ...createReaders(select, context, isActedOn),
    shard,
    signal: context.signal,
  });
  const own = selectTargets(decisions, found);
  if (rules.policy.keep.labeled) requireLabels(own);
  if (rules.policy.includeBases) requireFlattening(decisions, select.selection.agent);
  return {
    decisions: keepDecisionsOfShard(own, shard),
    files: indexFiles(found),
    flattening: toFlattening(rules, found),
    stores: targets.stores,
    excess: findLeftOver(own, rules.policy),
    mismatched: new Map(),
    problems: [
      ...problems,
      ...listParts(found, targets).filter(({ path }) => isInShard(path, shard)),
    ],
  };
}
