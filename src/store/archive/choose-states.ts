import { describeCandidate, findById } from '../../session/model/ids/match-id.ts';
import { type ArchivedSession, createOrder } from './index/archive-index.ts';
import { toSessionKey } from './member/manifest.ts';

/** One state of a session file, and the others of its name, the oldest first. */
export interface ArchivedState {
  readonly session: ArchivedSession;
  readonly others: readonly ArchivedSession[];
}

/** Milliseconds. */
interface Moments {
  /** States that were archived later do not count. */
  readonly asOf?: number | undefined;
  readonly now: number;
}

/**
 * Chooses the state of a session file that was archived last, or last at or before a moment.
 * @throws UsageError for an id that no session has, or prefixes that several have.
 */
export function chooseStates(
  sessions: readonly ArchivedSession[],
  ids: readonly string[],
  { asOf = Number.POSITIVE_INFINITY, now }: Moments,
): readonly ArchivedState[] {
  const byKey = new Map<string, ArchivedSession[]>();
  for (const session of sessions) {
    const key = toSessionKey(session.facts);
    const states = byKey.get(key);
    if (states) states.push(session);
    else byKey.set(key, [session]);
  }
  const chosen = [...byKey.values()].flatMap((states) => chooseState(states, { asOf, now }) ?? []);
  if (ids.includes('all')) return chosen;
  const found = ids.flatMap((id) =>
    findById(id, chosen, {
      getId: ({ session }) => session.facts.id,
      asked: `--restore ${id}`,
      unknown: describeUnknown(id, sessions),
      describe: ({ session }) => describeCandidate(session.facts),
    }),
  );
  return [...new Set(found)];
}

/** Undefined where all states came later than that. */
function chooseState(
  states: readonly ArchivedSession[],
  { asOf, now }: Moments & { readonly asOf: number },
): ArchivedState | undefined {
  const sorted = states.toSorted(createOrder(states, now));
  const session = sorted.findLast(({ archivedAt }) => archivedAt <= asOf);
  const others = sorted.filter((one) => one !== session);
  return session && { session, others };
}

function describeUnknown(id: string, sessions: readonly ArchivedSession[]): string {
  const times = sessions.flatMap(({ facts, archivedAt }) =>
    facts.id.startsWith(id) ? [archivedAt] : [],
  );
  if (times.length === 0) return 'no session in the archive has this id';
  return `was archived after --as-of only: ${listMoments(times)}`;
}

const MAX_MOMENTS = 5;

/** The latest ones, as `--as-of` takes them. */
export function listMoments(times: readonly number[]): string {
  const moments = times
    .toSorted((a, b) => b - a)
    .slice(0, MAX_MOMENTS)
    .map((time) => new Date(time).toISOString());
  const more = times.length - moments.length;
  return [...moments, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
