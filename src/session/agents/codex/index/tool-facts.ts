import type { Entry, ModelRef } from '../../../model/entry.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { HARNESS } from '../entry/to-entry.ts';
import { getToolName } from '../entry/turn-parts.ts';

/** The model that lines before an entry put in force, and the tool that it is the result of. */
export class ToolFacts {
  readonly #names = new Map<string, string>();
  #model: ModelRef | undefined;

  /** Adds the facts that an entry does not hold itself; to be called for every entry in file order. */
  complete(entry: Entry, payload: JsonObject): Partial<Pick<Entry, 'model' | 'customType'>> {
    const { type, callId, role } = entry;
    if (type === 'turn_context') this.#model = entry.model ?? this.#model;
    if (callId !== undefined && type.endsWith('_call')) {
      this.#names.set(callId, getToolName(payload));
    }
    if (RESULTS.has(type)) return { customType: this.#names.get(callId ?? '') };
    const isModels =
      role === 'assistant' || (role !== 'user' && role !== HARNESS && MODELS.has(type));
    return isModels && this.#model ? { model: this.#model } : {};
  }
}

/** Lines with the outcome of a call. */
const RESULTS: ReadonlySet<string> = new Set([
  'function_call_output',
  'custom_tool_call_output',
  'tool_search_output',
  'CommandExecution',
  'FileChange',
]);

/** Lines that are the model's, but for messages. */
const MODELS: ReadonlySet<string> = new Set([
  'reasoning',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'web_search_call',
  'tool_search_call',
  'image_generation_call',
]);
