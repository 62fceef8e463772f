import { FileError } from '../../../../errors.ts';
import type { Entry, TitleLine } from '../../../model/entry.ts';
import { getEntryBefore } from '../../../model/tree/entry-before.ts';
import { findEntry } from '../../../model/tree/find-entry.ts';
import type {
  ForkWorld,
  InPlacePlan,
  InPlaceRequest,
  LabelChange,
  LeafMove,
} from '../../../dialect/forking.ts';
import type { LeftSummary } from '../../../dialect/hooks/tree-hooks.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { resolveLabels } from '../../../model/tree/labels.ts';
import type { Session } from '../../../model/session.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';
import { treeOf, getCurrentPath, type Tree, findLeftBehind } from '../../../model/tree/tree.ts';
import { parseStoredLine } from '../../../read/turns/payloads.ts';
import type { LineTransform } from '../../../jsonl/write/line-transform.ts';
import { CURRENT_VERSION } from '../format.ts';
import { fitTitle, inherit, toTitleSlot } from '../title-slot.ts';
import { createEntryId } from '../places/session-place.ts';
import { assertForkable, getForkPath } from './plan-forks.ts';
import { toSummaryEntry } from './summarize-left.ts';

/** Marks the entry that the session continues from, which pi itself knows only while it runs. */
export const LEAF_TYPE = 'coppice.leaf';

const MARKS: ReadonlySet<string> = new Set(['label', 'session_info', 'title_change']);

/** Entries that leave the conversation where it is. */
function isMark({ type, customType }: Entry): boolean {
  return MARKS.has(type) || customType === LEAF_TYPE;
}

/**
 * Plans the entries that pi 0.87.1 appends on `/tree`, `/name` and for a label, in this order. pi continues
 * from the last entry of a file: without a summary, a `custom` entry below the target makes that the leaf.
 */
export function planInPlace(
  session: Session,
  { move: start, summarizes, name, labels }: InPlaceRequest,
  world: ForkWorld,
): InPlacePlan {
  assertForkable(session);
  if (session.formatVersion < CURRENT_VERSION) {
    const message = `is of format version ${session.formatVersion}: migrate it first`;
    throw new FileError(session.path, 'version-outdated', message);
  }
  const tree = treeOf(session);
  const marks = new Marks(session, tree);
  const move = start && marks.move(toMove(session, tree, start), summarizes);
  if (name !== undefined) marks.rename(toOneLine(name));
  for (const label of labels) marks.label(label);
  const { changes, unchanged, entries, title } = marks;
  const toChange: InPlacePlan['toChange'] = async (summary, readLine) => {
    const chain = new Chain(tree, world, move ? (move.target?.id ?? null) : undefined);
    if (move && summary) chain.addSummary(summary, tree.leaf?.id);
    else if (move) chain.add({ type: 'custom', customType: LEAF_TYPE });
    for (const entry of entries) chain.add(entry);
    if (!title) return { kind: 'append', entries: chain.entries };
    const slot = parseStoredLine(await readLine(title.line), title.line, session.path);
    const updatedAt = new Date(world.now()).toISOString();
    const first = toTitleSlot(inherit(slot, title.name, updatedAt));
    return { kind: 'rewrite', transform: retitle(session, first, chain.entries) };
  };
  return { changes, unchanged, move, toChange };
}

/** Writes another title on the first line, and entries behind the last line that is read. */
function retitle(
  { header, entries }: Session,
  first: string,
  added: readonly JsonObject[],
): LineTransform {
  const last = entries.at(-1)?.line ?? header?.line;
  return ({ number, bytes }) => {
    if (number === 1) return [first, '\n'];
    if (number !== last) return undefined;
    return [bytes, '\n', ...added.flatMap((entry) => [JSON.stringify(entry), '\n'])];
  };
}

function toMove(
  session: Session,
  tree: Tree,
  { kind, entry }: NonNullable<InPlaceRequest['move']>,
): LeafMove {
  const named = findEntry(session, tree, entry);
  const target = kind === 'before' ? getEntryBefore(session, tree, named) : named;
  const path = getForkPath(session, tree, target);
  const left = findLeftBehind(getCurrentPath(tree), path);
  return { target, left, ...(kind === 'before' && { message: named }) };
}

/** The requested marks, sorted into changes and those that hold already. */
class Marks {
  readonly changes: string[] = [];
  readonly unchanged: string[] = [];
  /** The entries to append, without their places. */
  readonly entries: JsonObject[] = [];
  /** The line that oh-my-pi keeps the name on, and what is to be there. */
  title: { readonly line: TitleLine; readonly name: string } | undefined;
  readonly #session: Session;
  readonly #tree: Tree;

  constructor(session: Session, tree: Tree) {
    this.#session = session;
    this.#tree = tree;
  }

  /** Undefined where the session continues from the target anyway. */
  move(move: LeafMove, summarizes: boolean): LeafMove | undefined {
    const { target } = move;
    const where = target ? `from ${target.id}` : 'before the first entry';
    const isThere = this.#continuesFrom(target, summarizes);
    (isThere ? this.unchanged : this.changes).push(`continues ${where}`);
    return isThere ? undefined : move;
  }

  rename(name: string): void {
    const current = this.#session.entries.findLast(({ type }) => type === 'session_info')?.name;
    const line = this.#session.header?.title;
    if (!line) return this.#mark(`named ${name}`, current === name, { type: 'session_info', name });
    const isSo = line.name === fitTitle(name) && (current === undefined || current === name);
    this.#mark(`named ${name}`, isSo, toTitleChange(line.name, name));
    if (isSo) return;
    this.title = { line, name };
    if (current !== undefined) this.entries.push({ type: 'session_info', name });
  }

  label({ entry, text }: LabelChange): void {
    const { id: targetId } = findEntry(this.#session, this.#tree, entry);
    if (targetId === undefined) return;
    const label = toOneLine(text) || undefined;
    const current = resolveLabels(this.#session.entries).get(targetId)?.text;
    const reason = label === undefined ? `no label on ${targetId}` : `${targetId} labeled ${label}`;
    this.#mark(reason, current === label, { type: 'label', targetId, ...(label && { label }) });
  }

  #mark(reason: string, isSo: boolean, entry: JsonObject): void {
    (isSo ? this.unchanged : this.changes).push(reason);
    if (!isSo) this.entries.push(entry);
  }

  /** Returns whether nothing is between the current leaf and the target but marks, or a summary there. */
  #continuesFrom(target: Entry | undefined, summarizes: boolean): boolean {
    for (const entry of getCurrentPath(this.#tree).toReversed()) {
      if (entry === target) return true;
      const isSummary = summarizes && entry.type === 'branch_summary';
      const isThere = isSummary && this.#tree.parentOf(entry) === target;
      if (!isThere && !isMark(entry)) return false;
    }
    return target === undefined;
  }
}

/** The entry by which oh-my-pi records that a person has changed the name. */
function toTitleChange(previousTitle: string, title: string): JsonObject {
  const previous = previousTitle !== '' && { previousTitle };
  return { type: 'title_change', title, source: 'user', ...previous };
}

/** New entries, each the child of the one before it. */
class Chain {
  readonly entries: JsonObject[] = [];
  readonly #ids = new Set<string>();
  readonly #tree: Tree;
  readonly #world: ForkWorld;
  #parentId: string | null | undefined;

  /** `parentId`: of the first entry; the current leaf unless given. */
  constructor(tree: Tree, world: ForkWorld, parentId: string | null | undefined) {
    this.#tree = tree;
    this.#world = world;
    this.#parentId = parentId === undefined ? tree.leaf?.id : parentId;
  }

  add({ type, ...fields }: JsonObject): void {
    const timestamp = new Date(this.#world.now()).toISOString();
    this.entries.push({ type, ...this.#takePlace(), timestamp, ...fields });
  }

  addSummary(summary: LeftSummary, leftId: string | undefined): void {
    const place = { ...this.#takePlace(), leftId };
    this.entries.push(toSummaryEntry(summary, place, this.#world.now()));
  }

  #takePlace(): { id: string; parentId: string | null } {
    const { createId } = this.#world;
    const isTaken = (id: string) => this.#ids.has(id) || this.#tree.get(id) !== undefined;
    const id = createEntryId(createId, isTaken);
    const parentId = this.#parentId ?? null;
    this.#ids.add(id);
    this.#parentId = id;
    return { id, parentId };
  }
}
