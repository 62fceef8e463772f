import { resolve } from 'node:path';
import { runBatch } from '../batch/run-batch.ts';
import { UsageError } from '../errors.ts';
import { planPrune } from '../session/policy/plan-prune.ts';
import type { Decision } from '../session/policy/policy.ts';
import { type Plan, type PlannedSession, readPlan, writePlan } from '../store/plan-file.ts';
import type { SessionFiles } from '../store/session-files.ts';
import { readStamp } from '../store/session-stamp.ts';
import type { Context } from './command.ts';
import type { PruneArgs } from './prune-options.ts';
import { checkPolicy, listPolicyOptions, toPolicy } from './prune-policy.ts';
import { findCandidates, findKeptPaths, type FoundCandidate } from './prune-sessions.ts';
import { type FileProblem, toProblem } from './select-sessions.ts';

/** What is to go and what stays, and why; nothing has been touched. */
export interface PrunePlan {
  /** Of all that was asked for, and of what goes with it. */
  readonly decisions: readonly Decision[];
  /** By path; what is needed to remove a session as it was seen. */
  readonly files: ReadonlyMap<string, SessionFiles>;
  /** Sessions of a plan that are not as planned, with what became of them. */
  readonly strayed: ReadonlyMap<string, { readonly planned: PlannedSession; readonly why: string }>;
  readonly problems: readonly FileProblem[];
}

/** Plans by the options. */
export async function planByOptions(args: PruneArgs, context: Context): Promise<PrunePlan> {
  checkPolicy(args);
  // Slips in the options come to light before anything is read.
  toPolicy(args, new Set(), context);
  const { found, problems } = await findCandidates(args, context);
  const policy = toPolicy(args, findKeptPaths(args['keep-id'] ?? [], found), context);
  const candidates = found.map(({ candidate }) => candidate);
  const plan = planPrune(candidates, policy, context.now());
  return {
    decisions: listTargets(plan, found),
    files: toFiles(found),
    strayed: new Map(),
    problems,
  };
}

/**
 * Plans by a reviewed plan: what it names and is as it was then may go. All that protects a session
 * is asked again: the lines taken out of the plan may have been forks of what is left in it.
 */
export async function planByFile(
  path: string,
  args: PruneArgs,
  context: Context,
): Promise<PrunePlan> {
  const others = [...listPolicyOptions(args), ...(args.targets.length > 0 ? ['targets'] : [])];
  if (others.length > 0 || args.store) {
    throw new UsageError(`--plan says what goes: leave out ${[...others, '--store'].join(', ')}`);
  }
  const { terms, sessions } = await readPlan(resolve(context.cwd, path));
  const asPlanned: PruneArgs = {
    ...args,
    store: [...terms.stores],
    grace: terms.grace,
    'include-parents': terms.includeParents,
    'allow-empty': terms.allowEmpty,
  };
  const { found, problems } = await findCandidates(asPlanned, context);
  const planned = new Map(sessions.map((session) => [session.path, session]));
  const { strayed, failed } = await findStrayed(planned, found, args, context);
  const candidates = found.map(({ candidate }) => {
    return { ...candidate, selected: planned.has(candidate.path) && !strayed.has(candidate.path) };
  });
  const decisions = planPrune(candidates, toPolicy(asPlanned, new Set(), context), context.now());
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
      allowEmpty: args['allow-empty'],
    },
    sessions: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : [])),
  };
  await writePlan(resolve(context.cwd, path), plan);
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [toProblem(outcome.error)]));
}

/** The files of a session that goes; the policy lets none go that has none. */
export function getFiles(files: ReadonlyMap<string, SessionFiles>, path: string): SessionFiles {
  const found = files.get(path);
  if (!found) throw new Error(`no files known of ${path}`);
  return found;
}

async function findStrayed(
  planned: ReadonlyMap<string, PlannedSession>,
  found: readonly FoundCandidate[],
  { jobs }: PruneArgs,
  { signal }: Context,
): Promise<Pick<PrunePlan, 'strayed'> & { readonly failed: readonly FileProblem[] }> {
  const files = toFiles(found);
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

function listTargets(
  decisions: readonly Decision[],
  found: readonly FoundCandidate[],
): readonly Decision[] {
  const targets = new Set(found.flatMap((one) => (one.isTarget ? [one.candidate] : [])));
  return decisions.filter(({ candidate, action }) => action === 'remove' || targets.has(candidate));
}

function toFiles(found: readonly FoundCandidate[]): ReadonlyMap<string, SessionFiles> {
  return new Map(found.flatMap(({ candidate, files }) => (files ? [[candidate.path, files]] : [])));
}
