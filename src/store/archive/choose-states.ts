import { describeCandidate, findById } from '../../session/model/ids/match-id.ts';
import type { ArchivedSession } from './index/archive-index.ts';
import { toSessionKey } from './member/manifest.ts';
import { type ArchiveSelection, fitsArchived } from './fits-archived.ts';
import { sortByArrival, toStamped } from './order-states.ts';
import { groupBy } from '../../session/model/tree/group-by.ts';

/** One state of a session file, and the others of its name, the oldest first. */
export interface ArchivedState {
  readonly session: ArchivedSession;
  readonly others: readonly ArchivedSession[];
}

/** Times in milliseconds. */
interface Terms {
  /** The archive, to which members say when they were written. */
  readonly directory: string;
  /** States that were archived later do not count. */
  readonly asOf?: number | undefined;
  readonly now: number;
  /** Only sessions whose chosen state fits are chosen. */
  readonly selection: ArchiveSelection;
}

/**
 * Chooses the state of a session file that was archived last, or last at or before a moment.
 * @throws UsageError for an id that no session has, or prefixes that several have.
 */
export function chooseStates(
  sessions: readonly ArchivedSession[],
  ids: readonly string[],
  { directory, asOf = Number.POSITIVE_INFINITY, now, selection }: Terms,
): readonly ArchivedState[] {
  const byKey = groupBy(sessions, ({ facts }) => toSessionKey(facts));
  const terms = { directory, asOf, now };
  const last = [...byKey.values()].flatMap((states) => chooseState(states, terms) ?? []);
  const chosen = last.filter(({ session }) => fitsArchived(session.facts, selection));
  if (ids.includes('all')) return chosen;
  const found = ids.flatMap((id) =>
    findById(id, chosen, {
      getId: ({ session }) => session.facts.id,
      asked: `--restore ${id}`,
      unknown: last.some(({ session }) => session.facts.id.startsWith(id))
        ? 'the sessions with this id do not fit the selectors; --list shows all'
        : describeUnknown(id, sessions),
      describe: ({ session }) => describeCandidate(session.facts),
    }),
  );
  return [...new Set(found)];
}

/** Undefined where all states came later than that. */
function chooseState(
  states: readonly ArchivedSession[],
  { directory, asOf, now }: Omit<Terms, 'selection'> & { readonly asOf: number },
): ArchivedState | undefined {
  const sort = (some: readonly ArchivedSession[]): readonly ArchivedSession[] => {
    if (some.length < 2) return some;
    const stamped = some.map((state) => toStamped(directory, state));
    return sortByArrival(stamped, now).map(({ state }) => state);
  };
  const [session] = sort(states.flatMap((state) => toStateAsOf(state, asOf) ?? []));
  const others = sort(states.filter(({ member }) => member !== session?.member)).toReversed();
  return session && { session, others };
}

/** A state as an archive had it then, in which it may have come again since; undefined if it came later. */
export function toStateAsOf(state: ArchivedSession, asOf: number): ArchivedSession | undefined {
  if (state.archivedAt <= asOf) return state;
  const moments = state.moments.filter((moment) => moment <= asOf);
  const archivedAt = moments.at(-1);
  return archivedAt === undefined ? undefined : { ...state, moments, archivedAt };
}

function describeUnknown(id: string, sessions: readonly ArchivedSession[]): string {
  const times = sessions.flatMap(({ facts, moments, archivedAt }) => {
    if (!facts.id.startsWith(id)) return [];
    return moments.length > 0 ? moments : [archivedAt];
  });
  if (times.length === 0) return 'no session in the archive has this id; --list shows all';
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
