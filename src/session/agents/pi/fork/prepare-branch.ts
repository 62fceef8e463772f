import { getString, type JsonObject, type JsonValue } from '../../../jsonl/edit/json.ts';
import { estimateTokens } from '../compaction/tokens/estimate-tokens.ts';
import { toFileLists } from '../../../model/text/file-operations.ts';
import { collectFileOperations } from '../compaction/file-lists.ts';
import { applyEdit, toContextMessages } from '../context/context-messages.ts';
import { getMessage } from '../format.ts';
import type { FileLists } from '../../../model/text/format-conversation.ts';

/** A summary may still enter below this share of the budget: it stands for much. */
const NEARLY_FULL = 0.9;
const SUMMARIES: ReadonlySet<unknown> = new Set(['compaction', 'branch_summary']);

/** The messages to summarize of a branch that is left. */
export interface BranchPreparation extends FileLists {
  /** Oldest first. */
  readonly messages: readonly JsonObject[];
  /** An estimate. */
  readonly totalTokens: number;
}

/**
 * The messages of entries, newest first until the budget is used up (0: no limit), and the files
 * that they and all earlier summaries by the agent name. As `prepareBranchEntries` of pi 1.6.0:
 * results of tools are left out, what they say is in the calls; the last context edit of an entry
 * counts, which 0.87.1 did not look at.
 */
export function prepareBranch(
  entries: readonly JsonObject[],
  tokenBudget: number,
): BranchPreparation {
  const chosen: JsonObject[] = [];
  const looked: JsonObject[] = [];
  let totalTokens = 0;
  const edits = findEdits(entries);
  for (const entry of entries.toReversed()) {
    const message = toBranchMessage(entry, edits.get(entry['id']));
    if (!message) continue;
    // The files of the one that is too long are still named.
    looked.push(message);
    const tokens = estimateTokens(message);
    const isOver = tokenBudget > 0 && totalTokens + tokens > tokenBudget;
    const enters = !isOver || mayStillEnter(entry, totalTokens, tokenBudget);
    if (enters) {
      chosen.push(message);
      totalTokens += tokens;
    }
    if (isOver) break;
  }
  return { messages: chosen.toReversed(), totalTokens, ...nameFiles(entries, looked) };
}

function mayStillEnter(entry: JsonObject, totalTokens: number, tokenBudget: number): boolean {
  return SUMMARIES.has(entry['type']) && totalTokens < tokenBudget * NEARLY_FULL;
}

/** The one message that an entry stands for; of a compaction, its summary. */
function toBranchMessage(entry: JsonObject, edit: JsonObject | undefined): JsonObject | undefined {
  const message = getMessage(entry);
  if (message?.['role'] === 'toolResult') return undefined;
  const messages = toContextMessages(entry, message && getString(message, 'role'));
  return (edit && !SUMMARIES.has(entry['type']) ? applyEdit(messages, edit) : messages).at(-1);
}

function findEdits(entries: readonly JsonObject[]): ReadonlyMap<JsonValue | undefined, JsonObject> {
  const edits = entries.filter(({ type }) => type === 'context_edit');
  return new Map(edits.map((edit) => [edit['targetId'], edit]));
}

function nameFiles(entries: readonly JsonObject[], messages: readonly JsonObject[]): FileLists {
  const summaries = entries.filter(({ type }) => type === 'branch_summary');
  const all = [
    collectFileOperations(messages, undefined),
    ...summaries.map((summary) => collectFileOperations([], summary)),
  ];
  return toFileLists({
    read: new Set(all.flatMap(({ read }) => [...read])),
    written: new Set(all.flatMap(({ written }) => [...written])),
    edited: new Set(all.flatMap(({ edited }) => [...edited])),
  });
}
