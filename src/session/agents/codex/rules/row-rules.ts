import type { DatabaseKind } from '../../../dialect/surroundings/records.ts';
import type { Rule } from '../../../dialect/rule.ts';
import { START_OF_FILE } from '../../../rules/place.ts';
import { quote } from '../../../rules/wording.ts';
import { openLine, parseName } from '../format.ts';
import { bases, findHome } from '../index/bases.ts';
import { readRelations } from '../index/relations.ts';
import { isArchived } from '../places/archived.ts';
import { listDatabaseHomes } from '../places/database/projection.ts';

const TABLE = 'threads';

/** Where Codex writes down which threads are archived. */
const STATE: DatabaseKind = { name: 'state', version: 5, tables: { [TABLE]: ['id', 'archived'] } };

/** A rollout that was moved by hand between archived sessions and the others. */
export const rowArchived: Rule = {
  id: 'rollout-row-archived',
  level: 'warning',
  fixable: false,
  summary: 'a rollout of Codex that is archived by its place, or by the database, and not by both',
  help:
    'Codex archives a thread by moving its files and by its row in `state_5.sqlite`. Where only one of both ' +
    'was done, it lists the thread by its place, and neither resumes nor unarchives it. Move the file back, ' +
    'and use `codex archive` or `codex unarchive`.',
  check: (report, { path }) => ({
    async look(files) {
      const [home, name] = [findHome(path), parseName(path)];
      if (home === undefined || !name) return;
      for (const directory of await listDatabaseHomes(home, files)) {
        const rows = (await files.readTables(directory, [STATE])).get(TABLE);
        const row = rows?.find(({ id }) => id === name.threadId);
        if (!row || Boolean(Number(row['archived'])) === isArchived(path)) continue;
        const where = isArchived(path) ? 'lies among the archived' : 'is archived';
        const other = isArchived(path) ? 'the database has it as active' : 'lies among the others';
        report(START_OF_FILE, `${where}, and ${other}: Codex does not resume it`);
        return;
      }
    },
  }),
};

/** A sub-agent of a thread that is gone. */
export const spawnerMissing: Rule = {
  id: 'rollout-spawner-missing',
  level: 'info',
  fixable: false,
  summary: 'a sub-agent of Codex whose thread is not in the store',
  help:
    'The thread that began a sub-agent was deleted or lies elsewhere. Codex shows the sub-agent nowhere any ' +
    'more. Nothing to repair.',
  check(report, { path }) {
    let spawner: string | undefined;
    let isHeaderSeen = false;
    return {
      line(_line, content) {
        if (content.kind !== 'object' || isHeaderSeen) return;
        const { type, payload } = openLine(content.value);
        isHeaderSeen = type === 'session_meta';
        if (isHeaderSeen) spawner = readRelations(payload, path).startedBy;
      },
      async look(files) {
        if (!spawner) return;
        const found = await files.findBelow(
          bases.listPlaces(path),
          (name) => parseName(name)?.threadId === spawner,
        );
        if (found === undefined) {
          report(START_OF_FILE, `a sub-agent of ${quote(spawner)}, which is not in the store`);
        }
      },
    };
  },
};
