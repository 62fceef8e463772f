import { FileError } from '../../../../errors.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { findLeaves, getCurrentPath, getPath, type Tree } from '../../../model/tree/tree.ts';
import { findTurnStarts, isPrompt } from '../entry/turn-limits.ts';
import { placePath } from '../index/place-path.ts';

/** Lines that say something to the model or to a person. */
const SPOKEN: ReadonlySet<string> = new Set(['compaction', 'UserMessage', 'user_message']);

/**
 * The path to the current leaf.
 * @throws FileError where nothing was said on it: Codex does not list such a thread.
 */
export function getWholePath(session: Session, tree: Tree): readonly Entry[] {
  return requireSpoken(session, getCurrentPath(tree), 'its conversation is empty');
}

/** The path to the end of the turn that an entry is in: Codex forks only between turns. */
export function getPathAt(session: Session, tree: Tree, entry: Entry): readonly Entry[] {
  const path = [...getPath(tree, entry)];
  const last = path.length - 1;
  let next = getOnlyChild(tree, entry);
  for (const seen = new Set(path); next && !seen.has(next); next = getOnlyChild(tree, next)) {
    seen.add(next);
    path.push(next);
  }
  const end = findTurnStarts(path).find((start) => start > last);
  const message = `no message is at ${entry.id} or before it`;
  return requireSpoken(session, path.slice(0, end), message);
}

function getOnlyChild(tree: Tree, entry: Entry): Entry | undefined {
  const [child, ...others] = tree.childrenOf(entry);
  return others.length === 0 ? child : undefined;
}

/** A prompt, and the path to the end of the turn before its own. */
export interface BeforePrompt {
  readonly message: Entry;
  readonly path: readonly Entry[];
}

/** @throws FileError for what is not the first prompt of a turn, or the turn itself. */
export function getPathBefore(session: Session, tree: Tree, entry: Entry): BeforePrompt {
  const message = entry.type === 'task_started' ? findPrompt(tree, entry) : entry;
  if (!message || !isPrompt(message)) {
    const text = `${entry.id} is not a user message: --before needs one (--points lists them)`;
    throw new FileError(session.path, 'entry-not-user', text);
  }
  const path = getPath(tree, message);
  const start = findTurnStarts(path).at(-1) ?? path.length - 1;
  const first = findFirstPrompt(path, start);
  if (first && first !== message) {
    const text = `${message.id} was typed while a turn ran, and Codex forks only between turns: use --before ${first.id}`;
    throw new FileError(session.path, 'entry-not-user', text);
  }
  const reason = 'nothing comes before the first message';
  return { message, path: requireSpoken(session, path.slice(0, start), reason) };
}

/** The prompt that a turn is forked before. */
function findFirstPrompt(
  path: readonly Entry[],
  start: number,
  end = path.length,
): Entry | undefined {
  for (let at = start; at < end; at += 1) {
    const entry = path[at];
    if (entry && isPrompt(entry)) return entry;
  }
  return undefined;
}

/**
 * Makes the test of whether `getPathBefore` takes a prompt: the first of a turn, with something said before that. The
 * path to an entry has the same turns as any path that leads over it.
 */
export function createBeforeTest(tree: Tree): (message: Entry) => boolean {
  const taken = new Set<Entry>();
  for (const leaf of findLeaves(tree)) {
    const path = getPath(tree, leaf);
    const spoken = path.findIndex(isSpoken);
    const starts = findTurnStarts(path);
    for (const [index, start] of starts.entries()) {
      const first = findFirstPrompt(path, start, starts[index + 1]);
      if (first && spoken !== -1 && spoken < start) taken.add(first);
    }
  }
  return (message) => taken.has(message);
}

/** The first message that was typed in the turn that an entry begins. */
function findPrompt(tree: Tree, start: Entry): Entry | undefined {
  const seen = new Set<Entry>();
  for (let at = getOnlyChild(tree, start); at && !seen.has(at); at = getOnlyChild(tree, at)) {
    if (isPrompt(at)) return at;
    if (at.type === 'task_started') return undefined;
    seen.add(at);
  }
  return undefined;
}

function requireSpoken(session: Session, path: readonly Entry[], reason: string): readonly Entry[] {
  const placed = placePath(session, path);
  if (placed.some(isSpoken)) return placed;
  const message = `${reason}: Codex does not list a thread without messages`;
  throw new FileError(session.path, 'session-empty', message);
}

/** Returns whether an entry is part of what was said, and not of what stands around it. */
export function isSpoken(entry: Entry): boolean {
  return isPrompt(entry) || entry.role === 'assistant' || SPOKEN.has(entry.type);
}
