import { isBetween, isOf, type Selection } from '../select/selection.ts';
import type { MemberFacts } from './member/manifest.ts';

/** The selectors whose facts an archive records. */
export type ArchiveSelection = Pick<
  Selection,
  'agent' | 'project' | 'activeBefore' | 'activeAfter'
>;

/** Returns whether an archived state fits selectors; one of an unknown time fits none by age. */
export function fitsArchived(
  facts: Pick<MemberFacts, 'agent' | 'cwd' | 'lastActive'>,
  selection: ArchiveSelection,
): boolean {
  const { activeAfter, activeBefore } = selection;
  return (
    isOf(facts, selection) && isBetween(Date.parse(facts.lastActive), activeAfter, activeBefore)
  );
}
