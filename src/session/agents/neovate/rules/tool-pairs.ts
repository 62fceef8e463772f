import type { Entry } from '../../../model/entry.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { CheckedSession, Collector, FileFacts } from '../../../dialect/rule.ts';
import { remember } from '../../../rules/remember.ts';
import { checkMessages } from './message-lines.ts';
import type { Tree } from '../../../model/tree/tree.ts';
import { getParts } from '../format.ts';
import { getToolOutcomes } from '../entry/parts.ts';

interface Call {
  readonly id: string;
  readonly name: string;
  readonly entry: Entry;
}

/** A result, or a call with a result that another branch has. */
interface Place {
  readonly id: string;
  readonly entry: Entry;
  /** Whether the message says nothing else. */
  readonly isAlone: boolean;
}

interface Unpaired {
  readonly open: readonly Call[];
  readonly beside: readonly (Call & { readonly line: number })[];
  readonly stray: readonly Place[];
}

interface Uses {
  readonly calls: readonly Omit<Call, 'entry'>[];
  readonly results: readonly string[];
  readonly isOnlyResults: boolean;
}

/** Gathers the calls and results of messages: ids only, once for all rules. */
export class ToolPairs implements Collector {
  readonly line = checkMessages((message, { offset }) => this.#add(message, offset));
  readonly #byOffset = new Map<number, Uses>();
  readonly #beside = new Map<Entry, ReadonlyMap<string, number>>();
  readonly #findOn = remember((path: readonly Entry[], tree: Tree) => this.#pair(path, tree));

  #add(message: JsonObject, offset: number): void {
    const calls = getParts(message)
      .filter(({ type }) => type === 'tool_use')
      .map((part) => ({ id: getString(part, 'id') ?? '', name: getString(part, 'name') ?? '' }));
    const results = getToolOutcomes(message).map(({ callId }) => callId);
    const isOnlyResults = results.length > 0 && results.length === getParts(message).length;
    if (calls.length > 0 || results.length > 0) {
      this.#byOffset.set(offset, { calls, results, isOnlyResults });
    }
  }

  /** Pairs the calls and results of each path that is looked at, as the model would see them. */
  findUnpaired({ contexts, tree }: CheckedSession): Unpaired {
    const found = contexts.map((path) => this.#findOn(path, tree));
    const [first] = found;
    if (first && found.length === 1) return first;
    return {
      open: withoutRepeats(found.flatMap(({ open }) => open)),
      beside: withoutRepeats(found.flatMap(({ beside }) => beside)),
      stray: withoutRepeats(found.flatMap(({ stray }) => stray)),
    };
  }

  /** Returns whether a result has its call before it on one of all paths. */
  isPaired({ getAllContexts, tree }: CheckedSession, result: Entry): boolean {
    return getAllContexts().some(
      (path) =>
        path.includes(result) &&
        !this.#findOn(path, tree).stray.some(({ entry }) => entry === result),
    );
  }

  #pair(path: readonly Entry[], tree: Tree): Unpaired {
    const open = new Map<string, Call>();
    const called = new Set<string>();
    const stray: Place[] = [];
    for (const entry of path) {
      const uses = this.#byOffset.get(entry.offset);
      for (const call of uses?.calls ?? []) {
        open.set(call.id, { ...call, entry });
        called.add(call.id);
      }
      for (const id of uses?.results ?? []) {
        open.delete(id);
        if (!called.has(id)) {
          const isAlone =
            uses?.isOnlyResults === true && uses.results.every((one) => !called.has(one));
          stray.push({ id, entry, isAlone });
        }
      }
    }
    const calls = [...open.values()];
    const beside = calls.flatMap((call) => {
      const line = this.#findBeside(call.entry, tree).get(call.id);
      return line === undefined ? [] : { ...call, line };
    });
    const answered = new Set(beside.map(({ id }) => id));
    return { open: calls.filter(({ id }) => !answered.has(id)), beside, stray };
  }

  /** The lines of results that are attached to a call, by its id. */
  #findBeside(entry: Entry, tree: Tree): ReadonlyMap<string, number> {
    const known = this.#beside.get(entry);
    if (known) return known;
    const lines = new Map<string, number>();
    for (const { offset, line } of tree.childrenOf(entry)) {
      for (const id of this.#byOffset.get(offset)?.results ?? []) lines.set(id, line);
    }
    this.#beside.set(entry, lines);
    return lines;
  }
}

/** The pairs of a file, for all rules that ask. */
export const findToolPairs = remember((_: FileFacts) => new ToolPairs());

function withoutRepeats<T extends { readonly id: string; readonly entry: Entry }>(
  found: readonly T[],
): readonly T[] {
  return [...new Map(found.map((one) => [`${one.entry.offset} ${one.id}`, one])).values()];
}
