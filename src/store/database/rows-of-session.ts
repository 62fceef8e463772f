import type { StaleRows, PositionRows } from '../../session/dialect/reduction.ts';
import type { Agent } from '../../session/model/agent.ts';
import { findRowHome } from './database-files.ts';
import { editRows, type RowEditor } from './edit-rows.ts';
import { findWritable } from './find-writable.ts';
import { hasSqlite } from './sqlite.ts';
import type { Value, WholeRow } from '../../session/dialect/surroundings/rows.ts';

/**
 * Removes rows that count the bytes of a session file, which its agent makes again.
 * @throws FileError where they cannot be removed, or this Node has nothing that could.
 */
export function removeStaleRows(
  agent: Agent,
  path: string,
  { ids, databases }: StaleRows,
): Promise<void> {
  return editRowsOf(agent, path, databases, (editor) => editor.remove(ids, databases));
}

/**
 * Finds out whether this Node could change rows of a session file in databases of these names; changes nothing.
 * @throws FileError where it could not.
 */
export async function checkRowsOf(
  agent: Agent,
  path: string,
  databases: readonly string[],
): Promise<void> {
  const place = findPlace(agent, path, databases);
  if (place && !hasSqlite()) await findWritable(place.directory, place.kinds);
}

/**
 * Edits rows in databases of a session file, by their names, in one transaction of each.
 * @throws FileError where they cannot be written, or this Node has nothing that could.
 */
async function editRowsOf(
  agent: Agent,
  path: string,
  databases: readonly string[],
  edit: (editor: RowEditor) => void,
): Promise<void> {
  const place = findPlace(agent, path, databases);
  if (!place) return;
  await editRows(place.directory, place.kinds, (editor) => {
    edit(editor);
    return Promise.resolve();
  });
}

/** The directory of the databases of these names, and what is in them; undefined where a session file has none. */
function findPlace(agent: Agent, path: string, databases: readonly string[]) {
  const found = findRowHome(agent, path);
  if (!found) return undefined;
  const kinds = found.rows.databases.filter(({ name }) => databases.includes(name));
  return { directory: found.home, kinds };
}

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
