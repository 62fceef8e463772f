import type { SummaryFacts } from '../../../../dialect/dialect.ts';
import type { Problem } from '../../../../model/summary.ts';
import { type ClaudeCodeEntry, isBoundary, isMessage, isPassed } from '../../entry/to-entry.ts';
import { NO_CONVERSATION } from '../leaf/find-leaf.ts';
import { LeafRecordReader } from '../leaf/leaf-record.ts';
import { MAX_LOADED_BYTES } from '../tree/place-nodes.ts';
import { Column } from './column.ts';

/** The facts about a session that depend on how its lines are attached to each other. */
export type Counts = Pick<
  SummaryFacts,
  | 'messageCount'
  | 'branchMessageCount'
  | 'entryCount'
  | 'leafCount'
  | 'compactionCount'
  | 'userMessageCount'
  | 'workCount'
  | 'problem'
>;

/** The facts about a node, a bit each. Above them is the number of the answer that its line belongs to. */
const IS_MESSAGE = 1;
const IS_USER = 2;
const IS_META = 4;
const IS_INNER = 8;
const IS_RESULT = 16;
const ANSWER_SHIFT = 5;
const MAX_ANSWERS = 2 ** (31 - ANSWER_SHIFT) - 1;

const NO_NODE = -1;
/** The conversation continues behind one of the results of an answer: none of them ends a branch. */
const CONTINUED = -1;

/** Returns whether an entry is a prompt that was typed while the agent worked. */
export function isQueued({ type, customType, isMeta }: ClaudeCodeEntry): boolean {
  return type === 'attachment' && customType === 'queued_command' && isMeta !== true;
}

/** Counts those on the path, which the client shows, and those of every branch, with prompts typed during a turn. */
export function countMessages(
  messageCount: number,
  all: number,
): Pick<Counts, 'messageCount' | 'branchMessageCount'> {
  return { messageCount, ...(all > messageCount && { branchMessageCount: all }) };
}

/**
 * Counts what a listing shows of a tree, where that can be seen without building it: each line names a
 * line above it or none, no id has two lines, and each entry stands where its line says. A tree in which
 * anything else occurs is refused. Of a node it keeps the id, and eight bytes.
 */
export class PlainTree {
  readonly #places = new Map<string, number>();
  readonly #answers = new Map<string, number>();
  readonly #parents = new Column();
  readonly #facts = new Column();
  readonly #record = new LeafRecordReader();
  #isRefused = false;
  #lastId: string | undefined;
  #asides = 0;
  #names = 0;
  #compactions = 0;
  #users = 0;
  #queued = 0;
  #metas = 0;
  #lastMessage = NO_NODE;
  /** The last message before each boundary: what it has summarized ends there. */
  readonly #closed = new Set<number>();
  /** The last boundary, and the first of the nodes that lines behind it name. */
  #boundary = NO_NODE;
  #firstNamed = Infinity;

  get isRefused(): boolean {
    return this.#isRefused;
  }

  add(entry: ClaudeCodeEntry): void {
    if (entry.aside !== true) this.#isRefused ||= !this.#addNode(entry);
    else {
      this.#asides += 1;
      if (entry.name !== undefined) this.#names += 1;
    }
    this.#record.add(entry);
  }

  /** Undefined where the tree is refused. `size`: of the file. */
  count(size: number): Counts | undefined {
    if (this.#isRefused) return undefined;
    // The client reads nothing before the last boundary of a large file.
    const start = size > MAX_LOADED_BYTES ? Math.max(this.#boundary, 0) : 0;
    if (this.#firstNamed < start) return undefined;
    if (this.#record.isEmptied) return this.#describe(NO_NODE);
    if (this.#lastMessage < start) {
      // The client opens a session without a message that holds any other entry.
      return this.#facts.length > start ? undefined : this.#describe(NO_NODE, NO_CONVERSATION);
    }
    const leaf = this.#findLeaf(start);
    return leaf === undefined ? undefined : this.#describe(leaf);
  }

  /** Returns whether the node can be counted so. */
  #addNode(entry: ClaudeCodeEntry): boolean {
    const { id, parentId, role } = entry;
    const place = this.#facts.length;
    if (!id || isPassed(entry) || entry.isSidechain === true || entry.preserved) return false;
    const parent = parentId === null ? NO_NODE : this.#findPlace(parentId);
    if (parent === undefined) return false;
    if (isBoundary(entry)) {
      if (parentId !== null) return false;
      this.#boundary = place;
      this.#firstNamed = Infinity;
      this.#closed.add(this.#lastMessage);
      this.#compactions += 1;
    }
    this.#places.set(id, place);
    if (this.#places.size === place) return false;
    this.#lastId = id;
    if (parent !== NO_NODE) {
      this.#firstNamed = Math.min(this.#firstNamed, parent);
      this.#facts.set(parent, this.#facts.at(parent) | IS_INNER);
    }
    this.#parents.push(parent);
    let facts = 0;
    if (isMessage(entry)) {
      facts |= IS_MESSAGE;
      this.#lastMessage = place;
      if (role === 'user') {
        facts |= IS_USER;
        this.#users += 1;
      }
      if (role === 'toolResult') facts |= IS_RESULT;
    }
    if (entry.isMeta === true) {
      facts |= IS_META;
      this.#metas += 1;
    }
    if (isQueued(entry)) this.#queued += 1;
    if (role === 'assistant') facts |= this.#findAnswer(entry.messageId ?? id) << ANSWER_SHIFT;
    this.#facts.push(facts);
    return this.#answers.size < MAX_ANSWERS;
  }

  #findPlace(id: string): number | undefined {
    return id === this.#lastId ? this.#facts.length - 1 : this.#places.get(id);
  }

  #findAnswer(id: string): number {
    const known = this.#answers.get(id) ?? this.#answers.size + 1;
    this.#answers.set(id, known);
    return known;
  }

  /** Finds the message at which the client continues, as `findLeaf` does; undefined where that takes more. */
  #findLeaf(start: number): number | undefined {
    const { id, lastId, newestId, isPinned, isRecorded } = this.#record;
    const last = this.#places.get(lastId ?? '');
    const recorded = this.#places.get(id ?? '') ?? NO_NODE;
    if (last === undefined) return undefined;
    if (recorded >= start) {
      if (isPinned) return this.#findMessage(recorded);
      return this.#isBelow(last, recorded) ? this.#findMessage(last) : undefined;
    }
    const isNewest = isRecorded || newestId === undefined || newestId === lastId;
    // Nothing that is newer continues from an entry to which nothing is attached.
    return isNewest || (this.#facts.at(last) & IS_INNER) === 0
      ? this.#findMessage(last)
      : undefined;
  }

  /** Returns whether a node is another one, or below it. */
  #isBelow(node: number, above: number): boolean {
    let at = node;
    while (at > above) at = this.#parents.at(at);
    return at === above;
  }

  #findMessage(node: number): number | undefined {
    let at = node;
    while (at !== NO_NODE && (this.#facts.at(at) & IS_MESSAGE) === 0) at = this.#parents.at(at);
    return at === NO_NODE ? undefined : at;
  }

  /** Counts the ends of branches, as `findEnds` finds them. */
  #countEnds(): number {
    const isInner = this.#findInner();
    let count = 0;
    /** Whether the last result of an answer ends a branch. */
    const results = new Map<number, number>();
    for (let at = 0; at < this.#facts.length; at += 1) {
      const facts = this.#facts.at(at);
      if ((facts & IS_MESSAGE) === 0) continue;
      const call =
        (facts & IS_RESULT) === 0 ? 0 : this.#facts.at(this.#parents.at(at)) >>> ANSWER_SHIFT;
      const isEnd = isInner[at] === 0 && !this.#closed.has(at);
      if (call === 0) count += isEnd ? 1 : 0;
      else if (isInner[at] === 1) results.set(call, CONTINUED);
      else if (results.get(call) !== CONTINUED) results.set(call, isEnd ? 1 : 0);
    }
    for (const ends of results.values()) count += Math.max(ends, 0);
    return count;
  }

  /** Finds all nodes above messages: 1 for each. A parent stands before what continues from it. */
  #findInner(): Uint8Array {
    const isInner = new Uint8Array(this.#facts.length);
    for (let at = isInner.length - 1; at >= 0; at -= 1) {
      const parent = this.#parents.at(at);
      const isAbove = isInner[at] === 1 || (this.#facts.at(at) & IS_MESSAGE) !== 0;
      if (isAbove && parent !== NO_NODE) isInner[parent] = 1;
    }
    return isInner;
  }

  #describe(leaf: number, problem?: Problem): Counts | undefined {
    const seen = new Uint8Array(this.#answers.size + 1);
    let [messages, metas] = [0, 0];
    for (let at = leaf; at !== NO_NODE; at = this.#parents.at(at)) {
      const facts = this.#facts.at(at);
      if (facts & IS_USER) messages += 1;
      if (facts & IS_META) metas += 1;
      const answer = facts >>> ANSWER_SHIFT;
      if (answer === 0 || seen[answer] === 1) continue;
      seen[answer] = 1;
      messages += 1;
    }
    // The client reads some of those that stand beside the path, too.
    if (leaf !== NO_NODE && metas !== this.#metas) return undefined;
    const nodes = this.#facts.length;
    return {
      ...countMessages(messages, this.#users + this.#queued + this.#answers.size),
      entryCount: nodes + this.#asides,
      leafCount: this.#countEnds(),
      compactionCount: this.#compactions,
      userMessageCount: this.#users,
      workCount: nodes + this.#names,
      ...(problem && { problem }),
    };
  }
}
