import { planPrune } from '../../session/prune/plan-prune.ts';
import type { Decision } from '../../session/prune/policy.ts';
import type { PlannedSession } from '../../store/remove/plan-file.ts';
import type { SessionFiles } from '../../store/remove/session-files.ts';
import type { Context } from '../command.ts';
import type { PruneArgs } from './options.ts';
import { checkPolicy, toPolicy } from './policy.ts';
import {
  findKeptPaths,
  type FoundCandidate,
  type ReadSessions,
  readSessions,
  readWhole,
  toBare,
  toCandidates,
} from './candidates.ts';
import type { FileProblem } from '../shared/select.ts';

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
  const sessions = await readSessions(args, context);
  const keptIds = args['keep-id'] ?? [];
  const decide = (found: readonly FoundCandidate[]): readonly Decision[] => {
    const policy = toPolicy(args, findKeptPaths(keptIds, found), context);
    return planPrune(toBare(found), policy, context.now());
  };
  const { found, decisions, problems } = await planOnFacts(sessions, decide, args, context);
  return {
    decisions: listTargets(decisions, found),
    files: toFiles(found),
    strayed: new Map(),
    problems,
  };
}

/** Decisions on facts that were read, and what could not be read on the way. */
interface FactualPlan {
  readonly found: readonly FoundCandidate[];
  readonly decisions: readonly Decision[];
  readonly problems: readonly FileProblem[];
}

/**
 * Plans, reads from end to end what would be removed, and plans again if that brought something to
 * light, until nothing is to be removed that was not read so.
 */
export async function planOnFacts(
  sessions: ReadSessions,
  decide: (found: readonly FoundCandidate[]) => readonly Decision[],
  args: PruneArgs,
  context: Context,
): Promise<FactualPlan> {
  const read = new Set<string>();
  let known = sessions;
  for (;;) {
    const found = await toCandidates(known, args, context);
    const decisions = decide(found);
    const unread = new Set<string>();
    for (const { candidate, action } of decisions) {
      if (action === 'remove' && !read.has(candidate.path)) unread.add(candidate.path);
    }
    if (unread.size === 0) return { found, decisions, problems: known.problems };
    known = await readWhole(known, unread, args, context);
    for (const path of unread) read.add(path);
  }
}

/** The files of a session that goes; the policy lets none go that has none. */
export function getFiles(files: ReadonlyMap<string, SessionFiles>, path: string): SessionFiles {
  const found = files.get(path);
  if (!found) throw new Error(`no files known of ${path}`);
  return found;
}

function listTargets(
  decisions: readonly Decision[],
  found: readonly FoundCandidate[],
): readonly Decision[] {
  const targets = new Set(found.flatMap((one) => (one.isTarget ? [one.candidate] : [])));
  return decisions.filter(({ candidate, action }) => action === 'remove' || targets.has(candidate));
}

/** By path. */
export function toFiles(found: readonly FoundCandidate[]): ReadonlyMap<string, SessionFiles> {
  return new Map(found.flatMap(({ candidate, files }) => (files ? [[candidate.path, files]] : [])));
}
