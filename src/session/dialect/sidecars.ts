import type { Sidecar } from '../model/sidecar.ts';

/**
 * How the sidecars of an agent's sessions are found. Without it, coppice does not know what belongs to a
 * session: such sessions are neither removed nor archived nor restored.
 */
export interface SidecarDialect {
  /** The sidecars that the session at a path may have. */
  list(path: string): readonly Sidecar[];
}

/** Why sessions of an agent cannot be removed, or put back; undefined where they can. */
export function describeNoSidecars(dialect: {
  readonly agent: string;
  readonly sidecars?: SidecarDialect | undefined;
}): string | undefined {
  return dialect.sidecars
    ? undefined
    : `is of ${dialect.agent}, and coppice does not know the sidecars of its sessions`;
}
