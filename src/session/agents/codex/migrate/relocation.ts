import type { RelocationDialect } from '../../../dialect/migration.ts';
import { createObjectMigrator } from '../../../migrate/object-migrator.ts';
import { movePath } from '../../../model/paths.ts';
import { BARE_VERSION, getFileId, parseName } from '../format.ts';
import { HISTORY, THREADS } from '../places/database/databases.ts';
import { hasDatabasesElsewhere } from '../places/database/projection.ts';
import { describeDependent } from '../rules/repairing.ts';
import { moveCwd } from './move-cwd.ts';

/** The capability to move threads with their project: in the lines that Codex uses, and in their rows. */
export const relocation: RelocationDialect = {
  async findObstacle(session, files) {
    const { path, formatVersion } = session;
    if (formatVersion === BARE_VERSION)
      return 'is from before 0.40; migrate it without --cwd first';
    const dependent = await describeDependent(session, files);
    if (dependent !== undefined) return `${dependent}; make a fork with coppice fork --cwd`;
    if (!(await hasDatabasesElsewhere(path, files))) return undefined;
    return 'the databases of Codex are not in its home (sqlite_home), and coppice changes none there';
  },
  listRowChanges(path) {
    const name = parseName(path);
    const stale = { databases: [HISTORY.name], ids: name ? [getFileId(name)] : [] };
    return { table: THREADS, column: 'cwd', ids: name ? [name.threadId] : [], stale };
  },
  createMigrator: (moves) =>
    createObjectMigrator(({ bytes }, value) => {
      const moved = moveCwd(bytes, value, (directory) => movePath(directory, moves));
      return moved === bytes ? undefined : moved;
    }, []),
};
