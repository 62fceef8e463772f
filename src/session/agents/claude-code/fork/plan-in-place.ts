import { FileError } from '../../../../errors.ts';
import type { InPlacePlan, InPlaceRequest, LeafMove } from '../../../dialect/forking.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { NoteChange } from '../../../jsonl/write/change-note.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';
import { getEntryBefore } from '../../../model/tree/entry-before.ts';
import { findEntry } from '../../../model/tree/find-entry.ts';
import {
  treeOf,
  findLeftBehind,
  getCurrentPath,
  getPath,
  type Tree,
} from '../../../model/tree/tree.ts';
import type { ClaudeCodeEntry } from '../entry/to-entry.ts';
import { toSessionId } from '../format.ts';
import { MAX_LOADED_BYTES, skipUnread } from '../index/tree/place-nodes.ts';
import { notes } from '../places/notes.ts';
import { findHarm } from '../reduce/find-harm.ts';
import { findEnd, getForkPath, isSpoken } from './fork-path.ts';
import { toTitleLines } from './new-session.ts';

/** Returns the reason why a session of Claude Code cannot hold the requested change. */
export function findObstacle({ labels }: InPlaceRequest): string | undefined {
  return labels.length > 0 ? 'Claude Code keeps no labels' : undefined;
}

/**
 * Plans the lines that the client appends on `/rename`, and the one by which a user chooses the leaf: the
 * client continues there, whatever follows in the file.
 */
export function planInPlace(session: Session, request: InPlaceRequest): InPlacePlan {
  const tree = treeOf(session);
  const { move: start, name } = request;
  const sessionId = toSessionId(session.path);
  const changes: string[] = [];
  const unchanged: string[] = [];
  const lines: JsonObject[] = [];
  if (name !== undefined) {
    const current = session.entries.findLast(({ type }) => type === 'custom-title')?.name;
    const isNamed = current === toOneLine(name);
    (isNamed ? unchanged : changes).push(`named ${toOneLine(name)}`);
    if (!isNamed) lines.push(...toTitleLines(name, sessionId));
  }
  const move = start && toMove(session, tree, start);
  const isThere = move && findMessage(tree, move.target) === findMessage(tree, tree.leaf);
  if (move) {
    const where = move.target ? `from ${move.target.id}` : 'before the first entry';
    (isThere ? unchanged : changes).push(`continues ${where}`);
  }
  if (move && !isThere) {
    const leafUuid = move.target?.id ?? null;
    lines.push({ type: 'last-prompt', leafUuid, explicit: true, sessionId });
  }
  requireSameLoaded(session, lines, isThere ? undefined : move);
  return {
    changes,
    unchanged,
    move: isThere ? undefined : move,
    note: toNote(session.path, name),
    toChange: () => Promise.resolve({ kind: 'append', entries: lines }),
  };
}

/** The client lists this title where the one in the lines is far from their end. */
function toNote(path: string, name: string | undefined): NoteChange | undefined {
  const { title } = notes.findFiles(path);
  if (name === undefined || title === undefined) return undefined;
  return { path: title, key: 'customTitle', value: toOneLine(name) };
}

/** The client continues from the last message, with all that stands around it, whichever entry is named. */
function findMessage(tree: Tree, end: Entry | undefined): Entry | undefined {
  return findEnd(getPath(tree, end), isSpoken);
}

function toMove(
  session: Session,
  tree: Tree,
  { kind, entry }: NonNullable<InPlaceRequest['move']>,
): LeafMove {
  const named = findEntry(session, tree, entry);
  const end = kind === 'before' ? getEntryBefore(session, tree, named) : named;
  const isBeginning = kind === 'before' && !getPath(tree, end).some(isSpoken);
  const path = end && !isBeginning ? getForkPath(session, tree, end) : [];
  const left = findLeftBehind(getCurrentPath(tree), path);
  const target = findEnd(path);
  requireLoaded(session, target);
  return { target, left, ...(kind === 'before' && { message: named }) };
}

function requireLoaded({ path }: Session, entry: ClaudeCodeEntry | undefined): void {
  if (!entry?.isUnloaded) return;
  const message =
    `${entry.id} is before the last compaction, and Claude Code does not load that part of this ` +
    'file: fork without --in-place';
  throw new FileError(path, 'entry-unloaded', message);
}

/**
 * @throws FileError where the client loads the whole file now, and with more lines only a part of it, which the
 * conversation is not in.
 */
function requireSameLoaded(
  session: Session,
  lines: readonly JsonObject[],
  move: LeafMove | undefined,
): void {
  const { size } = session.stamp;
  // The last line may lack its line feed.
  const added = lines.reduce((sum, line) => sum + Buffer.byteLength(JSON.stringify(line)) + 1, 1);
  if (lines.length === 0 || size > MAX_LOADED_BYTES || size + added <= MAX_LOADED_BYTES) return;
  const read = new Set(skipUnread(session.entries, size + added).map(({ line }) => line));
  const isSame = move
    ? getPath(treeOf(session), move.target).every(({ line }) => read.has(line))
    : findHarm(session, session.entries, [size + added]) === undefined;
  if (isSame) return;
  const message =
    'with another line, Claude Code would load only a part of this file, and continue with another ' +
    'conversation: fork without --in-place';
  throw new FileError(session.path, 'entry-unloaded', message);
}
