import type { ReadPayload } from '../../../dialect/fold.ts';
import { getString, isArray, isObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import { selectContext } from '../context/context.ts';
import { getText, isTyped } from '../entry/typed.ts';
import { openLine } from '../format.ts';

/** The text that the client puts before a summary for the next model. */
const PREAMBLE =
  'Another language model started to solve this problem and produced a summary of its thinking process. ' +
  'You also have access to the state of the tools that were used by that language model. Use this to ' +
  'build on the work that has already been done and avoid duplicating work. Here is the summary ' +
  'produced by the other language model, use the information in this summary to assist with your own ' +
  'analysis:\n';

export function toSummaryText(summary: string): string {
  return PREAMBLE + summary.trim();
}

/** The parts of a context, for a compaction. */
export interface History {
  /** The prompts since the beginning that are still in the context; oldest first. */
  readonly prompts: readonly JsonObject[];
  /** The parts of an earlier summary that only the provider can read: they are passed on unchanged. */
  readonly sealed: readonly JsonObject[];
  /** The summary of the compaction before. */
  readonly summary: string | undefined;
  /** The lines behind that, oldest first. */
  readonly lines: readonly JsonObject[];
}

/** Reads the context at the end of a path. */
export async function readHistory(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<History> {
  let prompts: JsonObject[] = [];
  let sealed: JsonObject[] = [];
  let summary: string | undefined;
  let lines: JsonObject[] = [];
  for (const entry of selectContext(path)) {
    const line = await readPayload(entry);
    const { payload } = openLine(line);
    if (entry.type !== 'compaction') {
      lines.push(line);
      if (isTyped(payload)) prompts.push(payload);
      continue;
    }
    lines = [];
    summary = readSummary(getString(payload, 'message') ?? '');
    const { replacement_history: stored } = payload;
    if (!isArray(stored)) continue;
    const items = stored.filter(isObject);
    prompts = items.filter((item) => isTyped(item) && !getText(item).startsWith(PREAMBLE));
    sealed = items.filter((item) => typeof item['encrypted_content'] === 'string');
  }
  return { prompts, sealed, summary, lines };
}

function readSummary(message: string): string | undefined {
  const text = message.startsWith(PREAMBLE) ? message.slice(PREAMBLE.length) : message;
  return text.trim() || undefined;
}
