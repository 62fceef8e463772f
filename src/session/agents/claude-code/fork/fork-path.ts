import { FileError } from '../../../../errors.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { createPathTest } from '../../../model/tree/path-test.ts';
import { getPath, type Tree } from '../../../model/tree/tree.ts';
import { type ClaudeCodeEntry, isLeafCandidate, isMessage, isPassed } from '../entry/to-entry.ts';

/**
 * The path to an entry, with all lines of its message and what its tools returned: the client never
 * cuts there. The last one is where the conversation ends.
 * @throws FileError for an entry of a sub-agent, and where nothing was said on the way to it.
 */
export function getForkPath(
  session: Session,
  tree: Tree,
  at: ClaudeCodeEntry | undefined,
): readonly Entry[] {
  const path = getPath(tree, at);
  requireEnd(session, at, path.some(isSpoken));
  return path;
}

/** Makes the test of whether the client continues from an entry. */
export function createEndTest(
  session: Session,
  tree: Tree,
): (at: ClaudeCodeEntry | undefined) => boolean {
  const leadsOverSpoken = createPathTest(tree, isSpoken);
  return (at) => {
    requireEnd(session, at, at !== undefined && leadsOverSpoken(at));
    return true;
  };
}

/** `hasSpoken`: whether something was said on the way. @throws FileError, as `getForkPath`. */
function requireEnd({ path }: Session, at: ClaudeCodeEntry | undefined, hasSpoken: boolean): void {
  if (at?.isSidechain) {
    const message = `${at.id} is an entry of a sub-agent: Claude Code does not continue from there`;
    throw new FileError(path, 'entry-sidechain', message);
  }
  if (hasSpoken) return;
  const message = at
    ? `no message of the conversation is on the way to ${at.id}: Claude Code does not open such a session`
    : 'nothing comes before the first message: Claude Code does not open a session without messages';
  throw new FileError(path, 'session-empty', message);
}

/**
 * Finds the last entry of a path that names it: one that the client knows and that is attached to the
 * first. Some results come into a path by their calls alone, and nothing is read before them.
 */
export function findEnd(
  path: readonly Entry[],
  isFit: (entry: Entry) => boolean = () => true,
): Entry | undefined {
  const byId = new Map(path.map((entry) => [entry.id ?? null, entry]));
  const [first] = path;
  return path.findLast((entry) => {
    if (isPassed(entry) || !isFit(entry)) return false;
    const seen = new Set<Entry>();
    let at: Entry | undefined = entry;
    for (; at && at !== first && !seen.has(at); at = byId.get(at.parentId)) seen.add(at);
    return at === first;
  });
}

/** Returns whether an entry is part of what was said, and one at which the client can continue. */
export function isSpoken(entry: ClaudeCodeEntry): boolean {
  return isLeafCandidate(entry) && isMessage(entry);
}
