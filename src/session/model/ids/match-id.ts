import { UsageError } from '../../../errors.ts';

/** A shorter prefix is more likely a slip than an id. */
export const MIN_PREFIX = 4;
const MAX_CANDIDATES = 5;

/** The words about the items, for messages. */
export interface IdNames<T> {
  readonly getId: (item: T) => string;
  /** The beginning of a message: the id, or the option with it. */
  readonly asked: string;
  /** The message when no item has the id. */
  readonly unknown: string;
  /** Another remedy where several match, beside a longer prefix. */
  readonly narrower?: string;
  /** Describes an item for a list of those that match. */
  readonly describe: (item: T) => string;
}

/** A session as one of several candidates: people distinguish them by agent and place. */
export function describeCandidate({
  agent,
  id,
  path,
}: {
  readonly agent: string | null;
  readonly id: string;
  readonly path: string;
}): string {
  return `${agent ?? '?'} ${id}: ${path}`;
}

/**
 * The items that a person means by an id: those that have it, or else the one whose id begins with it.
 * @throws UsageError for an unknown id, an ambiguous prefix, and one of fewer than 4 characters.
 */
export function findById<T>(id: string, items: readonly T[], names: IdNames<T>): readonly T[] {
  const { getId, asked } = names;
  const exact = items.filter((item) => getId(item) === id);
  if (exact.length > 0) return exact;
  const matches = items.filter((item) => getId(item).startsWith(id));
  if (matches.length === 0) throw new UsageError(`${asked}: ${names.unknown}`);
  if (id.length < MIN_PREFIX) {
    throw new UsageError(`${asked}: a prefix of an id needs at least ${MIN_PREFIX} characters`);
  }
  return requireOne(matches, names);
}

/** @throws UsageError that lists the items where there are several. */
export function requireOne<T>(
  matches: readonly T[],
  { asked, describe, narrower = '' }: Pick<IdNames<T>, 'asked' | 'describe' | 'narrower'>,
): readonly T[] {
  if (matches.length <= 1) return matches;
  const details = listCandidates(matches, describe);
  const message = `${asked}: matches ${matches.length} sessions; type more of the id${narrower}:`;
  throw new UsageError(message, { details });
}

/** One a line; of many, the first ones and how many more there are. */
export function listCandidates<T>(
  matches: readonly T[],
  describe: (item: T) => string,
): readonly string[] {
  const details = matches.slice(0, MAX_CANDIDATES).map(describe);
  const more = matches.length - details.length;
  return more > 0 ? [...details, `… and ${more} more`] : details;
}
