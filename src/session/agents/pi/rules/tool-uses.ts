import type { Entry } from '../../../model/entry.ts';
import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { findEdits } from '../context/context.ts';
import { getMessage } from '../format.ts';
import type { FileFacts } from '../../../dialect/rule.ts';
import type { UnparsedEntry } from '../../../dialect/fold.ts';

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly entry: Entry;
}

interface ToolResult {
  readonly callId: string;
  readonly entry: Entry;
}

interface Unpaired {
  /** Calls that no result follows. */
  readonly calls: readonly ToolCall[];
  /** Results that no call goes before. */
  readonly results: readonly ToolResult[];
}

type Call = Omit<ToolCall, 'entry'>;

/** What an entry does with tools; for an edit, what its target does from then on. */
interface ToolUse {
  readonly calls: readonly Call[];
  readonly resultOf: string | undefined;
  readonly omits?: boolean;
}

const NO_CALLS: readonly Call[] = [];
/** Answers that pi leaves out when it replays the context, with the calls in them. */
const NOT_REPLAYED: ReadonlySet<unknown> = new Set(['error', 'aborted']);

const ofFile = new WeakMap<FileFacts, ToolUses>();

/** Collects, line by line, which entries call tools or hold their results: ids only. */
export class ToolUses {
  readonly #byOffset = new Map<number, ToolUse>();
  #lastOffset = -1;
  #unpaired: Unpaired | undefined;

  /** The one of a file, for all rules that ask. */
  static of(file: FileFacts): ToolUses {
    let uses = ofFile.get(file);
    if (!uses) ofFile.set(file, (uses = new ToolUses()));
    return uses;
  }

  /** Adding the same line again, in a row, does nothing. */
  add(entry: JsonObject, line: Line): void {
    if (line.offset === this.#lastOffset) return;
    this.#lastOffset = line.offset;
    const use = toToolUse(entry);
    if (use) this.#byOffset.set(line.offset, use);
  }

  /** The same of an entry whose line was not parsed. */
  addUnparsed(unparsed: UnparsedEntry): void {
    const { offset } = unparsed.entry;
    if (offset === this.#lastOffset) return;
    this.#lastOffset = offset;
    const doesNothing = unparsed.calls.length === 0 && unparsed.resultOf === undefined;
    if (!doesNothing) this.#byOffset.set(offset, unparsed);
  }

  /** Pairs calls and results as the model would see them, context edits applied. */
  findUnpaired(context: readonly Entry[]): Unpaired {
    return (this.#unpaired ??= this.#pair(context));
  }

  #pair(context: readonly Entry[]): Unpaired {
    const edits = findEdits(context);
    const open = new Set<ToolCall>();
    const latest = new Map<string, ToolCall>();
    const results: ToolResult[] = [];
    for (const entry of context) {
      const use = this.#byOffset.get(entry.offset);
      if (!use || entry.type === 'context_edit') continue;
      const edit = entry.id === undefined ? undefined : edits.get(entry.id);
      const edited = edit && this.#byOffset.get(edit.offset);
      if (edited?.omits) continue;
      for (const { id, name } of use.resultOf === undefined && edited ? edited.calls : use.calls) {
        const call = { id, name, entry };
        open.add(call);
        latest.set(id, call);
      }
      if (use.resultOf === undefined) continue;
      const call = latest.get(use.resultOf);
      if (call) open.delete(call);
      else results.push({ callId: use.resultOf, entry });
    }
    return { calls: [...open], results };
  }
}

/** Undefined for an entry that has nothing to do with tools. */
export function toToolUse(entry: JsonObject): ToolUse | undefined {
  if (entry['type'] === 'context_edit') {
    const calls = getCalls(getObject(entry, 'replacement')?.['content']);
    return { calls, resultOf: undefined, omits: entry['replacement'] === null };
  }
  const message = getMessage(entry);
  if (message?.['role'] === 'toolResult') {
    const resultOf = getString(message, 'toolCallId');
    return resultOf === undefined ? undefined : { calls: NO_CALLS, resultOf };
  }
  if (message?.['role'] !== 'assistant' || NOT_REPLAYED.has(message['stopReason']))
    return undefined;
  const calls = getCalls(message['content']);
  return calls.length > 0 ? { calls, resultOf: undefined } : undefined;
}

function getCalls(content: JsonValue | undefined): readonly Call[] {
  if (!isArray(content)) return NO_CALLS;
  const calls: Call[] = [];
  for (const block of content) {
    if (!isObject(block) || block['type'] !== 'toolCall') continue;
    const id = getString(block, 'id');
    if (id !== undefined) calls.push({ id, name: getString(block, 'name') ?? '' });
  }
  return calls;
}
