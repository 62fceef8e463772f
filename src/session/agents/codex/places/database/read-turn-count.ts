import type { DatabaseKind } from '../../../../dialect/surroundings/records.ts';
import type { LookedAt } from '../../../../dialect/rule.ts';
import { findHome } from '../home.ts';
import { HISTORY, TURNS } from './databases.ts';
import { toFileId } from '../../format.ts';

const PLACED: DatabaseKind = {
  ...HISTORY,
  tables: { [TURNS]: ['thread_id', 'rollout_byte_offset'] },
};

/** Returns how many turns of a file Codex has in its database, and of how many it does not know the bytes. */
export async function readTurnCount(
  path: string,
  files: LookedAt,
): Promise<{ readonly turns: number; readonly unplaced: number }> {
  const home = findHome(path);
  const tables = home === undefined ? undefined : await files.readTables(home, [PLACED]);
  const rows = tables?.get(TURNS)?.filter((row) => row['thread_id'] === toFileId(path)) ?? [];
  const unplaced = rows.filter((row) => row['rollout_byte_offset'] === null);
  return { turns: rows.length, unplaced: unplaced.length };
}
