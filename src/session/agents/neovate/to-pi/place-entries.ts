import type { Entry, ModelRef } from '../../../model/entry.ts';
import type { Tree } from '../../../model/tree/tree.ts';
import type { LineFacts } from './line-facts.ts';
import type { Place } from './to-entries.ts';

export interface Placed {
  readonly entry: Entry;
  readonly place: Place;
}

/**
 * Places each message in pi's tree, in file order. The parent of a summary is the message before it in the
 * file, at which the agent made it. A command that a person typed goes into the message that says what came
 * of it, where nothing else is attached to it.
 */
export function placeEntries(
  messages: readonly Entry[],
  tree: Tree,
  { typed, ran, tokens }: LineFacts,
  fallbackTime: string,
): readonly Placed[] {
  const placed: Placed[] = [];
  const merged = new Set<Entry>();
  for (const entry of messages) {
    const command = ran.has(entry.offset) ? tree.parentOf(entry) : undefined;
    const isPair =
      command !== undefined && typed.has(command.offset) && tree.childrenOf(command).length === 1;
    if (isPair) merged.add(command);
  }
  let before: Entry | undefined;
  const models = new ModelChanges();
  for (const entry of messages) {
    if (merged.has(entry)) continue;
    const isSummary = entry.type === 'compaction';
    const parent = isSummary ? before : findParent(entry, tree, merged);
    placed.push({
      entry,
      place: {
        parentId: parent?.id ?? null,
        fallbackTime,
        isCommand: ran.has(entry.offset),
        tokensBefore: isSummary ? findTokens(parent, tree, tokens) : 0,
        newModel: models.add(entry, parent),
      },
    });
    before = entry;
  }
  return placed;
}

function findParent(entry: Entry, tree: Tree, merged: ReadonlySet<Entry>): Entry | undefined {
  let parent = tree.parentOf(entry);
  while (parent && merged.has(parent)) parent = tree.parentOf(parent);
  return parent;
}

/** Returns the tokens that the last answer above reported. */
function findTokens(
  from: Entry | undefined,
  tree: Tree,
  tokens: ReadonlyMap<number, number>,
): number {
  for (let at = from; at; at = tree.parentOf(at)) {
    const found = tokens.get(at.offset);
    if (found !== undefined) return found;
  }
  return 0;
}

/** The model of the answers of each path. */
class ModelChanges {
  readonly #models = new Map<Entry, ModelRef>();

  /** The model of an entry, if the last answer above it came from another. Parents come first. */
  add(entry: Entry, parent: Entry | undefined): ModelRef | undefined {
    const above = parent && this.#models.get(parent);
    const own = entry.model?.modelId === undefined ? above : entry.model;
    if (own) this.#models.set(entry, own);
    const isSame = own?.provider === above?.provider && own?.modelId === above?.modelId;
    return above === undefined || isSame ? undefined : own;
  }
}
