import { FileError } from '../../../errors.ts';
import type { Entry } from '../entry.ts';
import type { Session } from '../session.ts';
import type { Tree } from './tree.ts';

/**
 * Makes the test of whether a fork can be made before a message, by the entry before it: undefined for a root.
 */
export function createBeforeTest(
  session: Session,
  tree: Tree,
  isEnd: (before: Entry | undefined) => boolean,
): (message: Entry) => boolean {
  return (message) => {
    try {
      return isEnd(getEntryBefore(session, tree, message));
    } catch (error) {
      if (error instanceof FileError) return false;
      throw error;
    }
  };
}

/**
 * Finds the parent of a user message, at which a fork before it ends; undefined for a root.
 * @throws FileError for what is not a user message, or is attached to an entry that is not in the file.
 */
export function getEntryBefore(session: Session, tree: Tree, message: Entry): Entry | undefined {
  if (message.type !== 'message' || message.role !== 'user') {
    const text = `${message.id} is not a user message: --before needs one (--points lists them)`;
    throw new FileError(session.path, 'entry-not-user', text);
  }
  const before = tree.parentOf(message);
  if (before === undefined && message.parentId !== null) {
    const text = `the entry before ${message.id} is not in the file`;
    throw new FileError(session.path, 'entry-orphan', text);
  }
  return before;
}
