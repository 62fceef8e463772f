import { copyFileSync, readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue } from '../../../src/session/jsonl/edit/json.ts';
import type { Json, Reference, ReferenceContext } from '../reference.ts';

export interface LeafContext {
  readonly id: string;
  readonly context: ReferenceContext;
}

/** A session as it was at one moment, and what the newest pi shows the model of it. */
export class View {
  readonly path: string;
  readonly text: string;
  readonly #reference: Reference;
  #ends: Promise<{ leafId: string | null; contexts: readonly LeafContext[] }> | undefined;

  /** Copies the session to `path`, where no command comes. */
  constructor(reference: Reference, session: string, path: string) {
    copyFileSync(session, path);
    this.path = path;
    this.text = readFileSync(path, 'utf8');
    this.#reference = reference;
  }

  get lines(): readonly JsonObject[] {
    const lines = this.text.split('\n').filter((line) => line !== '');
    return lines.map((line): JsonObject => JSON.parse(line));
  }

  /** Without the headers that some releases wrote among them. */
  get entries(): readonly JsonObject[] {
    return this.lines.filter(({ type }) => type !== 'session');
  }

  get version(): number {
    const version = this.lines[0]?.['version'];
    return typeof version === 'number' ? version : 1;
  }

  /** Those that the file gives its entries; none in old versions. */
  get ids(): readonly string[] {
    return this.entries.flatMap(({ id }) => (typeof id === 'string' ? id : []));
  }

  /** Whether each entry hangs on another or is a root, and has an id of its own. */
  get isSound(): boolean {
    const ids = new Set<unknown>([null, ...this.ids]);
    const isTree = this.entries.every(({ parentId }) => ids.has(parentId));
    return isTree && ids.size === this.entries.length + 1;
  }

  /** The labels that are set, by entry. */
  get labels(): ReadonlyMap<string, JsonValue> {
    const labels = new Map<string, JsonValue>();
    for (const { type, targetId, label } of this.entries) {
      if (type !== 'label' || typeof targetId !== 'string') continue;
      if (label) labels.set(targetId, label);
      else labels.delete(targetId);
    }
    return labels;
  }

  get name(): JsonValue | undefined {
    return this.entries.findLast(({ type }) => type === 'session_info')?.['name'];
  }

  /** Where each branch ends that is more than labels; in old versions, which have no ids, nowhere. */
  get tips(): readonly string[] {
    const byId = new Map(this.entries.map((entry) => [entry['id'], entry]));
    const parents = new Set<unknown>();
    const said = this.entries.filter(({ type }) => type !== 'label');
    for (const entry of said) {
      let parent = byId.get(entry['parentId']);
      while (parent?.['type'] === 'label') parent = byId.get(parent['parentId']);
      parents.add(parent?.['id']);
    }
    return said.flatMap(({ id }) => (typeof id === 'string' && !parents.has(id) ? id : []));
  }

  /** At the end of each branch, in file order. */
  async ends(): Promise<readonly LeafContext[]> {
    return (await this.#askEnds()).contexts;
  }

  async leafId(): Promise<string | null> {
    return (await this.#askEnds()).leafId;
  }

  async current(): Promise<ReferenceContext> {
    const { leafId, contexts } = await this.#askEnds();
    return contexts.find(({ id }) => id === leafId)?.context ?? EMPTY;
  }

  async at(ids: readonly string[]): Promise<readonly ReferenceContext[]> {
    const { contexts } = await this.#reference.ask({ ask: 'contexts', path: this.path, ids });
    return contexts.map(({ context }) => forgetOrigins(context));
  }

  #askEnds() {
    const { path } = this;
    const toEnds = async () => {
      const { leafId, contexts } = await this.#reference.ask({ ask: 'contexts', path, ids: null });
      const ends = contexts.map(({ id, context }) => ({ id, context: forgetOrigins(context) }));
      return { leafId, contexts: ends };
    };
    this.#ends ??= toEnds();
    return this.#ends;
  }
}

/** Of a session without entries, or before its first one. */
export const EMPTY: ReferenceContext = { messages: [], thinkingLevel: 'off', model: null };

/** Which leaf a summary stands for is not a word to the model, and may be gone. */
export function forgetOrigins(context: ReferenceContext): ReferenceContext {
  return { ...context, messages: context.messages.map(forgetOrigin) };
}

function forgetOrigin(message: Json): Json {
  return isObject(message) && 'fromId' in message ? { ...message, fromId: null } : message;
}
