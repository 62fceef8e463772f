import { CoppiceError } from '../../../../errors.ts';

const SESSION_ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/;
const MAX_TRIES = 100;

/**
 * Ids that pi accepts, as `assertValidSessionId` of pi 0.87.1: they become part of a file's name.
 * @throws CoppiceError with pi's own words.
 */
export function assertValidSessionId(id: string): void {
  if (SESSION_ID.test(id)) return;
  throw new CoppiceError(
    "Session id must be non-empty, contain only alphanumeric characters, '-', '_', and '.', and start and end with an alphanumeric character",
  );
}

/**
 * A new entry id as pi makes them: 8 hex digits that are not taken, a whole UUID after 100
 * collisions. `createId` makes UUIDs of version 7, whose last digits are random.
 */
export function createEntryId(createId: () => string, isTaken: (id: string) => boolean): string {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const id = createId().slice(-8);
    if (!isTaken(id)) return id;
  }
  return createId();
}
