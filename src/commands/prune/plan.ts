import { UsageError } from '../../errors.ts';
import { planPrune } from '../../session/prune/plan-prune.ts';
import type { Decision } from '../../session/prune/policy.ts';
import {
  findKeptPaths,
  type FoundCandidate,
  listTargets,
  planOnFacts,
  toBare,
  toFiles,
} from '../../store/prune/candidates.ts';
import { checkRules, hasRules, toPolicy, toPruneSelection } from '../../store/prune/policy.ts';
import type { PlannedSession } from '../../store/remove/plan-file.ts';
import type { SessionFiles } from '../../store/remove/session-files.ts';
import { parseShard } from '../../store/select/selection-rules.ts';
import type { Context } from '../command.ts';
import { type FileProblem, toRuleContext } from '../shared/select.ts';
import { toOption, toRules } from '../values.ts';
import type { PruneArgs } from './options.ts';
import { createReadWhole, readSessions } from './read-sessions.ts';

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
  const rules = toRules(args);
  const ruleContext = toRuleContext(context);
  checkRules(rules, toOption, args.targets.length > 0);
  if (!hasRules(rules)) throw new UsageError(NOTHING_ASKED);
  // Slips in the options come to light before anything is read.
  toPolicy(rules, new Set(), ruleContext);
  const sessions = await readSessions(args, context);
  const decide = (found: readonly FoundCandidate[]): readonly Decision[] => {
    const kept = findKeptPaths(rules.keepId ?? [], found, toOption('keepId'));
    return planPrune(toBare(found), toPolicy(rules, kept, ruleContext), ruleContext.now);
  };
  const { found, decisions, problems } = await planOnFacts(sessions, {
    selection: toPruneSelection(rules, ruleContext),
    shard: parseShard(rules.shard),
    decide,
    readWhole: createReadWhole(args, context),
  });
  return {
    decisions: listTargets(decisions, found),
    files: toFiles(found),
    strayed: new Map(),
    problems,
  };
}

const NOTHING_ASKED =
  'what may go? Name a selector (--older-than 30d, --empty, …), a keep rule (--keep-last 3, …) ' +
  'or a budget (--max-total-size 5GB). Nothing was read.';

/** The files of a session that goes; the policy lets none go that has none. */
export function getFiles(files: ReadonlyMap<string, SessionFiles>, path: string): SessionFiles {
  const found = files.get(path);
  if (!found) throw new Error(`no files known of ${path}`);
  return found;
}
