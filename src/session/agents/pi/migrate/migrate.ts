import type { MigrationDialect } from '../../../dialect/migration.ts';
import { isAnyHeader } from '../format.ts';
import { findNaming, toProjectDirectoryName } from '../places/session-place.ts';
import { LineMigrator } from './line-migrator.ts';
import { PiStartFinder } from '../entry/neighbour-times.ts';
import { PiOldEntryFinder } from './old-entry-finder.ts';
import { planMigration } from './plan-migration.ts';

/** How older sessions of pi become sessions of v3. */
export const migration: MigrationDialect = {
  isHeader: isAnyHeader,
  plan: planMigration,
  createFinder: () => new PiOldEntryFinder(),
  createStartFinder: () => new PiStartFinder(),
  createMigrator: (options) => new LineMigrator(options),
  toProjectDirectoryName,
  findNaming,
};
