import type { FileError } from '../../errors.ts';
import { isReadFailure } from '../../session/jsonl/files/file-error.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { type Decision, isRemoval } from '../../session/prune/policy.ts';
import { toProblem } from '../select/found-file.ts';
import type { ReadSessions } from '../sessions/units/unit.ts';
import type { FoundCandidate } from './candidates.ts';
import type { PruneQuestion } from './question.ts';

/** Decisions, and what is known of the sessions that they are about. */
interface Decided {
  readonly found: readonly FoundCandidate[];
  readonly decisions: readonly Decision[];
  /** The sessions as they were read first. */
  readonly listed: ReadSessions;
  readonly known: ReadSessions;
}

/**
 * Lists the problems that a run reports, and exits with 3 for: those of the targets, and the errors on which a decision
 * depends. `failures`: the errors of searches for what the sessions that would be removed share with others.
 */
export function listProblems(
  { found, decisions, listed, known }: Decided,
  question: Pick<PruneQuestion, 'asked' | 'selection'>,
  failures: readonly FileError[],
): readonly FileProblem[] {
  const decisive = [
    ...failures,
    ...listAround(decisions, listed, known),
    ...listKeeping(found, decisions),
    ...listUnreadOwners(known, decisions),
    ...listUnreadFacts(known, decisions, question),
  ].filter(isReadFailure);
  const byText = new Map(decisive.map((one) => [one.path + one.message, toProblem(one)]));
  return [...known.problems, ...byText.values()];
}

/**
 * Lists the errors for which sessions are kept: those of files beside theirs, which are no problem otherwise. Errors about
 * an agent of whose sessions the selectors mean none keep nothing that would be removed.
 */
function listKeeping(
  found: readonly FoundCandidate[],
  decisions: readonly Decision[],
): readonly FileError[] {
  const failed = found.filter(({ isTarget, failures = [] }) => isTarget && failures.length > 0);
  if (failed.length === 0) return [];
  const meant = findMeantAgents(decisions);
  const kept = new Set(
    decisions.flatMap(({ candidate, action, reasons }) => {
      const { path, agent, obstacle } = candidate;
      const isKeptByIt = action === 'keep' && obstacle !== undefined && reasons.includes(obstacle);
      return isKeptByIt && meant.has(agent) ? path : [];
    }),
  );
  return failed.flatMap(({ candidate, failures = [] }) =>
    kept.has(candidate.path) ? failures : [],
  );
}

/** Lists the errors of files that were not asked for, and to which sessions may belong that the selectors may mean. */
function listUnreadOwners(
  { read }: ReadSessions,
  decisions: readonly Decision[],
): readonly FileError[] {
  const owners = new Set(
    decisions.flatMap(({ candidate, owner }) => (owner && isMeant(candidate) ? owner.path : [])),
  );
  if (owners.size === 0) return [];
  return read.flatMap(({ file, isTarget, error }) =>
    error && !isTarget && owners.has(file.path) ? error : [],
  );
}

/**
 * Lists the errors for files with facts that the rules ask for, about an agent of whose sessions the selectors may mean
 * any: without such a file, it may be that nothing is selected.
 */
function listUnreadFacts(
  { unreadFacts = [] }: ReadSessions,
  decisions: readonly Decision[],
  { asked, selection }: Pick<PruneQuestion, 'asked' | 'selection'>,
): readonly FileError[] {
  const found = unreadFacts.filter(({ fact, agent }) => {
    return asked.has(fact) && (selection.agent ?? agent) === agent;
  });
  if (found.length === 0) return [];
  const meant = findMeantAgents(decisions);
  return found.flatMap(({ fact, agent, error }) =>
    fact === 'expiry' || fact === 'cwd' || meant.has(agent) ? error : [],
  );
}

/** Finds the agents of the sessions that the selectors may mean; null for those that cannot be read. */
function findMeantAgents(decisions: readonly Decision[]): ReadonlySet<Candidate['agent']> {
  return new Set(decisions.flatMap(({ candidate: one }) => (isMeant(one) ? one.agent : [])));
}

/** Returns whether the selectors may mean a session; one that cannot be read may be meant by any. */
function isMeant({ agent, selected, unjudged }: Candidate): boolean {
  return agent === null || selected || unjudged !== undefined;
}

/** Lists the errors around sessions that would be removed, for paths of which no problem is reported. */
function listAround(
  decisions: readonly Decision[],
  { survey }: ReadSessions,
  { problems }: ReadSessions,
): readonly FileError[] {
  if (!decisions.some(isRemoval)) return [];
  const reported = new Set(problems.map(({ path }) => path));
  return survey.failures.filter(({ path }) => !reported.has(path));
}
