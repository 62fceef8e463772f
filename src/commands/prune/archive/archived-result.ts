import type { PruneResult } from '../../../report/prune/columns.ts';
import type { MemberFacts } from '../../../store/archive/member/manifest.ts';

type Own = Pick<PruneResult, 'path' | 'action' | 'reasons' | 'bytesBefore' | 'bytesAfter'> &
  Partial<Pick<PruneResult, 'archived'>>;

/**
 * Returns the result for a state in an archive: its session, as its member describes it, and the
 * outcome.
 */
export function toStateResult(facts: MemberFacts, own: Own): PruneResult {
  const { agent, id, cwd, title, lastActive } = facts;
  const { path, ...done } = own;
  return { path, agent, id, cwd, name: null, title, lastActive, selected: true, ...done };
}
