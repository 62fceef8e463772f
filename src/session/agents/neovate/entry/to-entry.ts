import type { Entry, LineSpan, ModelRef } from '../../../model/entry.ts';
import { getString, type JsonObject, toTime } from '../../../jsonl/edit/json.ts';
import {
  getConfigTitle,
  getCustomTitle,
  isCompaction,
  isConfig,
  isMessage,
  isOldToolResult,
} from '../format.ts';

/** The index entry of a parsed line. What is not a message stands beside the tree. */
export function toEntry(value: JsonObject, span: LineSpan): Entry {
  const type = getString(value, 'type') ?? '';
  const time = toTime(value['timestamp']);
  if (!isMessage(value)) {
    const aside = { id: undefined, parentId: null, type, time, aside: true } as const;
    return { ...aside, ...span, ...getTitle(value), targetId: getString(value, 'messageId') };
  }
  const id = getString(value, 'uuid');
  const parentId = getString(value, 'parentUuid') ?? null;
  if (isCompaction(value)) return { id, parentId, type: 'compaction', time, ...span };
  const role = isOldToolResult(value) ? 'tool' : getString(value, 'role');
  const model = role === 'assistant' ? { model: toModel(getString(value, 'model')) } : {};
  return { id, parentId, type, time, ...span, role, ...model };
}

function getTitle(value: JsonObject): Pick<Entry, 'name'> {
  const name = isConfig(value) ? getConfigTitle(value) : getCustomTitle(value);
  return name === undefined ? {} : { name: name.trim() };
}

/** The id of a model may hold slashes itself. */
export function toModel(name: string | undefined): ModelRef {
  const slash = name?.indexOf('/') ?? -1;
  if (name === undefined || slash < 0) return { provider: undefined, modelId: name };
  return { provider: name.slice(0, slash), modelId: name.slice(slash + 1) };
}
