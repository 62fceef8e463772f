import { isAbsolute } from 'node:path';
import { getDialect } from '../../../session/agents/index.ts';
import type { Guard, RowDialect } from '../../../session/dialect/surroundings/rows.ts';
import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import { withCompression } from '../../../session/jsonl/zstd/is-compressed.ts';
import { type Holder, NOT_HELD } from '../../../session/model/in-use.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import { getFileKey, isGone } from '../../files/stat-file.ts';
import { findHolder } from '../find-use.ts';
import type { Prunable } from '../read-prunable.ts';
import { toOwnName } from '../session-files.ts';
import { orObstacle, type Seen } from './seen.ts';
import type { ReadFile } from './unit.ts';

/**
 * Returns the reason why a session must be kept if the agent has it in another file than these: its rows are of
 * that one. A path at which there is nothing is from before the directory of the agent was moved.
 * @throws FileError if one of them cannot be looked up.
 */
export function findElsewhere(
  guards: readonly Guard[],
  parts: readonly ReadFile[],
): string | undefined {
  const own = new Set(parts.map(({ file: { path } }) => getFileKey(path)));
  for (const { path } of guards) {
    if (path === undefined || !isAbsolute(path) || path.includes('\0')) continue;
    // A row names a compressed file by its name without that.
    const there = [path, withCompression(path)].filter((one) => !isGone(one));
    if (there.some((one) => own.has(getFileKey(one)))) continue;
    if (there.length > 0) return `its agent has it in another file: ${path}`;
  }
  return undefined;
}

/** A file that is named as another session: the rows and sidecars by that name are of the other one. */
export function findMisnamed(
  rows: RowDialect | undefined,
  parts: readonly ReadFile[],
): string | undefined {
  const other = parts.find(({ file: { path }, summary: { id } }) => {
    const ids = rows?.listIds([path]) ?? [];
    return ids.length > 0 && !ids.includes(id);
  });
  return other && `its file is named as another session: ${other.file.path}`;
}

/** A part that an archive would not be restored with. */
export function findMisplaced(
  agent: SessionSummary['agent'],
  parts: readonly Prunable[],
): string | undefined {
  const { sidecars } = getDialect(agent);
  const misplaced = parts.slice(1).find(({ file: { path } }) => {
    const name = sidecars && toOwnName(path, sidecars.findRoot(path));
    return name === undefined || sidecars?.isPart?.(name) !== true;
  });
  return misplaced && `a part of it is not where its agent puts it: ${misplaced.file.path}`;
}

/** Returns what is known of who has one of the files open; where that cannot be looked up, it is an obstacle. */
export function findOpenState(
  agent: SessionSummary['agent'],
  parts: readonly Prunable[],
  world: AgentWorld,
): Seen<{ readonly holder: Holder }> {
  return orObstacle({ holder: NOT_HELD }, () => {
    const holders = parts.map(({ file }) => findHolder(agent, file.path, world));
    const updatedAt = holders.reduce((latest, one) => Math.max(latest, one.updatedAt), 0);
    return { holder: { isOpen: holders.some(({ isOpen }) => isOpen), updatedAt } };
  });
}
