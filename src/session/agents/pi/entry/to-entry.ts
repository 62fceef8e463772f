import type { Entry, LineSpan, ModelRef } from '../../../model/entry.ts';
import { getNumber, getString, toTime, type JsonObject } from '../../../jsonl/edit/json.ts';
import { getMessage } from '../format.ts';

/** Ids and the parent that replace what the line says, for versions that had none. */
export interface Placement {
  readonly id: string;
  readonly parentId: string | null;
}

type EntryFacts = Omit<Entry, keyof LineSpan | 'id' | 'parentId' | 'type' | 'time'>;

/** Most entries follow on the last one: one string for the id and for the parent takes less memory. */
let lastId: string | undefined;

/** The index entry of a parsed line that is not a header, in a file of the given version. */
export function toEntry(
  value: JsonObject,
  { line, offset, length }: LineSpan,
  version: number,
  placement?: Placement,
): Entry {
  const type = getString(value, 'type') ?? '';
  const id = placement ? placement.id : getString(value, 'id');
  const parent = placement ? placement.parentId : (getString(value, 'parentId') ?? null);
  const parentId = parent === lastId ? lastId : parent;
  lastId = id;
  const time = toTime(value['timestamp']);
  if (type !== 'message') {
    return { id, parentId, type, time, line, offset, length, ...getFacts(type, value) };
  }
  const message = getMessage(value);
  const stored = message && getString(message, 'role');
  // Extension messages had another role before v3; in a v3 file that role means nothing to pi.
  const role = version < 3 && stored === 'hookMessage' ? 'custom' : stored;
  const model = message && role === 'assistant' ? toModel(message, 'model') : undefined;
  return { id, parentId, type, time, line, offset, length, role, model };
}

function getFacts(type: string, value: JsonObject): EntryFacts {
  switch (type) {
    case 'model_change':
      return { model: toChosenModel(value) };
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

/** oh-my-pi names a model by one text, and the role that it is chosen for: the session's is `default`. */
function toChosenModel(value: JsonObject): ModelRef | undefined {
  const name = getString(value, 'model');
  if (name === undefined || value['modelId'] !== undefined) return toModel(value, 'modelId');
  if ((getString(value, 'role') ?? 'default') !== 'default') return undefined;
  const at = name.indexOf('/');
  return at === -1
    ? { provider: undefined, modelId: name }
    : { provider: name.slice(0, at), modelId: name.slice(at + 1) };
}

/** Most entries name the model that the one before them named. */
let lastModel: ModelRef = { provider: undefined, modelId: undefined };

function toModel(value: JsonObject, key: 'model' | 'modelId'): ModelRef {
  const [provider, modelId] = [getString(value, 'provider'), getString(value, key)];
  if (provider !== lastModel.provider || modelId !== lastModel.modelId) {
    lastModel = { provider, modelId };
  }
  return lastModel;
}
