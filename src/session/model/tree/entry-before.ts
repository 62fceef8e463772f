import { FileError } from '../../../errors.ts';
import type { Entry } from '../entry.ts';
import type { Session } from '../session.ts';
import type { Tree } from './tree.ts';

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
