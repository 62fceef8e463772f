import type { Variables } from '../../dialect/surroundings/environment.ts';
import type { ReadTables } from '../../dialect/surroundings/records.ts';
import type { LookedAt } from '../../dialect/rule.ts';
import type { RunMemory } from './run-memory.ts';
import { otherFiles } from '../../jsonl/read/other-files.ts';

const readNoTables: ReadTables = () => Promise.resolve(new Map());

/**
 * Completes the files and databases that may be read beside a session. Without `readTables`, no database is
 * read.
 */
export function toLookedAt({
  readTables = readNoTables,
  env = {},
  memory,
}: {
  readonly readTables?: ReadTables | undefined;
  readonly env?: Variables | undefined;
  readonly memory?: RunMemory | undefined;
}): LookedAt {
  const recall: LookedAt['recall'] = (what, path, make) =>
    memory ? memory.recall(what, path, make) : make();
  return { ...otherFiles, readTables, env, recall };
}
