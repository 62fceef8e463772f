import { findDialect } from '../../../session/agents/index.ts';
import type { HeldIn } from '../../../session/model/sidecar.ts';

/** The place of the other files of a session, if what belongs to it belongs to each of them. */
export interface HeldBelow {
  readonly root: string;
  readonly heldIn: HeldIn;
}

/** Undefined for a session that shares nothing with other files. `path`: of its file. */
export function findHeldIn({
  agent,
  path,
}: {
  readonly agent: string | null;
  readonly path: string;
}): HeldBelow | undefined {
  const sidecars = findDialect(agent)?.sidecars;
  const heldIn = sidecars?.list(path).find(({ sharedBy }) => sharedBy)?.sharedBy;
  return sidecars && heldIn && { root: sidecars.findRoot(path), heldIn };
}
