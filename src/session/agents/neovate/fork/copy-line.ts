import type { Entry } from '../../../model/entry.ts';
import type { Piece } from '../../../jsonl/write/compose-file.ts';
import { type MemberEdit, spliceObject } from '../../../jsonl/edit/splice.ts';

/** The sessions that lines are copied from and to. */
export interface Passage {
  readonly from: string;
  readonly to: string;
}

/**
 * A line of a session as a fork has it, as `fork session` of newer releases makes one: the same
 * uuid, another session, and where it came from. `cuts`: its parent is not copied.
 */
export function copyLine(entry: Entry, { from, to }: Passage, cuts: boolean): Piece {
  const session: MemberEdit = { key: 'sessionId', value: JSON.stringify(to) };
  if (entry.aside) {
    if (entry.type !== 'custom-title') return { span: entry };
    return { span: entry, change: (bytes) => splice(bytes, [session]) };
  }
  const origin = { sessionId: from, messageUuid: entry.id };
  const edits: MemberEdit[] = [session, { key: 'forkedFrom', value: JSON.stringify(origin) }];
  if (cuts) edits.push({ key: 'parentUuid', value: 'null' });
  return { span: entry, change: (bytes) => splice(bytes, edits) };
}

function splice(bytes: Buffer, edits: readonly MemberEdit[]): Buffer {
  return spliceObject(bytes, edits, { after: 'sessionId' }) ?? bytes;
}
