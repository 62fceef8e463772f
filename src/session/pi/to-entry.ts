import type { Entry, LineSpan, ModelRef } from '../entry.ts';
import { getNumber, getString, toTime, type JsonObject } from '../json.ts';
import { getMessage } from './format.ts';

/** Ids and the parent that replace what the line says, for versions that had none. */
export interface Placement {
  readonly id: string;
  readonly parentId: string | null;
}

type EntryFacts = Omit<Entry, keyof LineSpan | 'id' | 'parentId' | 'type' | 'time'>;

/** The index entry of a parsed line that is no header. */
export function toEntry(value: JsonObject, span: LineSpan, placement?: Placement): Entry {
  const type = getString(value, 'type') ?? '';
  return {
    id: placement ? placement.id : getString(value, 'id'),
    parentId: placement ? placement.parentId : (getString(value, 'parentId') ?? null),
    type,
    time: toTime(value['timestamp']),
    ...span,
    ...getFacts(type, value),
  };
}

function getFacts(type: string, value: JsonObject): EntryFacts {
  switch (type) {
    case 'message':
      return getMessageFacts(value);
    case 'model_change':
      return { model: toModel(value, 'modelId') };
    case 'thinking_level_change':
      return { thinkingLevel: getString(value, 'thinkingLevel') };
    case 'compaction':
      return {
        firstKeptEntryId: getString(value, 'firstKeptEntryId'),
        firstKeptEntryIndex: getNumber(value, 'firstKeptEntryIndex'),
      };
    case 'branch_summary':
      return { fromId: getString(value, 'fromId') };
    case 'label':
      return { targetId: getString(value, 'targetId'), label: getString(value, 'label') };
    case 'context_edit':
      return { targetId: getString(value, 'targetId') };
    case 'session_info':
      return { name: getString(value, 'name')?.trim() ?? '' };
    case 'custom':
    case 'custom_message':
      return { customType: getString(value, 'customType') };
    default:
      return {};
  }
}

function getMessageFacts(value: JsonObject): EntryFacts {
  const message = getMessage(value);
  const stored = message && getString(message, 'role');
  // v1 and v2 called extension messages by another role.
  const role = stored === 'hookMessage' ? 'custom' : stored;
  const model = message && role === 'assistant' ? toModel(message, 'model') : undefined;
  return { role, model };
}

/** A `provider/model` pair; a part that is missing reads as empty, as pi then has it undefined. */
function toModel(value: JsonObject, key: 'model' | 'modelId'): ModelRef {
  return { provider: getString(value, 'provider') ?? '', modelId: getString(value, key) ?? '' };
}
