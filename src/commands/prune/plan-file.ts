import { resolve } from 'node:path';
import { runBatch } from '../../batch/run-batch.ts';
import { planPrune } from '../../session/prune/plan-prune.ts';
import type { Decision } from '../../session/prune/policy.ts';
import {
  type Plan,
  type PlannedSession,
  readPlan,
  writePlan,
} from '../../store/remove/plan-file.ts';
import { readStamp } from '../../store/remove/session-stamp.ts';
import {
  type FoundCandidate,
  planOnFacts,
  type ReadSessions,
  toBare,
  toFiles,
} from '../../store/prune/candidates.ts';
import { type PruneRules, toPolicy, toPruneSelection } from '../../store/prune/policy.ts';
import { parseShard } from '../../store/select/selection-rules.ts';
import type { Context } from '../command.ts';
import { type FileProblem, toProblem, toRuleContext } from '../shared/select.ts';
import type { PruneArgs } from './options.ts';
import { getFiles, type PrunePlan } from './plan.ts';
import { createReadWhole, readSessions } from './read-sessions.ts';

/**
 * Plans by a reviewed plan: what it names and is as it was then may go. All that protects a session
 * is asked again: the lines taken out of the plan may have been forks of what is left in it.
 */
export async function planByFile(
  path: string,
  args: PruneArgs,
  context: Context,
): Promise<PrunePlan> {
  const { terms, sessions } = await readPlan(resolve(context.cwd, path));
  const rules: PruneRules = {
    grace: terms.grace,
    groupBy: args['group-by'],
    includeParents: terms.includeParents,
    includeDamaged: terms.includeDamaged,
    allowEmpty: terms.allowEmpty,
    shard: args.shard,
  };
  const ruleContext = toRuleContext(context);
  const stored = await readSessions({ ...args, store: [...terms.stores] }, context);
  const planned = new Map(sessions.map((session) => [session.path, session]));
  const { strayed, failed } = await findStrayed(planned, stored, args, context);
  const decide = (found: readonly FoundCandidate[]): readonly Decision[] => {
    const candidates = toBare(found).map((one) => {
      return { ...one, selected: planned.has(one.path) && !strayed.has(one.path) };
    });
    return planPrune(candidates, toPolicy(rules, new Set(), ruleContext), ruleContext.now);
  };
  const { found, decisions, problems } = await planOnFacts(stored, {
    selection: toPruneSelection(rules, ruleContext),
    shard: parseShard(rules.shard),
    decide,
    readWhole: createReadWhole(args, context),
  });
  return {
    decisions: decisions
      .filter(({ candidate }) => !strayed.has(candidate.path))
      .map((decision) => withPlannedReasons(decision, planned)),
    files: toFiles(found),
    strayed,
    problems: [...problems, ...failed],
  };
}

/** Writes what would go to a file; the sessions are read once more for their stamps. */
export async function savePlan(
  path: string,
  { decisions, files }: PrunePlan,
  args: PruneArgs,
  context: Context,
): Promise<readonly FileProblem[]> {
  const leaving = decisions.filter(({ action, owner }) => action === 'remove' && !owner);
  const { jobs, grace } = args;
  const toPlanned = async ({ candidate, reasons }: Decision): Promise<PlannedSession> => {
    const { path: session, title, cwd, bytes, modified } = candidate;
    const lastActive = new Date(modified).toISOString();
    const stamp = await readStamp(getFiles(files, session));
    return { path: session, title, cwd, lastActive, bytes, reasons, stamp };
  };
  const outcomes = await runBatch(leaving, toPlanned, { jobs, signal: context.signal });
  const plan: Plan = {
    terms: {
      createdAt: new Date(context.now()).toISOString(),
      stores: [...new Set(decisions.map(({ candidate }) => candidate.store))],
      grace,
      includeParents: args['include-parents'],
      includeDamaged: args['include-damaged'],
      allowEmpty: args['allow-empty'],
    },
    sessions: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])),
  };
  await writePlan(resolve(context.cwd, path), plan);
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [toProblem(outcome.error)]));
}

async function findStrayed(
  planned: ReadonlyMap<string, PlannedSession>,
  { read }: ReadSessions,
  { jobs }: PruneArgs,
  { signal }: Context,
): Promise<Pick<PrunePlan, 'strayed'> & { readonly failed: readonly FileProblem[] }> {
  const files = new Map(read.map(({ file, files: some }) => [file.path, some]));
  const check = async (session: PlannedSession): Promise<string | undefined> => {
    const known = files.get(session.path);
    if (!known) return 'not there any more';
    return (await readStamp(known)) === session.stamp ? undefined : 'changed since it was planned';
  };
  const outcomes = await runBatch([...planned.values()], check, { jobs, signal });
  const strayed = new Map<string, { planned: PlannedSession; why: string }>();
  for (const { item, ...outcome } of outcomes) {
    const why = outcome.ok ? outcome.value : outcome.error.message;
    if (why !== undefined) strayed.set(item.path, { planned: item, why });
  }
  const failed = outcomes.flatMap((outcome) => (outcome.ok ? [] : [toProblem(outcome.error)]));
  return { strayed, failed };
}

function withPlannedReasons(
  decision: Decision,
  planned: ReadonlyMap<string, PlannedSession>,
): Decision {
  const reasons = planned.get(decision.candidate.path)?.reasons;
  return decision.action === 'remove' && reasons ? { ...decision, reasons } : decision;
}
