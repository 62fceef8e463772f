import type { Entry } from '../../../../model/entry.ts';
import type { JsonObject } from '../../../../jsonl/edit/json.ts';
import { spliceObject } from '../../../../jsonl/edit/splice.ts';
import type { Session } from '../../../../model/session.ts';

/** Lines about the whole session that a copy of a path keeps. */
const KEPT_ASIDE: ReadonlySet<string> = new Set([
  'custom-title',
  'agent-name',
  'ai-title',
  'tag',
  'mode',
  'permission-mode',
]);

/**
 * A path as a session of its own: titles and modes where they were, and the nodes in the order of the
 * path. Where a copy goes on is at its end, so lines that name a leaf are left out.
 */
export function placePath({ entries }: Session, path: readonly Entry[]): readonly Entry[] {
  const kept = entries.filter(({ aside, type }) => aside === true && KEPT_ASIDE.has(type));
  return [...kept, ...path];
}

/** A line at the place that the index says; its own bytes where nothing changes. */
export function toCurrentLine(bytes: Buffer, value: JsonObject, entry: Entry): Buffer {
  const isSame = entry.aside || (value['parentUuid'] ?? null) === entry.parentId;
  if (isSame) return bytes;
  const edit = { key: 'parentUuid', value: JSON.stringify(entry.parentId) };
  return spliceObject(bytes, [edit], { after: 'uuid' }) ?? bytes;
}
