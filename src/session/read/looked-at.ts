import type { ReadTables } from '../dialect/records.ts';
import type { LookedAt } from '../dialect/rule.ts';
import { otherFiles } from '../jsonl/read/other-files.ts';

const readNoTables: ReadTables = () => Promise.resolve(new Map());

/** What may be looked at beside a session. `readTables`: none are read unless given. */
export function toLookedAt({
  readTables = readNoTables,
}: {
  readonly readTables?: ReadTables | undefined;
}): LookedAt {
  return { ...otherFiles, readTables };
}
