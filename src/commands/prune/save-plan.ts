import { runBatch } from '../../batch/run-batch.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { type Decision, isRemoval } from '../../session/prune/policy.ts';
import { isInside } from '../../session/model/paths.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import { isGone, statFile } from '../../store/files/stat-file.ts';
import { listAgentStores } from '../../store/find/roots.ts';
import { type AppliedPlan, getFiles } from '../../store/prune/apply-plan.ts';
import type { ParsedRules } from '../../store/prune/parse-rules.ts';
import {
  type Plan,
  type PlannedRules,
  type PlannedSession,
  readStamp,
  writePlan,
} from '../../store/prune/plan-file.ts';
import type { Context } from '../command.ts';
import { splitOutcomes } from '../shared/run-sessions.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import type { PrunePlan } from './plan.ts';
import type { DecidedByRules } from './request.ts';

/** Writes the planned changes to a file, if asked; the sessions are read once more for their stamps. */
export async function savePlan(
  { rules, planOut }: DecidedByRules,
  { files, stores: searched }: PrunePlan,
  { decisions, flattened }: AppliedPlan,
  { select, context }: { readonly select: SelectionRequest; readonly context: Context },
): Promise<readonly FileProblem[]> {
  if (!planOut) return [];
  const { jobs } = select;
  const isFork = (candidate: Candidate): boolean =>
    flattened.has(candidate) && files.has(candidate.path);
  const targets = decisions.filter((one) => isRemoval(one) || isFork(one.candidate));
  const toPlanned = async ({ candidate, reasons }: Decision): Promise<PlannedSession> => {
    const { path: session, family, title, cwd, bytes, modified } = candidate;
    const lastActive = new Date(modified).toISOString();
    const stamp = await readStamp(getFiles(files, session), candidate);
    const shared = family === session ? {} : { family };
    const action = isFork(candidate) ? { action: 'flatten' as const } : {};
    return { path: session, ...action, ...shared, title, cwd, lastActive, bytes, reasons, stamp };
  };
  const outcomes = await runBatch(targets, toPlanned, { jobs, signal: context.signal });
  const { values: sessions, problems } = splitOutcomes(outcomes);
  const stores = await listStores(searched, decisions, select, context);
  const plan: Plan = {
    terms: {
      createdAt: new Date(context.now()).toISOString(),
      stores,
      emptyStores: listEmpty(stores, files, decisions),
      ownStores: select.stores.length === 0,
      rules: toPlannedRules(rules),
    },
    sessions,
  };
  await writePlan(planOut.path, plan);
  return problems;
}

/** The rules by which a plan is applied: what it selects and keeps is in it. */
function toPlannedRules({ policy, selection, grace }: ParsedRules): PlannedRules {
  return {
    grace,
    missingCwd: selection.missingCwd,
    // `--flatten` lifts the protection of parents alone, and the plan has a member for that.
    includeParents: policy.includeReferred === true,
    flatten: policy.includeBases === true,
    includeDamaged: policy.includeDamaged,
    includePinned: policy.includePinned,
    allowEmpty: policy.allowEmpty,
  };
}

/**
 * Lists the directories to read again: sessions may have come anywhere that need one of the plan. A store of an
 * agent that is not there yet may have come until then.
 */
async function listStores(
  searched: readonly string[],
  decisions: readonly Decision[],
  select: SelectionRequest,
  context: Context,
): Promise<readonly string[]> {
  const around = searched.filter((path) => statFile(path)?.isDirectory());
  const own = select.stores.length > 0 ? [] : await listAgentStores(context);
  // The folder of a session goes with it.
  const named = decisions.flatMap(({ candidate, owner = candidate }) => owner.stores);
  return [...new Set([...around, ...own.filter(isGone), ...named])];
}

/** Lists the stores that hold no session. */
function listEmpty(
  stores: readonly string[],
  files: PrunePlan['files'],
  decisions: readonly Decision[],
): readonly string[] {
  const held = [...files.keys(), ...decisions.map(({ candidate }) => candidate.path)];
  return stores.filter((store) => !held.some((one) => isInside(one, store)));
}
