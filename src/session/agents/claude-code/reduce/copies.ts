import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import { REQUEST_TYPES } from '../format.ts';
import { listPreservedIds } from './needed.ts';

const REQUESTS: ReadonlySet<string> = new Set(REQUEST_TYPES);

/** Finds copies of requests to the model. */
export function findCopies({ entries }: Forest): ReadonlySet<Entry> {
  const preserved = listPreservedIds(entries);
  const isCopy = ({ type, customType, id = '' }: Entry): boolean =>
    REQUESTS.has(type) ||
    (type === 'attachment' && customType === 'prompt_snapshot' && !preserved.has(id));
  return new Set(entries.filter(isCopy));
}
