import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import { listPreservedIds } from './needed.ts';

const REQUESTS: ReadonlySet<string> = new Set([
  'api-request',
  'api-request-shape',
  'api-request-blob',
]);

/** Finds copies of requests to the model, which the client does not read again. */
export function findCopies({ entries }: Forest): ReadonlySet<Entry> {
  const preserved = listPreservedIds(entries);
  const isCopy = ({ type, customType, id = '' }: Entry): boolean =>
    REQUESTS.has(type) ||
    (type === 'attachment' && customType === 'prompt_snapshot' && !preserved.has(id));
  return new Set(entries.filter(isCopy));
}
