import type { DatabaseKind } from '../../../../dialect/surroundings/records.ts';
import type { LookedAt } from '../../../../dialect/rule.ts';
import { findHome } from '../home.ts';
import { HISTORY_NAME } from './projection.ts';
import { toFileId } from '../../format.ts';

const TABLE = 'thread_turns';
const TURNS: DatabaseKind = {
  name: HISTORY_NAME,
  version: 1,
  tables: { [TABLE]: ['thread_id', 'rollout_byte_offset'] },
};

/** Returns how many turns of a file Codex has in its database, and of how many it does not know the bytes. */
export async function readTurnCount(
  path: string,
  files: LookedAt,
): Promise<{ readonly turns: number; readonly unplaced: number }> {
  const home = findHome(path);
  const tables = home === undefined ? undefined : await files.readTables(home, [TURNS]);
  const rows = tables?.get(TABLE)?.filter((row) => row['thread_id'] === toFileId(path)) ?? [];
  const unplaced = rows.filter((row) => row['rollout_byte_offset'] === null);
  return { turns: rows.length, unplaced: unplaced.length };
}
