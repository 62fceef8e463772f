import { type ClaudeCodeEntry, isBoundary } from '../entry/to-entry.ts';

/** The entries of a file that the client holds in memory, with their parents. */
export class Loaded {
  readonly #byId = new Map<string, ClaudeCodeEntry>();
  /** The parents of entries that are not where their lines put them. */
  readonly #parentIds = new Map<ClaudeCodeEntry, string | null>();
  readonly #relinked = new Set<ClaudeCodeEntry>();

  /** The last of several lines of one id counts, in the place of the first. */
  constructor(entries: Iterable<ClaudeCodeEntry>) {
    const passed = new Map<string, string | null>();
    const broken = new Map<string, string | null>();
    for (const entry of entries) {
      const { id, aside } = entry;
      if (id === undefined || aside === true) continue;
      const written = isBoundary(entry) ? null : entry.parentId;
      // A child of a line of progress is attached to the parent of that line, if the line comes first.
      const above = written === null ? undefined : passed.get(written);
      const place = above === undefined ? written : above;
      if (entry.type === 'progress') passed.set(id, place);
      else if (entry.isBroken !== true) {
        this.#byId.set(id, entry);
        if (place !== entry.parentId) this.#parentIds.set(entry, place);
      } else if (!this.#byId.has(id)) broken.set(id, place);
    }
    if (broken.size > 0) this.#stepOver(broken);
  }

  /** Entries whose lines are broken are stepped over, wherever they stand. */
  #stepOver(broken: Map<string, string | null>): void {
    for (const node of this.#byId.values()) {
      const seen = new Set<string>();
      let id = this.parentIdOf(node);
      while (id !== null && !this.#byId.has(id) && broken.has(id)) {
        const above: string | null = seen.has(id) ? null : (broken.get(id) ?? null);
        seen.add(id);
        id = above;
      }
      if (seen.size > 0) this.#parentIds.set(node, id);
      for (const one of seen) broken.set(one, id);
    }
  }

  /** Iterates in the order of the first lines of their ids. */
  nodes(): IterableIterator<ClaudeCodeEntry> {
    return this.#byId.values();
  }

  get(id: string | null | undefined): ClaudeCodeEntry | undefined {
    return typeof id === 'string' ? this.#byId.get(id) : undefined;
  }

  has(node: ClaudeCodeEntry): boolean {
    return this.get(node.id) === node;
  }

  parentIdOf(node: ClaudeCodeEntry): string | null {
    const parentId = this.#parentIds.get(node);
    return parentId === undefined ? node.parentId : parentId;
  }

  parentOf(node: ClaudeCodeEntry): ClaudeCodeEntry | undefined {
    return this.get(this.parentIdOf(node));
  }

  attach(node: ClaudeCodeEntry, parentId: string | null): void {
    this.#parentIds.set(node, parentId);
    this.#relinked.add(node);
  }

  /** Returns whether it is attached where its line names, but for entries that are stepped over. */
  isAsWritten(node: ClaudeCodeEntry): boolean {
    return !this.#relinked.has(node);
  }

  drop(node: ClaudeCodeEntry): void {
    if (node.id !== undefined) this.#byId.delete(node.id);
  }
}
