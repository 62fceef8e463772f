import { getString, type JsonObject, toTime } from '../../../session/jsonl/edit/json.ts';
import { getMessage } from '../../../session/agents/pi/format.ts';
import type { SessionTreeNode } from '../entries.ts';
import { asEntry } from '../../typed.ts';

interface LabelMark {
  readonly label: string;
  readonly timestamp: string | undefined;
}

/**
 * The entries of a session in memory, in file order, and what is looked up in them. Every walk
 * ends, also round a cycle; of entries with one id the last counts; one without an id is kept, and
 * is no one's parent.
 */
export class RecordTable {
  readonly #records: JsonObject[] = [];
  readonly #byId = new Map<string, JsonObject>();
  readonly #labels = new Map<string, LabelMark>();
  #hasConversation = false;

  constructor(records: Iterable<JsonObject> = []) {
    for (const record of records) this.add(record);
  }

  get records(): readonly JsonObject[] {
    return this.#records;
  }

  /** The labels as they are set now, by the entry that they mark. */
  get labels(): ReadonlyMap<string, LabelMark> {
    return this.#labels;
  }

  /**
   * Returns whether anything was said: until then, pi keeps a session in memory (before 1.0, until the first
   * answer).
   */
  get hasConversation(): boolean {
    return this.#hasConversation;
  }

  get lastId(): string | null {
    const last = this.#records.findLast(({ id }) => typeof id === 'string');
    return (last && getString(last, 'id')) ?? null;
  }

  add(record: JsonObject): void {
    this.#records.push(record);
    const id = getString(record, 'id');
    if (id !== undefined) this.#byId.set(id, record);
    if (record['type'] === 'label') this.#addLabel(record);
    this.#hasConversation ||= isSaid(record);
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): JsonObject | undefined {
    return this.#byId.get(id);
  }

  childrenOf(id: string): readonly JsonObject[] {
    return [...this.#byId.values()].filter((record) => record['parentId'] === id);
  }

  /** Returns the path from the root to an entry, root first; empty for null and for what is not there. */
  pathTo(id: string | null): readonly JsonObject[] {
    const path: JsonObject[] = [];
    const seen = new Set<JsonObject>();
    let at = id === null ? undefined : this.#byId.get(id);
    while (at && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      const parentId = getString(at, 'parentId');
      at = parentId === undefined ? undefined : this.#byId.get(parentId);
    }
    return path.toReversed();
  }

  /**
   * Builds the tree of pi's `getTree`: orphans are roots, too; entries on a cycle are below no
   * root.
   */
  toTree(): SessionTreeNode[] {
    const current = this.#records.filter((record) => this.#isCurrent(record));
    const nodes = new Map(current.map((record) => [record, this.#toNode(record)]));
    const roots: SessionTreeNode[] = [];
    for (const [record, node] of nodes) {
      const parent = this.#byId.get(getString(record, 'parentId') ?? '');
      const siblings = (parent && parent !== record && nodes.get(parent)?.children) || roots;
      siblings.push(node);
    }
    const time = ({ entry }: SessionTreeNode): number => toTime(entry.timestamp);
    for (const { children } of nodes.values()) children.sort((a, b) => time(a) - time(b) || 0);
    return roots;
  }

  #toNode(record: JsonObject): SessionTreeNode {
    const mark = this.#labels.get(getString(record, 'id') ?? '');
    return {
      entry: asEntry(record),
      children: [],
      ...(mark && { label: mark.label }),
      ...(mark?.timestamp !== undefined && { labelTimestamp: mark.timestamp }),
    };
  }

  /** Returns whether no later entry of the same id replaces a record. */
  #isCurrent(record: JsonObject): boolean {
    const id = getString(record, 'id');
    return id === undefined || this.#byId.get(id) === record;
  }

  #addLabel(record: JsonObject): void {
    const targetId = getString(record, 'targetId');
    if (targetId === undefined) return;
    const label = getString(record, 'label');
    if (label) this.#labels.set(targetId, { label, timestamp: getString(record, 'timestamp') });
    else this.#labels.delete(targetId);
  }
}

/** Returns whether an entry is what a person or the model said. */
export function isSaid(record: JsonObject): boolean {
  const role = getMessage(record)?.['role'];
  return role === 'user' || role === 'assistant';
}
