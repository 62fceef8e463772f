import { getDialect } from '../../session/agents/index.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { RowChanges } from '../../session/dialect/migration.ts';
import type { MigrationResult, MoveRows } from '../../session/migrate/types.ts';
import { findDatabases, findRowHome } from './database-files.ts';
import { editRows, type RowEditor } from './edit-rows.ts';
import { type OpenDatabase, requireSqlite } from './sqlite.ts';

/**
 * Makes a function that moves a session together with the rows that name its directory: all of it, or
 * nothing. Rows that count its bytes are removed, since the agent makes them again.
 * @throws FileError where there are databases that this Node cannot write, or whose schema is not known.
 */
export function createRowMover(open?: OpenDatabase): MoveRows {
  return (...asked) => moveRows(open, ...asked);
}

/**
 * Checks that the rows of a session can be moved; call this before any session is moved.
 * @throws UsageError if the session has rows in databases, and this Node cannot write these.
 */
export async function requireRowMover(agent: Agent, path: string): Promise<void> {
  const found = findRowHome(agent, path);
  if (!found || !getDialect(agent).relocation?.listRowChanges) return;
  if ((await findDatabases(found.home, found.rows.databases)).length > 0) requireSqlite();
}

async function moveRows(
  open: OpenDatabase | undefined,
  ...[agent, path, move, work]: Parameters<MoveRows>
): Promise<MigrationResult> {
  const changes = getDialect(agent).relocation?.listRowChanges?.(path);
  const found = findRowHome(agent, path);
  if (!found || !changes) return work();
  const { rows, home } = found;
  if ((await findDatabases(home, rows.databases)).length === 0) return work();
  return editRows(
    home,
    rows.databases,
    async (editor) => {
      const result = await work();
      if (isMoved(result)) change(editor, changes, move);
      return result;
    },
    open,
  );
}

function isMoved({ action }: MigrationResult): boolean {
  return action === 'relocate';
}

function change(
  editor: RowEditor,
  { table, column, ids, stale }: RowChanges,
  move: (directory: string) => string | undefined,
): void {
  for (const tables of editor.read(ids).values()) {
    for (const row of tables.get(table) ?? []) {
      const old = row.get(column);
      const moved = typeof old === 'string' ? move(old) : undefined;
      if (moved !== undefined) editor.set(table, ids, { [column]: moved });
    }
  }
  editor.remove(stale.ids, stale.databases);
}
