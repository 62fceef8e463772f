import { getObject, getString, type JsonObject, listTexts } from '../../../jsonl/edit/json.ts';
import type { Members } from '../../../jsonl/scanner/plan.ts';

/** The answer to `/add-dir`, with the path in bold. Releases before 2.1.277 name that directory in no other line. */
const ADDED =
  /^<local-command-stdout>Added (?:\p{Cc}\[1m)?(\P{Cc}{1,4096}?)(?:\p{Cc}\[22m)? as a working directory/u;

const WORKTREE = ['originalCwd', 'preEnterOriginalCwd', 'worktreePath'] as const;

/** The members in which lines name working directories, besides `cwd`. */
export const DIRECTORY_MEMBERS: Members = {
  // An answer begins with an angle: it is left whole.
  content: 'start',
  relocatedCwd: 'whole',
  worktreeSession: { originalCwd: 'whole', preEnterOriginalCwd: 'whole', worktreePath: 'whole' },
  attachment: {
    type: 'whole',
    toolUseID: 'whole',
    commandMode: 'whole',
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
  const answer = findAdded(value);
  // Few lines name any, and this is asked of all.
  if (relocated === undefined && worktreeSession === undefined && !snapshot && !answer) return NONE;
  const worktree = getObject(value, 'worktreeSession') ?? NOTHING;
  const added = snapshot?.['additionalWorkingDirectories'];
  const known = [
    relocated,
    ...WORKTREE.map((key) => worktree[key]),
    snapshot?.['workingDirectory'],
  ];
  return [answer ?? [], ...[...known, added].map(listTexts)].flat();
}

/** The client makes a worktree there in its repository, unless a hook makes it elsewhere. */
const WORKTREES = /[/\\]\.claude[/\\]worktrees[/\\]/g;

/** Lists the repositories whose worktrees a directory is in. Releases before about 2.1.90 name them in no line. */
export function listRepositories(directory: string): readonly string[] {
  const found = [...directory.matchAll(WORKTREES)].map(({ index }) => directory.slice(0, index));
  return found.filter((repository) => repository !== '');
}

/** The answer to a command is a line of the system, or, in older releases, of the user. */
function findAdded(value: JsonObject): string | undefined {
  const text =
    getString(value, 'content') ?? getString(getObject(value, 'message') ?? NOTHING, 'content');
  return text?.startsWith('<local-command-stdout>Added ') ? ADDED.exec(text)?.[1] : undefined;
}

const NOTHING: JsonObject = {};
const NONE: readonly string[] = [];
