import type { SessionContext } from '../../../session/dialect/dialect.ts';
import type { Entry, LineSpan } from '../../../session/model/entry.ts';
import type { JsonObject } from '../../../session/jsonl/edit/json.ts';
import {
  findEdits,
  getContextSettings,
  selectContext,
} from '../../../session/agents/pi/context/context.ts';
import {
  applyEdit,
  toContextMessages,
} from '../../../session/agents/pi/context/context-messages.ts';
import { CURRENT_VERSION } from '../../../session/agents/pi/format.ts';
import { toEntry } from '../../../session/agents/pi/entry/to-entry.ts';

/** Records are in memory, whether or not they are on a line of a file. */
const NO_LINE: LineSpan = { line: 0, offset: 0, length: 0 };

/** The index entry of a record, and the way back. */
export function indexRecords(records: readonly JsonObject[]): ReadonlyMap<Entry, JsonObject> {
  return new Map(records.map((record) => [toEntry(record, NO_LINE, CURRENT_VERSION), record]));
}

/** `buildContext` for a path whose payloads are in memory. */
export function buildRecordContext(path: readonly JsonObject[]): SessionContext {
  const records = indexRecords(path);
  const entries = [...records.keys()];
  const context = selectContext(entries);
  const edits = findEdits(context);
  const messages = context.flatMap((entry, index) => {
    // An older compaction inside the range that a newer one keeps has no say.
    if (entry.type === 'compaction' && index > 0) return [];
    const own = toContextMessages(records.get(entry) ?? {}, entry.role);
    const edit = entry.id === undefined ? undefined : edits.get(entry.id);
    return edit ? applyEdit(own, records.get(edit) ?? {}) : own;
  });
  return { messages, ...getContextSettings(entries) };
}
