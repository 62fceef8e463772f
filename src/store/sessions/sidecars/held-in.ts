import { findDialect } from '../../../session/agents/index.ts';
import type { HeldIn, SharedSidecar } from '../../../session/model/sidecar.ts';

/** The place of the other files of a session, if what belongs to it belongs to each of them. */
export interface HeldBelow {
  readonly root: string;
  readonly heldIn: HeldIn;
  /** The sidecars that each of them has. */
  readonly shared: readonly SharedSidecar[];
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
  const shared = sidecars?.listShared?.(path) ?? [];
  const [first] = shared;
  return sidecars && first && { root: sidecars.findRoot(path), heldIn: first.sharedBy, shared };
}
