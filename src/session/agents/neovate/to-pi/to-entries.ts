import { getString, type JsonObject, toIso } from '../../../jsonl/edit/json.ts';
import type { Entry, ModelRef } from '../../../model/entry.ts';
import { getToolOutcomes, getText } from '../entry/parts.ts';
import type { SyntheticIds } from '../../../model/ids/synthetic-ids.ts';
import { toAssistant, toBashExecution, toBlocks, toSaid, toToolResult } from './to-message.ts';
import type { EntryPlace } from '../../../dialect/pi-lines.ts';

/** The place of the entries of one message, with the facts that need the whole session. */
export interface Place {
  readonly parentId: string | null;
  /** The time of an entry without a readable one, ISO 8601. */
  readonly fallbackTime: string;
  /** It says what a command before it did; together they are one entry. */
  readonly isCommand: boolean;
  /** The tokens of the context for which a summary stands. */
  readonly tokensBefore: number;
  /** The model of an answer, if the answer before it came from another. */
  readonly newModel: ModelRef | undefined;
}

/**
 * The entries of pi that a message becomes, each attached to the one before; the last has the id of
 * the message, so that its children remain attached.
 */
export function toEntries(
  value: JsonObject,
  entry: Entry,
  place: Place,
  ids: SyntheticIds,
): readonly JsonObject[] {
  const id = entry.id ?? '';
  const timestamp = toIso(entry.time) ?? place.fallbackTime;
  const { parentId } = place;
  const toMessage = (message: JsonObject): readonly JsonObject[] => [
    { type: 'message', id, parentId, timestamp, message },
  ];
  if (entry.type === 'compaction') {
    const { tokensBefore } = place;
    // Its own id: the summary is all that is kept.
    const kept = { summary: getText(value), firstKeptEntryId: id, tokensBefore };
    return [{ type: 'compaction', id, parentId, timestamp, ...kept }];
  }
  switch (entry.role) {
    case 'assistant':
      return toAnswer(toAssistant(value), { id, parentId, timestamp }, place.newModel, ids);
    case 'tool':
      return toResults(value, { id, parentId, timestamp }, ids);
    case 'system':
      return toMessage(toSaid(value, 'system'));
    default: {
      const command = place.isCommand ? toBashExecution(value) : undefined;
      if (value['hidden'] !== true) return toMessage(command ?? toSaid(value, 'user'));
      const content = toBlocks(value['content']);
      const type = { type: 'custom_message', customType: 'neovate.command' };
      return [{ ...type, id, parentId, timestamp, content, display: false }];
    }
  }
}

/**
 * Converts an answer. A change of the model is an entry of its own, above the first answer after
 * it, like in pi.
 */
function toAnswer(
  message: JsonObject,
  { id, parentId, timestamp }: EntryPlace,
  newModel: ModelRef | undefined,
  ids: SyntheticIds,
): readonly JsonObject[] {
  const { provider, modelId } = newModel ?? {};
  if (provider === undefined || modelId === undefined) {
    return [{ type: 'message', id, parentId, timestamp, message }];
  }
  const own = ids.create(id, 'model');
  return [
    { type: 'model_change', id: own, parentId, timestamp, provider, modelId },
    { type: 'message', id, parentId: own, timestamp, message },
  ];
}

function toResults(
  value: JsonObject,
  { id, parentId, timestamp }: EntryPlace,
  ids: SyntheticIds,
): readonly JsonObject[] {
  const outcomes = getToolOutcomes(value);
  if (outcomes.length === 0) {
    const data = { role: getString(value, 'role') ?? '', content: value['content'] ?? null };
    return [{ type: 'custom', id, parentId, timestamp, customType: 'neovate.message', data }];
  }
  let above = parentId;
  return outcomes.map((outcome, index) => {
    const own = index === outcomes.length - 1 ? id : ids.create(id, index);
    const message = toToolResult(outcome, value);
    const entry = { type: 'message', id: own, parentId: above, timestamp, message };
    above = own;
    return entry;
  });
}
