import { getString, isArray, isObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import { getText } from './typed.ts';

/** The text that the client puts before a summary for the next model. */
export const PREAMBLE =
  'Another language model started to solve this problem and produced a summary of its thinking process. ' +
  'You also have access to the state of the tools that were used by that language model. Use this to ' +
  'build on the work that has already been done and avoid duplicating work. Here is the summary ' +
  'produced by the other language model, use the information in this summary to assist with your own ' +
  'analysis:\n';

/** Lists the items with which the context begins after a compaction, without its summary. */
export function listReplacing(compaction: JsonObject): readonly JsonObject[] {
  const { replacement_history: history } = compaction;
  if (!isArray(history)) return [];
  const summary = getString(compaction, 'message') ?? '';
  return history.filter(isObject).filter((item) => !isSummary(item, summary));
}

function isSummary(item: JsonObject, summary: string): boolean {
  const text = getText(item);
  return text.startsWith(PREAMBLE) || (text !== '' && text === summary);
}
