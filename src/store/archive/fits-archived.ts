import { isInside } from '../../session/model/paths.ts';
import type { Selection } from '../select/selection.ts';
import type { MemberFacts } from './member/manifest.ts';

/** The selectors whose facts an archive records. */
export type ArchiveSelection = Pick<
  Selection,
  'agent' | 'project' | 'activeBefore' | 'activeAfter'
>;

/** Returns whether an archived state fits selectors; one of an unknown time fits none by age. */
export function fitsArchived(
  { agent, cwd, lastActive }: Pick<MemberFacts, 'agent' | 'cwd' | 'lastActive'>,
  selection: ArchiveSelection,
): boolean {
  const { activeBefore = Number.POSITIVE_INFINITY, activeAfter = Number.NEGATIVE_INFINITY } =
    selection;
  const hasAge = selection.activeBefore !== undefined || selection.activeAfter !== undefined;
  const time = Date.parse(lastActive);
  return (
    (selection.agent === undefined || agent === selection.agent) &&
    (selection.project === undefined || isInside(cwd, selection.project)) &&
    (!hasAge || (time < activeBefore && time > activeAfter))
  );
}
