import { planPrune } from '../../session/prune/plan-prune.ts';
import type { KeepId, ParsedRules } from './parse-rules.ts';
import type { Candidate } from '../../session/prune/candidate.ts';
import { describeCandidate, findById } from '../../session/model/ids/match-id.ts';
import type { NotedFact } from '../../session/dialect/surroundings/notes.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { Decision, Policy } from '../../session/prune/policy.ts';
import type { ReadAll } from '../sessions/read-prunable.ts';
import type { Shard } from '../select/shard.ts';
import type { PruneSelection } from './judge.ts';
import type { ReadSessions } from '../sessions/units/unit.ts';
import { type FoundCandidate, listCandidates } from './candidates.ts';
import { NO_PATHS } from '../../session/model/paths.ts';

/** The question of which sessions to remove, with the rules that decide it. */
export interface PruneQuestion {
  readonly selection: PruneSelection;
  /** The facts for which the rules ask, of those that files beside sessions hold. */
  readonly asked: ReadonlySet<NotedFact>;
  /** When it is asked, in milliseconds. */
  readonly now: number;
  /**
   * `kept`: the paths of sessions that are kept besides.
   * @throws UsageError, as for an id of a session to keep that no session has.
   */
  readonly decide: (
    found: readonly FoundCandidate[],
    kept?: ReadonlySet<string>,
  ) => readonly Decision[];
  /** The facts by which open sessions of agents, and databases elsewhere, are found. */
  readonly world: AgentWorld;
  /** Reads sessions from end to end. */
  readonly readWhole: ReadAll;
  /** Reads sessions that have come, or were moved, since the others were listed; absent where nothing is removed. */
  readonly readLate?: ((known: ReadSessions) => Promise<ReadSessions | undefined>) | undefined;
  /** The part that this run acts on; everything unless given. */
  readonly shard?: Shard | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Turns rules into a question, asked at `now` (milliseconds); the caller adds the function that reads sessions whole. */
export function toQuestion(
  rules: ParsedRules,
  now: number,
  world: AgentWorld,
): Pick<PruneQuestion, 'selection' | 'asked' | 'decide' | 'world' | 'now'> {
  const decide: PruneQuestion['decide'] = (found, kept = NO_PATHS) => {
    const candidates = listCandidates(found);
    const { keep, ...policy } = withKeptIds(rules, candidates);
    const paths = new Set([...keep.paths, ...kept]);
    return planPrune(candidates, { ...policy, keep: { ...keep, paths } }, now);
  };
  return { selection: rules.selection, asked: findAsked(rules), decide, world, now };
}

function findAsked({ selection, policy: { keep } }: ParsedRules): ReadonlySet<NotedFact> {
  const { named, model, source, withoutWork, maxMessages, state, project } = selection;
  const names = [named, model, source, withoutWork, maxMessages];
  const asked: readonly (readonly [NotedFact, boolean])[] = [
    ['name', keep.named || keep.labeled || names.some((one) => one !== undefined)],
    ['state', state !== undefined],
    ['expiry', selection.expiringBefore !== undefined],
    ['cwd', selection.missingCwd || project !== undefined],
  ];
  return new Set(asked.flatMap(([fact, isAsked]) => (isAsked ? fact : [])));
}

/**
 * Completes a policy by the sessions to keep by id; of one id, all that have it.
 * @throws UsageError for an id that no session has, or a prefix that several have: a session that
 * was meant would be removed.
 */
export function withKeptIds(
  { policy, keepIds }: Pick<ParsedRules, 'policy' | 'keepIds'>,
  candidates: readonly Candidate[],
): Policy {
  const kept = keepIds.flatMap(({ id, asked }: KeepId) =>
    findById(id, candidates, {
      getId: (one) => one.id,
      asked,
      unknown: 'no session has this id',
      describe: describeCandidate,
    }),
  );
  return { ...policy, keep: { ...policy.keep, paths: new Set(kept.map(({ path }) => path)) } };
}
