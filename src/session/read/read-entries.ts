import type { Dialect, EntryDescription } from '../dialect/dialect.ts';
import type { Entry } from '../model/entry.ts';
import type { Session } from '../model/session.ts';
import { isInContext } from '../model/text/conversation.ts';
import { type JsonObject, toIso } from '../jsonl/edit/json.ts';
import { resolveLabels } from '../model/tree/labels.ts';
import type { ReadLinesOptions } from '../jsonl/read/read-lines.ts';
import { readSession } from './read-session.ts';
import { selectContext } from './select-entries.ts';
import { readTurns } from './turns/turns.ts';
import { treeOf, getCurrentPath, type Tree, type TreeStep, walkTree } from '../model/tree/tree.ts';

export const ENTRY_FILTERS = ['default', 'no-tools', 'user-only', 'labeled-only', 'all'] as const;

/** The choice of entries to show, as in pi's `/tree`. */
export type EntryFilter = (typeof ENTRY_FILTERS)[number];

/** One entry in the tree of its session. */
export interface ListedEntry {
  readonly id: string | null;
  readonly parentId: string | null;
  readonly type: string;
  readonly role: string | null;
  readonly timestamp: string | null;
  /** Entries between it and its root, itself not counted. */
  readonly depth: number;
  /** Branch points between it and its root: how far a tree view indents it. */
  readonly branchDepth: number;
  readonly line: number;
  readonly label: string | null;
  /** The beginning of its text. */
  readonly preview: string;
  /** It is on the path from the root to the current leaf. */
  readonly onPath: boolean;
  /** Whether the model is sent it, or what replaces it, when the session continues. */
  readonly inContext: boolean;
  /** Whether the filter that was asked for shows it. */
  readonly visible: boolean;
}

/**
 * Every entry of a session: what stands aside, then the tree, depth first, siblings oldest first,
 * and last what no root leads to: entries on a cycle, and those whose id a later entry has.
 * @throws FileError if the file cannot be read or is not a session.
 */
export async function readEntries(
  path: string,
  filter: EntryFilter,
  options: ReadLinesOptions,
): Promise<readonly ListedEntry[]> {
  const described = new Descriptions();
  const { session, dialect } = await readSession(path, {
    ...options,
    onLine: (own, line, content, file) => {
      if (content.kind === 'object') described.add({ line, file }, describe(own, content.value));
    },
  });
  const tree = treeOf(session);
  const onPath = new Set(getCurrentPath(tree));
  const inContext = await findContext(session, dialect, tree, described);
  const labels = resolveLabels(session.entries);
  return arrange(session.entries, tree).flatMap(({ entry, depth, branchDepth, isApart }) => {
    const label = entry.id === undefined ? undefined : labels.get(entry.id)?.text;
    const description = described.get(entry);
    if (!description) return [];
    const isLeaf = entry === tree.leaf;
    const isLabeled = label !== undefined;
    return {
      id: entry.id ?? null,
      parentId: entry.parentId,
      type: entry.type,
      role: entry.role ?? null,
      timestamp: toIso(entry.time) ?? null,
      depth,
      branchDepth,
      line: entry.line,
      label: label ?? null,
      preview: description.preview,
      onPath: onPath.has(entry),
      inContext: inContext.has(entry),
      visible: !isApart && isShown(description, filter, isLabeled, isLeaf),
    };
  });
}

interface Described extends EntryDescription {
  /** Whether it says something to the model, if no edit is about it. */
  readonly isSaid: boolean;
}

function describe({ entries }: Pick<Dialect, 'entries'>, value: JsonObject): Described {
  const { preview, visibility } = entries.describe(value);
  return {
    preview: copyText(preview),
    visibility,
    isSaid: entries.toTurns(value).some(isInContext),
  };
}

/** A copy: a piece of a long text would keep all of it in memory, but V8 copies what it joins. */
function copyText(text: string): string {
  return `${text} `.slice(0, -1);
}

type Place = Pick<Entry, 'line' | 'file'>;

/** The descriptions of lines, of one file or several. */
class Descriptions {
  readonly #files = new Map<string | undefined, Described[]>();

  add({ line, file }: Place, described: Described): void {
    const lines = this.#files.get(file) ?? [];
    lines[line] = described;
    this.#files.set(file, lines);
  }

  get({ line, file }: Place): Described | undefined {
    return this.#files.get(file)?.[line];
  }
}

interface Placed extends TreeStep {
  /** It is in no tree that the agent shows. */
  readonly isApart: boolean;
}

function arrange(entries: readonly Entry[], tree: Tree): readonly Placed[] {
  const walked = new Set<Entry>();
  // Named one by one: a spread with another member behind it takes Node 20 as long as parsing a line.
  const steps = Array.from(walkTree(tree), ({ entry, depth, branchDepth }) => {
    walked.add(entry);
    return { entry, depth, branchDepth, isApart: false };
  });
  const others = entries
    .filter((entry) => !walked.has(entry))
    .map((entry) => ({ entry, depth: 0, branchDepth: 0, isApart: entry.aside !== true }));
  const aside = others.filter(({ isApart }) => !isApart);
  return [...aside, ...steps, ...others.filter(({ isApart }) => isApart)];
}

/**
 * The entries that say something to the model. Only those that an edit is about are read again, and those of an older
 * version that would say nothing as they are stored: the index has the role that they get.
 */
async function findContext(
  { path, formatVersion }: Session,
  dialect: Dialect,
  tree: Tree,
  described: Descriptions,
): Promise<ReadonlySet<Entry>> {
  const { entries, edits } = selectContext(dialect, getCurrentPath(tree));
  const isEdited = ({ id }: Entry): boolean => id !== undefined && edits.has(id);
  const isSaid = (entry: Entry): boolean => described.get(entry)?.isSaid === true;
  const isOld = formatVersion < dialect.currentVersion;
  const isReread = (one: Entry): boolean =>
    isEdited(one) || (isOld && one.role !== undefined && !isSaid(one));
  const sent = new Set(entries.filter((one) => !isReread(one) && isSaid(one)));
  const source = { path, dialect, entries: entries.filter(isReread), edits };
  for await (const turn of readTurns(source)) {
    if (isInContext(turn)) sent.add(turn.entry);
  }
  return sent;
}

function isShown(
  { visibility }: EntryDescription,
  filter: EntryFilter,
  isLabeled: boolean,
  isLeaf: boolean,
): boolean {
  if (visibility === 'never' || (visibility === 'silent' && !isLeaf)) return false;
  switch (filter) {
    case 'all':
      return true;
    case 'user-only':
      return visibility === 'user';
    case 'labeled-only':
      return isLabeled;
    case 'no-tools':
      return visibility !== 'bookkeeping' && visibility !== 'tool';
    case 'default':
      return visibility !== 'bookkeeping';
  }
}
