import type { PruneResult } from '../../../report/prune/columns.ts';
import type { MemberFacts } from '../../../store/archive/member/manifest.ts';

type Own = Pick<PruneResult, 'path' | 'action' | 'reasons' | 'bytesBefore' | 'bytesAfter'> &
  Partial<Pick<PruneResult, 'archived'>>;

/** What became of a state in an archive: who it is, by its member, and what was done. */
export function toArchivedResult(facts: MemberFacts, own: Own): PruneResult {
  const { agent, id, cwd, title, lastActive } = facts;
  const { path, ...done } = own;
  return { path, agent, id, cwd, name: null, title, lastActive, selected: true, ...done };
}
