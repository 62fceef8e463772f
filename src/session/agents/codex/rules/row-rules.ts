import { INDEX_PLAN } from '../index/plans.ts';
import { basename } from 'node:path';
import type { DatabaseKind, Row } from '../../../dialect/surroundings/records.ts';
import type { LookedAt, Rule } from '../../../dialect/rule.ts';
import { START_OF_FILE } from '../../../rules/place.ts';
import { withoutCompression } from '../../../jsonl/zstd/is-compressed.ts';
import { quote, quotePath } from '../../../rules/wording.ts';
import { parseName } from '../format.ts';
import { bases } from '../index/bases.ts';
import { findHome, isArchived } from '../places/home.ts';
import { readRelations } from '../index/relations.ts';
import { STATE, THREADS } from '../places/database/databases.ts';
import { readHeader } from './read-header.ts';
import { listDatabaseHomes } from '../places/database/projection.ts';

const EDGES = 'thread_spawn_edges';

/** The database in which Codex records the archived threads, their files, and the origin of sub-agents. */
const ORIGINS: DatabaseKind = {
  ...STATE,
  tables: {
    [THREADS]: ['id', 'archived', 'rollout_path'],
    [EDGES]: ['child_thread_id', 'parent_thread_id'],
  },
};

/** The first row of the databases of a home that passes. */
async function findRow(
  home: string,
  files: LookedAt,
  table: string,
  isSought: (row: Row) => boolean,
): Promise<Row | undefined> {
  for (const directory of await listDatabaseHomes(home, files)) {
    const row = (await files.readTables(directory, [ORIGINS])).get(table)?.find(isSought);
    if (row) return row;
  }
  return undefined;
}

/** A rollout that was moved by hand between archived sessions and the others. */
export const rowArchived: Rule = {
  id: 'rollout-row-archived',
  level: 'warning',
  fixable: false,
  summary: 'a rollout of Codex that is archived by its place or by the database, but not by both',
  help:
    'Codex archives a thread by moving its files and by its row in `state_5.sqlite`. If only one ' +
    'of the two was done, it lists the thread by its place, but neither resumes nor unarchives ' +
    'it. Move the file back, and use `codex archive` or `codex unarchive`.',
  check: (report, { path }) => ({
    async look(files) {
      const [home, name] = [findHome(path), parseName(path)];
      if (home === undefined || !name) return;
      const row = await findRow(home, files, THREADS, ({ id }) => id === name.threadId);
      if (!row || Boolean(Number(row['archived'])) === isArchived(path)) return;
      const where = isArchived(path) ? 'is among the archived' : 'is archived';
      const other = isArchived(path) ? 'the database has it as active' : 'is among the others';
      report(START_OF_FILE, `${where}, and ${other}: Codex does not resume it`);
    },
  }),
};

/** A rollout of whose thread the database names another file, which is gone. */
export const rowStale: Rule = {
  id: 'rollout-row-stale',
  level: 'warning',
  fixable: false,
  summary: 'a rollout of Codex for whose thread the database names another file, which is gone',
  help:
    'Codex records in `state_5.sqlite` which file holds a thread. A file that is renamed or ' +
    'removed by hand leaves that row behind: `codex doctor` reports it, and Codex corrects it ' +
    'when it lists its threads. If a later generation is missing, so are its turns: restore it ' +
    'from a backup.',
  check: (report, { path }) => ({
    async look(files) {
      const [home, own] = [findHome(path), parseName(path)];
      if (home === undefined || !own) return;
      const row = await findRow(home, files, THREADS, ({ id }) => id === own.threadId);
      const stored = String(row?.['rollout_path'] ?? '');
      // The path may be of any system.
      const name = withoutCompression(
        stored.slice(Math.max(...SEPARATORS.map((one) => stored.lastIndexOf(one))) + 1),
      );
      if (name === '' || name === withoutCompression(basename(path))) return;
      const isNamed = (other: string): boolean => withoutCompression(other) === name;
      if ((await files.findBelow(bases.listPlaces(path), isNamed)) === undefined) {
        report(
          START_OF_FILE,
          `the database names ${quotePath(name)} for it, which is not in the store`,
        );
      }
    },
  }),
};

const SEPARATORS = ['/', '\\'] as const;

/** A sub-agent that the database has below another thread than its file. */
export const spawnRow: Rule = {
  id: 'rollout-row-spawn',
  level: 'warning',
  fixable: false,
  summary: 'a sub-agent of Codex for which the database names another parent',
  help:
    'Codex records in `state_5.sqlite` which thread began a sub-agent, and archives and deletes ' +
    'it with that thread; the file names another one. coppice treats it as a sub-agent of the ' +
    'thread in the file. Compare both with a backup.',
  reads: INDEX_PLAN,
  check: (report, { path }) => {
    const spawner = readSpawner(path);
    return {
      line: spawner.line,
      async look(files) {
        const [home, own, begunBy] = [findHome(path), parseName(path), spawner.get()];
        if (home === undefined || !own) return;
        const isOwn = (row: Row): boolean => row['child_thread_id'] === own.threadId;
        const stored = (await findRow(home, files, EDGES, isOwn))?.['parent_thread_id'];
        if (typeof stored !== 'string' || stored === begunBy) return;
        const here = begunBy === undefined ? 'none' : quote(begunBy);
        report(
          START_OF_FILE,
          `begun by ${quote(stored)} in the database, and by ${here} in the file`,
        );
      },
    };
  },
};

/** Reads the thread that began the one of a file, from its header. */
function readSpawner(path: string) {
  let spawner: string | undefined;
  const line = readHeader((header) => {
    spawner = readRelations(header, path).startedBy;
  });
  return { line, get: (): string | undefined => spawner };
}

/** A sub-agent of a thread that is gone. */
export const spawnerMissing: Rule = {
  id: 'rollout-spawner-missing',
  level: 'info',
  fixable: false,
  summary: 'a sub-agent of Codex whose thread is not in the store',
  help:
    'The thread that began a sub-agent was deleted, or is elsewhere. Codex no longer shows the ' +
    'sub-agent. Nothing to repair.',
  reads: INDEX_PLAN,
  check(report, { path }) {
    const spawner = readSpawner(path);
    return {
      line: spawner.line,
      async look(files) {
        const begunBy = spawner.get();
        if (!begunBy) return;
        const found = await files.findBelow(
          bases.listPlaces(path),
          (name) => parseName(name)?.threadId === begunBy,
        );
        if (found === undefined) {
          report(START_OF_FILE, `a sub-agent of ${quote(begunBy)}, which is not in the store`);
        }
      },
    };
  },
};
