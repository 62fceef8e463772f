import { getObject, isArray, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Members } from '../../../jsonl/scanner/plan.ts';

const WORKTREE = ['originalCwd', 'preEnterOriginalCwd', 'worktreePath'] as const;

/** The members in which lines name working directories, besides `cwd`. */
export const DIRECTORY_MEMBERS: Members = {
  relocatedCwd: 'whole',
  worktreeSession: { originalCwd: 'whole', preEnterOriginalCwd: 'whole', worktreePath: 'whole' },
  attachment: {
    type: 'whole',
    toolUseID: 'whole',
    snapshot: { workingDirectory: 'whole', additionalWorkingDirectories: 'whole' },
  },
};

/**
 * Lists the directories that a line names besides `cwd`: the repository of a worktree and the worktree, the
 * place that the session was moved to, and the directories of which the model was informed.
 */
export function listDirectories(value: JsonObject): readonly string[] {
  const { relocatedCwd: relocated, worktreeSession } = value;
  const snapshot = getObject(getObject(value, 'attachment') ?? NOTHING, 'snapshot');
  // Few lines name any, and this is asked of all.
  if (relocated === undefined && worktreeSession === undefined && !snapshot) return NONE;
  const worktree = getObject(value, 'worktreeSession') ?? NOTHING;
  const added = snapshot?.['additionalWorkingDirectories'];
  const found = [
    relocated,
    ...WORKTREE.map((key) => worktree[key]),
    snapshot?.['workingDirectory'],
    ...(isArray(added) ? added : []),
  ];
  return found.filter((one) => typeof one === 'string');
}

const NOTHING: JsonObject = {};
const NONE: readonly string[] = [];
