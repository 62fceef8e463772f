import type { Entry } from '../../src/session/model/entry.ts';

/** Index entries from the facts that a test is about; lines are numbered as they come. */
export function makeEntries(...facts: readonly Partial<Entry>[]): Entry[] {
  return facts.map((fact, index) => ({
    id: undefined,
    parentId: null,
    type: 'message',
    time: index,
    line: index + 2,
    offset: 0,
    length: 0,
    ...fact,
  }));
}
