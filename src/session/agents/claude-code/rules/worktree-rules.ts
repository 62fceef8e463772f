import { dirname, resolve } from 'node:path';
import type { Place, Rule } from '../../../dialect/rule.ts';
import type { OtherFiles } from '../../../jsonl/read/other-files.ts';
import { getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { isOwnPath } from '../../../model/paths.ts';
import { toPlace } from '../../../rules/place.ts';
import { quotePath } from '../../../rules/wording.ts';
import { toSessionId } from '../format.ts';
import { checkLines, isClaudeCode } from './node-lines.ts';

/** The statement of the last line of its kind. */
interface Named {
  readonly place: Place;
  readonly worktree: string;
  readonly origin: string;
}

/** A working tree that git does not confirm, so that Claude Code does not resume the session. */
export const worktreeUnverified: Rule = {
  id: 'worktree-unverified',
  level: 'error',
  fixable: true,
  summary:
    'a session of Claude Code in a directory that is not a git worktree: a resume is aborted',
  help:
    'The session was left inside a worktree, and a resume returns there. The directory exists, ' +
    'but is not a worktree of the repository that the session names, so Claude Code aborts the ' +
    'resume. `--fix` adds the line by which Claude Code forgets the worktree; the session then ' +
    'opens in the directory in which it is resumed.',
  reads: { type: 'whole', worktreeSession: { worktreePath: 'whole', originalCwd: 'whole' } },
  check(report) {
    let named: Named | undefined;
    let isRefused = false;
    return {
      line: checkLines((value, line) => {
        if (value['type'] === 'worktree-state') named = toNamed(value, toPlace(line));
      }),
      async look(files) {
        if (!named || !isOwnPath(named.worktree) || !isOwnPath(named.origin)) return;
        isRefused = (await files.exists(named.worktree)) && !(await isWorktreeOf(named, files));
      },
      session() {
        if (!named || !isRefused) return;
        const { worktree, origin, place } = named;
        const path = quotePath(worktree);
        report(place, `${path} is not a worktree of ${quotePath(origin)}`);
      },
    };
  },
  changeLines(checked) {
    if (!isClaudeCode(checked)) return [];
    const { entries, path } = checked.session;
    const last = entries.findLast(({ type }) => type === 'worktree-state');
    const sessionId = toSessionId(path);
    const followedBy = { type: 'worktree-state', worktreeSession: null, sessionId };
    return last ? [{ offset: last.offset, edits: [], followedBy }] : [];
  },
};

function toNamed(value: JsonObject, place: Place): Named | undefined {
  const state = getObject(value, 'worktreeSession');
  const worktree = state && getString(state, 'worktreePath');
  const origin = state && getString(state, 'originalCwd');
  return worktree === undefined || origin === undefined ? undefined : { place, worktree, origin };
}

/** Decides by the files with which git itself goes from a worktree to its repository; git is never run. */
async function isWorktreeOf({ worktree, origin }: Named, files: OtherFiles): Promise<boolean> {
  const own = await findOwnDirectory(worktree, files);
  const repository = await findRepository(origin, files);
  if (own === undefined || repository === undefined) return false;
  return (await findCommonDirectory(own, files)) === repository;
}

/** Finds the directory that git keeps for one working tree: its file `.git` names it. */
async function findOwnDirectory(tree: string, files: OtherFiles): Promise<string | undefined> {
  const named = /^gitdir: ([^\n]{1,4000})\n?$/.exec(
    (await files.readStart(`${tree}/.git`)) ?? '',
  )?.[1];
  return named === undefined ? undefined : files.resolve(resolve(tree, named));
}

/** Finds the directory of git that all working trees of a repository share. */
async function findCommonDirectory(own: string, files: OtherFiles): Promise<string | undefined> {
  const named = (await files.readStart(`${own}/commondir`))?.trim();
  return files.resolve(named === undefined || named === '' ? own : resolve(own, named));
}

async function findRepository(cwd: string, files: OtherFiles): Promise<string | undefined> {
  for (let at = cwd; ; at = dirname(at)) {
    if (await files.exists(`${at}/.git`)) {
      const own = (await findOwnDirectory(at, files)) ?? (await files.resolve(`${at}/.git`));
      return own === undefined ? undefined : findCommonDirectory(own, files);
    }
    if (dirname(at) === at) return undefined;
  }
}
