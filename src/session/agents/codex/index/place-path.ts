import type { Entry } from '../../../model/entry.ts';
import { getObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import { spliceObject } from '../../../jsonl/edit/splice.ts';
import type { Session } from '../../../model/session.ts';

/**
 * A path as a session of its own: its lines as they are, also those of other files. A rollback has been
 * done with once its turns are left out.
 */
export function placePath(_session: Session, path: readonly Entry[]): readonly Entry[] {
  return path.filter(({ type }) => type !== 'thread_rolled_back');
}

/** A header of a file that holds all of its session: it points into no other one. */
export function toCurrentHeader(bytes: Buffer, value: JsonObject): Buffer {
  const payload = getObject(value, 'payload');
  if (!payload || !('history_base' in payload)) return bytes;
  const pointers = ['history_base', 'forked_from_ordinal_exclusive'].map((key) => {
    return { key, value: undefined };
  });
  const own = spliceObject(bytes, pointers, { at: ['payload'] }) ?? bytes;
  return spliceObject(own, [{ key: 'ordinal', value: '0' }]) ?? own;
}
