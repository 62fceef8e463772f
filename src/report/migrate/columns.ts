import { createActionColumns } from '../actions/table.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';
import type { MigrationResult } from '../../session/migrate/types.ts';

/** Adds the new path to the columns of every change, if any session gets one. */
export function createMigrationColumns(
  results: readonly MigrationResult[],
  home: string,
): readonly Column<MigrationResult>[] {
  const columns: readonly Column<MigrationResult>[] = createActionColumns(home);
  if (results.every(({ newPath }) => newPath === null)) return columns;
  const cell = ({ newPath }: MigrationResult): string =>
    newPath === null ? '' : formatPath(newPath, home);
  return [...columns, { title: 'NEW PATH', shrinks: 'start', cell }];
}
