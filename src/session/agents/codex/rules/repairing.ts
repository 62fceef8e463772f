import { basename } from 'node:path';
import type { RepairDialect } from '../../../dialect/dialect.ts';
import type { LookedAt } from '../../../dialect/rule.ts';
import { DECOMPRESS, isCompressed } from '../../../jsonl/zstd/is-compressed.ts';
import type { Session } from '../../../model/session.ts';
import { quotePath } from '../../../rules/wording.ts';
import { CURRENT_VERSION } from '../format.ts';
import { listCuts } from '../places/list-cuts.ts';
import { readProjection } from '../places/database/projection.ts';

/**
 * A rollout may be rewritten only where nothing counts on its bytes: forks and later generations begin
 * at a byte of it, and the list of turns goes up to one.
 */
export const repairing: RepairDialect = {
  async findObstacle(session, files) {
    const { path } = session;
    if (isCompressed(path)) return `is compressed; ${DECOMPRESS} first`;
    const dependent = await describeDependent(session, files);
    if (dependent !== undefined) return `${dependent}: make a fork (coppice fork), and repair that`;
    const projection = await readProjection(path, files);
    if (projection === 'unknown') return 'the database of Codex cannot be read; left unchanged';
    if (projection === undefined) return undefined;
    return 'Codex has its turns in a database that counts its bytes: make a fork (coppice fork), and repair that';
  },
};

/** Returns the reason why no byte of a file may move, whatever happens to its rows; undefined if it may. */
export async function describeDependent(
  session: Session,
  files: LookedAt,
): Promise<string | undefined> {
  if (session.formatVersion < CURRENT_VERSION) return undefined;
  const [cut] = await listCuts(session, files);
  const name = cut && quotePath(basename(cut.path));
  return name && `${name} continues from a byte of it, and would show other turns`;
}
