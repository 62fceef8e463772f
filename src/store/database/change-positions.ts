import type { Agent } from '../../session/model/agent.ts';
import type { PositionRows } from '../../session/dialect/reduction.ts';
import type { Value, WholeRow } from '../../session/dialect/surroundings/rows.ts';
import { editRowsOf } from './remove-stale-rows.ts';

/**
 * Writes into the rows of a session file that say at which bytes something is.
 * @throws FileError where they cannot be written, or this Node has nothing that could.
 */
export function changePositions(
  agent: Agent,
  path: string,
  { ids, database }: Pick<PositionRows, 'ids' | 'database'>,
  change: (table: string, row: WholeRow) => Readonly<Record<string, Value>> | undefined,
): Promise<void> {
  return editRowsOf(agent, path, [database], (editor) => editor.change(database, ids, change));
}
