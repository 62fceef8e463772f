import { basename } from 'node:path';
import { FileError } from '../../../../errors.ts';
import type { Counts, Cut, PositionRows } from '../../../dialect/reduction.ts';
import type { LookedAt } from '../../../dialect/rule.ts';
import { DECOMPRESS, isCompressed } from '../../../jsonl/zstd/is-compressed.ts';
import type { Session } from '../../../model/session.ts';
import { quotePath } from '../../../rules/wording.ts';
import { findHome } from '../places/home.ts';
import { listCuts } from '../places/list-cuts.ts';
import { hasDatabasesElsewhere, readProjection } from '../places/database/projection.ts';
import { HISTORY, PROJECTION, TURNS } from '../places/database/databases.ts';
import { readTurnCount } from '../places/database/read-turn-count.ts';
import { toFileId } from '../format.ts';

/**
 * Forks and later generations begin at a byte of a rollout, and send what is before that: the byte moves
 * with its line. What Codex has in its database to list the turns counts bytes, too; without it, Codex
 * reads the file again when it opens the thread. Until then forks would not show these turns: so rows of
 * a file with forks are kept, and get other numbers.
 */
export async function findCounts(session: Session, files: LookedAt): Promise<Counts> {
  const { path } = session;
  const key = toFileId(path);
  if (key === undefined) {
    return { obstacle: 'has a name that Codex does not give; its database may refer to it' };
  }
  const cuts = await listCuts(session, files);
  const obstacle = await findObstacle(cuts, path, files);
  if (obstacle !== undefined) return { obstacle: `${obstacle}; --compress loses nothing` };
  if (await hasDatabasesElsewhere(path, files)) {
    return { obstacle: 'the databases of Codex are in another directory; left unchanged' };
  }
  const projection = await readProjection(path, files);
  if (projection === 'unknown') {
    return { obstacle: 'the database of Codex cannot be read; left unchanged' };
  }
  if (cuts.length > 0) return { cuts, positions: await findPositions(path, key, files) };
  if (projection === undefined) return {};
  return { stale: { ids: [key], databases: [HISTORY.name] } };
}

async function findPositions(
  path: string,
  key: string,
  files: LookedAt,
): Promise<PositionRows | undefined> {
  const { turns, unplaced } = await readTurnCount(path, files);
  if (turns === 0) return undefined;
  const description = `${turns} of ${TURNS}, 1 of ${PROJECTION}`;
  return { ids: [key], database: HISTORY.name, description, isUnplaced: unplaced > 0 };
}

/** Returns the reason why files that continue this one could not be rewritten with it. */
async function findObstacle(
  cuts: readonly Cut[],
  path: string,
  files: LookedAt,
): Promise<string | undefined> {
  const home = findHome(path);
  const root = home === undefined ? undefined : await resolvePath(home, files);
  for (const cut of cuts) {
    const name = `${quotePath(basename(cut.path))} continues from it`;
    if (!Number.isSafeInteger(cut.offset)) return `${name}, and does not record from which byte`;
    if (isCompressed(cut.path)) return `${name}, and is compressed; ${DECOMPRESS}`;
    const there = home !== undefined && root !== undefined && root + cut.path.slice(home.length);
    const real = await resolvePath(cut.path, files);
    if (real !== there) return `${name}, and a symbolic link leads there`;
  }
  return undefined;
}

/** @throws FileError if it cannot be looked up. */
async function resolvePath(path: string, files: LookedAt): Promise<string> {
  const real = await files.resolve(path);
  if (real === undefined) throw new FileError(path, 'EACCES', 'cannot look it up');
  return real;
}
