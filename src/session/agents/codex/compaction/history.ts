import type { ReadPayload } from '../../../dialect/fold.ts';
import { getString, isArray, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import { isSkipped, selectContext } from '../context/context.ts';
import { listReplacing, PREAMBLE } from '../entry/replacement.ts';
import { isReview, isTyped } from '../entry/typed.ts';
import { openLine } from '../format.ts';

export function toSummaryText(summary: string): string {
  return PREAMBLE + summary.trim();
}

/** The parts of a context, for a compaction. */
export interface History {
  /** The prompts since the beginning that are still in the context, and what reviews have found; oldest first. */
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
      if (isSkipped(line)) continue;
      lines.push(line);
      if (isKept(payload)) prompts.push(payload);
      continue;
    }
    lines = [];
    summary = readSummary(getString(payload, 'message') ?? '');
    if (!isArray(payload['replacement_history'])) continue;
    const items = listReplacing(payload);
    prompts = items.filter(isKept);
    sealed = items.filter((item) => typeof item['encrypted_content'] === 'string');
  }
  return { prompts, sealed, summary, lines };
}

function isKept(item: JsonObject): boolean {
  return isTyped(item) || isReview(item);
}

function readSummary(message: string): string | undefined {
  const text = message.startsWith(PREAMBLE) ? message.slice(PREAMBLE.length) : message;
  return text.trim() || undefined;
}
