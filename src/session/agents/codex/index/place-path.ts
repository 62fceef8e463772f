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

/** The members by which a header points into another file. */
export const POINTERS = ['history_base', 'forked_from_ordinal_exclusive'] as const;

/** A header that points into no other file, of the first line of one; undefined where the line cannot be a header. */
export function withoutBase(header: Buffer): Buffer | undefined {
  const first = spliceObject(header, [{ key: 'ordinal', value: '0' }]);
  const edits = POINTERS.map((key) => ({ key, value: undefined }));
  return first && spliceObject(first, edits, { at: ['payload'] });
}

/** A header of a file that holds all of its session: it points into no other one. */
export function toCurrentHeader(bytes: Buffer, value: JsonObject): Buffer {
  const payload = getObject(value, 'payload') ?? {};
  return 'history_base' in payload ? (withoutBase(bytes) ?? bytes) : bytes;
}
