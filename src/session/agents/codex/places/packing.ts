import type { PackingDialect } from '../../../dialect/dialect.ts';
import { parseName } from '../format.ts';
import { findHome } from '../index/bases.ts';

/** Codex 0.169 lists, opens and continues with a rollout that is compressed, where it looks for rollouts. */
export const packing: PackingDialect = {
  findObstacle(path) {
    if (parseName(path) && findHome(path) !== undefined) return undefined;
    return 'has a name or a place at which Codex does not look for compressed rollouts';
  },
};
