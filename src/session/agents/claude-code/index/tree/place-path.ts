import type { Entry } from '../../../../model/entry.ts';
import type { Session } from '../../../../model/session.ts';
import type { AsideType } from '../../format.ts';

/** Lines about the whole session that a copy of a path keeps. */
const KEPT_ASIDE: ReadonlySet<string> = new Set<AsideType>([
  'custom-title',
  'agent-name',
  'ai-title',
  'tag',
  'mode',
  'permission-mode',
]);

/**
 * A path as a session of its own: titles and modes where they were, and the nodes in the order of the
 * path. Where a copy continues is at its end, so lines that name a leaf are left out.
 */
export function placePath({ entries }: Session, path: readonly Entry[]): readonly Entry[] {
  const kept = entries.filter(({ aside, type }) => aside === true && KEPT_ASIDE.has(type));
  return [...kept, ...path];
}
