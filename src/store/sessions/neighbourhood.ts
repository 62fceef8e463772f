import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import type { Dialect } from '../../session/dialect/dialect.ts';
import {
  describeNoSidecars,
  type SidecarDialect,
} from '../../session/dialect/surroundings/sidecars.ts';
import { isOtherFile, toDateMs } from '../../session/jsonl/files/identity/file-stamp.ts';
import { createCleaner } from '../../session/jsonl/files/temp-file.ts';
import type { Neighbourhood, SidecarMove } from '../../session/migrate/types.ts';
import type { FindUse } from '../../session/model/in-use.ts';
import type { Session } from '../../session/model/session.ts';
import { isFreeForDirectory } from '../files/stat-file.ts';
import type { StampedFile } from './file-tree.ts';
import { findSidecarObstacle, readSidecars, toOwnName } from './session-files.ts';
import { Survey } from './sidecars/survey.ts';
import { SubagentLogs } from './subagent-logs.ts';

/** Makes what sessions need that move in one run. `now`: milliseconds. */
export function createNeighbourhood(now: number): Neighbourhood {
  const survey = new Survey();
  const logs = new SubagentLogs();
  return {
    findSidecars: (dialect, session, directory, findUse) =>
      findSidecars(dialect, session, directory, { survey, findUse }),
    listSubagents: async ({ places: { subagents } }, path) =>
      subagents ? logs.find(path, subagents) : [],
    cleanUp: createCleaner(now),
  };
}

async function findSidecars(
  dialect: Dialect,
  session: Session,
  directory: string,
  { survey, findUse }: { readonly survey: Survey; readonly findUse: FindUse },
): Promise<readonly SidecarMove[] | string> {
  const { path } = session;
  if (!dialect.sidecars) return describeNoSidecars(dialect) ?? '';
  const beside = toBeside(dialect.sidecars);
  const tree = await readSidecars(path, beside, survey);
  if (!tree) return [];
  const id = dialect.reading.getSessionId(session) ?? '';
  const obstacle = findSidecarObstacle({ ...tree, path }, id, beside);
  if (obstacle !== undefined) return obstacle;
  // The logs of sub-agents count with the use of their session.
  const use = dialect.places.subagents ? undefined : findNestedUse(session, tree.files, findUse);
  if (use !== undefined) return use;
  const moves: SidecarMove[] = [];
  for (const kind of ['directory', 'file'] as const) {
    const all = kind === 'directory' ? tree.directories : tree.files;
    for (const { name, ...file } of all.filter((one) => !one.name.includes('/'))) {
      const to = join(directory, name);
      const isTaken = await isOtherFile(to, file);
      if (isTaken && !(kind === 'directory' && (await isFreeForDirectory(to)))) {
        throw new FileError(path, 'EEXIST', `its sidecar cannot move along: ${to} already exists`);
      }
      moves.push({ from: join(dirname(path), name), to, kind });
    }
  }
  return moves;
}

/** Finds the use of a session in the folder of another one. */
function findNestedUse(
  { agent, path }: Session,
  files: readonly StampedFile[],
  findUse: FindUse,
): string | undefined {
  for (const { name, mtimeMs } of files) {
    if (!name.includes('/') || !name.endsWith('.jsonl')) continue;
    const modified = new Date(toDateMs(mtimeMs)).toISOString();
    const nested = { agent, path: join(dirname(path), name), modified, fileModified: modified };
    const use = findUse(nested);
    if (use !== undefined) return `${name} ${use}`;
  }
  return undefined;
}

/** Only the sidecars in the directory of their session: the others are found by its id. */
function toBeside(dialect: SidecarDialect): SidecarDialect {
  return {
    ...dialect,
    findRoot: dirname,
    list(path) {
      const home = toOwnName(dirname(path), dialect.findRoot(path)) || '.';
      return dialect
        .list(path)
        .filter(({ name }) => dirname(name) === home)
        .map((sidecar) => ({ ...sidecar, name: basename(sidecar.name) }));
    },
  };
}
