import type { Forest } from '../../../dialect/reduction.ts';
import type { Entry } from '../../../model/entry.ts';
import { listPreservedIds } from './needed.ts';

const REQUESTS: ReadonlySet<string> = new Set([
  'api-request',
  'api-request-shape',
  'api-request-blob',
]);

/** What was sent to the model, written down once more; the client does not read it again. */
export function findCopies({ entries }: Forest): ReadonlySet<Entry> {
  const preserved = listPreservedIds(entries);
  const isCopy = ({ type, customType, id = '' }: Entry): boolean =>
    REQUESTS.has(type) ||
    (type === 'attachment' && customType === 'prompt_snapshot' && !preserved.has(id));
  return new Set(entries.filter(isCopy));
}
