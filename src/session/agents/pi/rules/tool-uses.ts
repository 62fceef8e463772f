import type { Entry } from '../../../model/entry.ts';
import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import { findEdits } from '../context/context.ts';
import { getMessage } from '../format.ts';
import type { Collector, FileFacts, VisitLine } from '../../../dialect/rule.ts';
import { remember } from '../../../rules/remember.ts';
import { checkEntries } from './entry-lines.ts';
import type { UnparsedEntry } from '../../../dialect/known-shapes.ts';

interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly entry: Entry;
}

interface ToolResult {
  readonly callId: string;
  readonly entry: Entry;
  /** The reason why the provider refuses it, as the end of a sentence. */
  readonly fault: string;
}

interface Unpaired {
  /** Calls that no result follows. */
  readonly calls: readonly ToolCall[];
  /** Results that a provider refuses. */
  readonly results: readonly ToolResult[];
}

type Call = Omit<ToolCall, 'entry'>;

/** The tool calls or the result of an entry; of an edit, those that its target has from then on. */
interface ToolUse {
  readonly calls: readonly Call[];
  readonly resultOf: string | undefined;
  readonly omits?: boolean;
}

const NO_CALLS: readonly Call[] = [];
/** Answers that pi leaves out when it replays the context, with the calls in them. */
const NOT_REPLAYED: ReadonlySet<unknown> = new Set(['error', 'aborted']);

const LOST = 'which is not in the context before it';
const LATE = 'which it does not follow at once';
const SECOND = 'which has one before it';

const SAID: ReadonlySet<string | undefined> = new Set(['user', 'assistant', 'custom']);
const TOLD: ReadonlySet<string> = new Set(['custom_message', 'branch_summary', 'compaction']);

/** Returns whether pi takes it that results which have not come by then will not come. */
function interrupts({ type, role }: Entry): boolean {
  return type === 'message' ? SAID.has(role) : TOLD.has(type);
}

/** Collects, line by line, which entries call tools or hold their results: ids only. */
class ToolUses implements Collector {
  readonly line: VisitLine;
  readonly #byOffset = new Map<number, ToolUse>();
  readonly #findIn = remember((context: readonly Entry[]) => this.#pair(context));

  constructor({ framing }: FileFacts) {
    this.line = checkEntries(framing, (entry, { offset }) => {
      const use = toToolUse(entry);
      if (use) this.#byOffset.set(offset, use);
    });
  }

  unparsed({ entry, ...use }: UnparsedEntry): void {
    const doesNothing = use.calls.length === 0 && use.resultOf === undefined;
    if (!doesNothing) this.#byOffset.set(entry.offset, use);
  }

  /** Finds the calls and results that are unpaired in one of several contexts, each once. */
  findUnpaired(contexts: readonly (readonly Entry[])[]): Unpaired {
    const found = contexts.map((context) => this.#findIn(context));
    const [first] = found;
    if (first && found.length === 1) return first;
    const calls = found.flatMap((one) => one.calls);
    const results = found.flatMap((one) => one.results);
    return {
      calls: [...new Map(calls.map((call) => [`${call.entry.offset} ${call.id}`, call])).values()],
      results: [...new Map(results.map((result) => [result.entry, result])).values()],
    };
  }

  /** Returns whether a result answers its call in one of these contexts. */
  isPairedIn(contexts: readonly (readonly Entry[])[], result: Entry): boolean {
    return contexts.some(
      (context) =>
        context.includes(result) &&
        !this.#findIn(context).results.some(({ entry }) => entry === result),
    );
  }

  /**
   * Pairs calls and results as the model would see them, context edits applied. pi sends what is in
   * the context, but for answers that failed, and says itself that there is no result where something
   * else was said before one came (`transformMessages` of pi-ai 1.6.0). A result counts only among
   * those right after the answer that called; providers refuse any other, and a second one.
   */
  #pair(context: readonly Entry[]): Unpaired {
    const edits = findEdits(context);
    const open = new Set<ToolCall>();
    const called = new Set<string>();
    let latest = new Map<string, ToolCall>();
    const results: ToolResult[] = [];
    for (const entry of context) {
      if (entry.type === 'context_edit') continue;
      const use = this.#byOffset.get(entry.offset);
      const edit = entry.id === undefined ? undefined : edits.get(entry.id);
      const edited = edit && this.#byOffset.get(edit.offset);
      if (edited?.omits) continue;
      if (use?.resultOf === undefined) {
        if (interrupts(entry)) latest = new Map();
        for (const { id, name } of (use && edited ? edited.calls : use?.calls) ?? NO_CALLS) {
          const call = { id, name, entry };
          open.add(call);
          called.add(id);
          latest.set(id, call);
        }
        continue;
      }
      const callId = use.resultOf;
      const call = latest.get(callId);
      if (call && open.delete(call)) continue;
      results.push({ callId, entry, fault: call ? SECOND : called.has(callId) ? LATE : LOST });
    }
    return { calls: [...open], results };
  }
}

/** The tool uses of a file, for all rules that ask. */
export const findToolUses = remember((file: FileFacts) => new ToolUses(file));

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
