import { runBatch } from '../../batch/run-batch.ts';
import { UsageError } from '../../errors.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import type { Decision } from '../../session/prune/policy.ts';
import {
  type PlannedSession,
  type PlanTerms,
  readPlan,
  readStamp,
} from '../../store/prune/plan-file.ts';
import { describeError } from '../../session/model/action.ts';
import { isInside } from '../../session/model/paths.ts';
import { isGone } from '../../store/files/stat-file.ts';
import { findStoresIfAny } from '../../store/find/roots.ts';
import { CHANGED } from '../../store/prune/removal-result.ts';
import type { FoundCandidate } from '../../store/prune/candidates.ts';
import {
  selectTargets,
  type FactualPlan,
  planOnFacts,
  indexFiles,
} from '../../store/prune/plan-on-facts.ts';
import { type PruneQuestion, toQuestion } from '../../store/prune/question.ts';
import { keepDecisionsOfShard } from '../../store/prune/shard-decisions.ts';
import { isInShard, type Shard } from '../../store/select/shard.ts';
import { parseRules } from '../../store/prune/parse-rules.ts';
import type { Context } from '../command.ts';
import { splitOutcomes } from '../shared/run-sessions.ts';
import { type SelectionRequest, toRuleContext } from '../shared/requests.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { type PrunePlan, toFlattening } from './plan.ts';
import { createReaders, findPruneTargets, readFound } from './read-sessions.ts';
import type { DecidedByPlan, PruneRequest, RemovalTask } from './request.ts';

const CWD_IS_BACK = 'its working directory is there again';

/**
 * Plans by a reviewed plan: removes only sessions that it names and that have not changed since. Checks
 * all protections again: the lines taken out of the plan may be forks of the sessions left in it.
 */
export async function planByFile(
  { path, groupBy, keepId }: DecidedByPlan,
  { select, task }: PruneRequest<RemovalTask>,
  context: Context,
): Promise<PrunePlan> {
  const { terms, sessions } = await readPlan(path);
  const stores = await listAgain(terms, path, context);
  const { planned, forks } = splitPlanned(sessions);
  const ruleContext = toRuleContext(context);
  const rules = parseRules({ ...terms.rules, groupBy, keepId }, ruleContext);
  const question = toQuestion(rules, ruleContext.now, context);
  const { shard } = select.selection;
  const request = { ...select, stores, cache: select.cache && !task.apply };
  // The stores of a plan may be what somebody named as a target, with the session in whose folder it is.
  const targets = { ...(await findPruneTargets(request, context)), named: [] };
  const stored = await readFound(targets, request, context);
  requireSessions(terms, stored.read, planned, path);
  const first = await planOnFacts(stored, {
    ...question,
    decide: (all) => question.decide(selectOnly(all, (one) => planned.has(one))),
    ...createReaders(select, context, task.apply),
    shard,
    signal: context.signal,
  });
  const { found, problems } = first;
  // Only now every file and sidecar of a session is known, as it was when it was planned.
  const known = new Map([...forks, ...planned]);
  const { mismatched, failed } = await findMismatched(known, found, { terms, select }, context);
  const findObstacle = ({ path: fork }: Candidate): string | undefined =>
    forks.has(fork) ? mismatched.get(fork)?.why : 'is not in the plan';
  const { judged, decisions } = decideAgain(first, { question, planned, mismatched });
  return {
    decisions: keepDecisionsOfShard(decisions, shard).filter(
      ({ candidate }) => !mismatched.has(candidate.path),
    ),
    files: indexFiles(found),
    flattening: toFlattening(rules, judged, findObstacle),
    stores,
    mismatched: listOwnMismatched(mismatched, shard),
    problems: [...problems, ...failed.filter((one) => isInShard(one.path, shard))],
  };
}

/** Decides again, once it is known which of the planned sessions have changed. */
function decideAgain(
  { found, decisions: first }: FactualPlan,
  {
    question,
    planned,
    mismatched,
  }: Pick<PrunePlan, 'mismatched'> & {
    readonly question: Pick<PruneQuestion, 'decide'>;
    readonly planned: ReadonlyMap<string, PlannedSession>;
  },
): { readonly judged: readonly FoundCandidate[]; readonly decisions: readonly Decision[] } {
  const isSelected = (one: string): boolean => planned.has(one) && !mismatched.has(one);
  const judged = selectOnly(found, isSelected);
  // One that was kept so far, as the last session of its store, was not searched for what needs it.
  const held = toKeptReasons(first, isSelected);
  const decisions = question.decide(judged, new Set(held.keys()));
  return {
    judged,
    decisions: selectTargets(decisions, judged).map((one) => withReasons(one, { planned, held })),
  };
}

/** Lists the stores to read again, and the agents' own of now where those were read: they may be elsewhere. */
async function listAgain(
  terms: PlanTerms,
  plan: string,
  context: Context,
): Promise<readonly string[]> {
  const own = terms.ownStores ? await findStoresIfAny([], context) : [];
  return [...new Set([...listRemaining(terms, plan), ...own])];
}

/**
 * Lists the stores of then; one that held no session may be gone.
 * @throws UsageError for another that is: forks of planned sessions may be in it, as on an unmounted disk.
 */
function listRemaining({ stores, emptyStores }: PlanTerms, plan: string): readonly string[] {
  const remaining = stores.filter((store) => !emptyStores.includes(store) || !isGone(store));
  const gone = remaining.find(isGone);
  if (gone === undefined) return remaining;
  throw new UsageError(
    `--plan ${plan}: ${gone} is gone, and held sessions when the plan was made; nothing was removed`,
  );
}

/**
 * Refuses a plan where a store has lost all of its sessions, as the place where a disk is not mounted any more; it
 * may have been emptied by the plan itself only with `--allow-empty`.
 */
function requireSessions(
  { stores, emptyStores, rules: { allowEmpty } }: PlanTerms,
  read: readonly { readonly file: { readonly path: string } }[],
  planned: ReadonlyMap<string, unknown>,
  plan: string,
): void {
  const emptied = stores.find((store) => {
    if (emptyStores.includes(store) || read.some(({ file }) => isInside(file.path, store))) {
      return false;
    }
    return !allowEmpty || ![...planned.keys()].some((one) => isInside(one, store));
  });
  if (emptied === undefined) return;
  throw new UsageError(
    `--plan ${plan}: ${emptied} has no sessions, and held some when the plan was made; nothing was removed`,
  );
}

/** The sessions that are to go, and the forks that are to be made self-contained, by path. */
function splitPlanned(sessions: readonly PlannedSession[]) {
  const isFork = ({ action }: PlannedSession): boolean => action === 'flatten';
  const toMap = (some: readonly PlannedSession[]) => new Map(some.map((one) => [one.path, one]));
  return {
    planned: toMap(sessions.filter((one) => !isFork(one))),
    forks: toMap(sessions.filter(isFork)),
  };
}

/** A plan selects by path, and not by rules. */
function selectOnly(
  found: readonly FoundCandidate[],
  isSelected: (path: string) => boolean,
): readonly FoundCandidate[] {
  return found.map(({ candidate, ...rest }) => {
    return { ...rest, candidate: { ...candidate, selected: isSelected(candidate.path) } };
  });
}

function listOwnMismatched(
  mismatched: PrunePlan['mismatched'],
  shard: Shard | undefined,
): PrunePlan['mismatched'] {
  const isHere = ({ path, family }: PlannedSession): boolean => isInShard(family ?? path, shard);
  return new Map([...mismatched].filter(([, { planned }]) => isHere(planned)));
}

async function findMismatched(
  planned: ReadonlyMap<string, PlannedSession>,
  found: readonly FoundCandidate[],
  { terms, select: { jobs } }: { readonly terms: PlanTerms; readonly select: SelectionRequest },
  { signal }: Context,
): Promise<Pick<PrunePlan, 'mismatched'> & { readonly failed: readonly FileProblem[] }> {
  const sessions = new Map(found.map((one) => [one.candidate.path, one]));
  const check = async (session: PlannedSession): Promise<string | undefined> => {
    const { candidate, files } = sessions.get(session.path) ?? {};
    if (!candidate || !files) return 'no longer exists';
    if ((await readStamp(files, candidate)) !== session.stamp) return CHANGED;
    // The only selector that a plan keeps: a disk may have been mounted since.
    if (terms.rules.missingCwd !== true || session.action === 'flatten' || candidate.selected)
      return undefined;
    return candidate.unjudged ?? CWD_IS_BACK;
  };
  const outcomes = await runBatch([...planned.values()], check, { jobs, signal });
  const mismatched = new Map<string, { planned: PlannedSession; why: string }>();
  for (const { item, ...outcome } of outcomes) {
    const why = outcome.ok ? outcome.value : describeError(outcome.error, item.path);
    if (why !== undefined) mismatched.set(item.path, { planned: item, why });
  }
  return { mismatched, failed: splitOutcomes(outcomes).problems };
}

/** Maps the paths of the selected sessions that are kept to the reasons. */
function toKeptReasons(
  decisions: readonly Decision[],
  isSelected: (path: string) => boolean,
): ReadonlyMap<string, readonly string[]> {
  const kept = decisions.filter(
    ({ action, candidate }) => action === 'keep' && isSelected(candidate.path),
  );
  return new Map(kept.map(({ candidate, reasons }) => [candidate.path, reasons]));
}

interface KnownReasons {
  readonly planned: ReadonlyMap<string, PlannedSession>;
  /** The reasons of sessions that were kept before it was known which of the planned ones have changed. */
  readonly held: ReadonlyMap<string, readonly string[]>;
}

function withReasons(decision: Decision, { planned, held }: KnownReasons): Decision {
  const { path } = decision.candidate;
  const reasons = decision.action === 'remove' ? planned.get(path)?.reasons : held.get(path);
  return reasons ? { ...decision, reasons } : decision;
}
