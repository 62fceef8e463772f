import type { Entry } from '../../../model/entry.ts';
import type { Piece } from '../../../jsonl/write/compose-file.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';
import { type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';
import { findTitle } from '../entry/find-title.ts';

const BRANCH = ' (branch)';

export interface NewSession {
  readonly passage: Passage;
  /** Its title; unless given, the source's with a note that it is a branch. */
  readonly name: string | undefined;
  /** True if the fork takes all that stands beside the tree. */
  readonly isWhole: boolean;
}

/**
 * The lines of a fork. Titles and backups of files come before the last message: releases up to
 * 0.17.1 lose their place when anything but a message is the last line. `entries` in file order.
 */
export function toPieces(
  aside: readonly Entry[],
  entries: readonly Entry[],
  { passage, name, isWhole }: NewSession,
): readonly Piece[] {
  const ids = new Set(entries.map(({ id }) => id));
  const about = aside.filter((entry) => isKept(entry, ids, isWhole));
  const kept = [...about, ...entries].toSorted((a, b) => a.offset - b.offset);
  const last = entries.at(-1);
  const toPiece = (entry: Entry): Piece => {
    const cuts = !isWhole && entry.parentId !== null && !ids.has(entry.parentId);
    return copyLine(entry, passage, cuts);
  };
  const pieces = kept.filter((entry) => entry !== last).map(toPiece);
  const title = name ?? toBranchTitle(aside);
  if (title !== undefined) pieces.push({ text: toTitleLine(title, passage) });
  return last ? [...pieces, toPiece(last)] : pieces;
}

/**
 * Returns whether a fork of a path keeps an entry: what is about the path; an older title would say nothing.
 */
function isKept(entry: Entry, ids: ReadonlySet<string | undefined>, isWhole: boolean): boolean {
  if (isWhole) return true;
  if (entry.type === 'custom-title') return false;
  return entry.targetId === undefined || ids.has(entry.targetId);
}

/** The title of the source, with a note. */
function toBranchTitle(aside: readonly Entry[]): string | undefined {
  const title = findTitle(aside);
  return title ? `${title}${BRANCH}` : undefined;
}

function toTitleLine(title: string, { to }: Passage): string {
  const customTitle = toOneLine(title);
  return JSON.stringify({ type: 'custom-title', customTitle, sessionId: to });
}

/** The sessions that lines are copied from and to. */
export interface Passage {
  readonly from: string;
  readonly to: string;
}

/**
 * A line of a session as a fork has it, as `fork session` of newer releases makes one: the same
 * uuid, another session, and where it came from. `cuts`: its parent is not copied.
 */
function copyLine(entry: Entry, { from, to }: Passage, cuts: boolean): Piece {
  const session: MemberEdit = { key: 'sessionId', value: JSON.stringify(to) };
  if (entry.aside) {
    if (entry.type !== 'custom-title') return { span: entry };
    return { span: entry, change: (bytes) => splice(bytes, [session]) };
  }
  const origin = { sessionId: from, messageUuid: entry.id };
  const edits: MemberEdit[] = [session, { key: 'forkedFrom', value: JSON.stringify(origin) }];
  if (cuts) edits.push({ key: 'parentUuid', value: 'null' });
  return { span: entry, change: (bytes) => splice(bytes, edits) };
}

function splice(bytes: Buffer, edits: readonly MemberEdit[]): Buffer {
  return spliceObject(bytes, edits, { after: 'sessionId' }) ?? bytes;
}
