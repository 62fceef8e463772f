import type { Entry } from '../../../model/entry.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { Piece } from '../../../jsonl/write/compose-file.ts';
import { parseStoredLine } from '../../../read/turns/payloads.ts';
import type { Session } from '../../../model/session.ts';
import type { Placed } from './place-entries.ts';
import { SyntheticIds } from '../../../model/ids/synthetic-ids.ts';
import { toEntries } from './to-entries.ts';
import type { NewIdentity } from '../../../dialect/migration.ts';
import { toHeaderLine } from '../../../dialect/pi-lines.ts';
import { findTitle } from '../entry/find-title.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';

/**
 * The lines of the new file: the header; what stood beside the messages, in a row; the messages, of
 * which the first is attached to that row. So the last line is the last message, where pi continues.
 */
export function toPieces(
  session: Session,
  placed: readonly Placed[],
  identity: NewIdentity,
  taken: readonly string[],
): readonly Piece[] {
  const ids = new SyntheticIds(taken);
  const row = new Row(session.path, identity, ids);
  for (const entry of session.entries) if (entry.aside) row.add(entry);
  const name = toOneLine(findTitle(session.entries) ?? '');
  if (name !== '') row.addName(name);
  return [
    { text: toHeaderLine(identity) },
    ...row.pieces,
    ...placed.map(({ entry, place }, index): Piece => {
      const parentId = index === 0 ? (place.parentId ?? row.lastId) : place.parentId;
      const change = (bytes: Buffer): Buffer =>
        toLines(
          toEntries(
            parseStoredLine(bytes, entry, session.path),
            entry,
            { ...place, parentId },
            ids,
          ),
        );
      return { span: entry, change };
    }),
  ];
}

/** Entries that come of no message, each attached to the one before. */
class Row {
  readonly pieces: Piece[] = [];
  lastId: string | null = null;
  /** The path of the session that they come from. */
  readonly #source: string;
  readonly #identity: NewIdentity;
  readonly #ids: SyntheticIds;

  constructor(source: string, identity: NewIdentity, ids: SyntheticIds) {
    this.#source = source;
    this.#identity = identity;
    this.#ids = ids;
  }

  /** Titles become the name of the session; all else is kept as the state of an extension. */
  add(entry: Entry): void {
    if (entry.type === 'custom-title') return;
    const base = this.#next('custom', entry.offset);
    const customType = `neovate.${entry.type}`;
    const change = (bytes: Buffer): Buffer => {
      const { type: _, ...rest } = parseStoredLine(bytes, entry, this.#source);
      const data = entry.type === 'config' ? (rest['config'] ?? null) : rest;
      return toLines([{ ...base, customType, data }]);
    };
    this.pieces.push({ span: entry, change });
  }

  addName(name: string): void {
    this.pieces.push({ text: JSON.stringify({ ...this.#next('session_info', 'name'), name }) });
  }

  #next(type: string, seed: string | number): JsonObject {
    const { id: session, timestamp } = this.#identity;
    const parentId = this.lastId;
    this.lastId = this.#ids.create(session, type, seed);
    return { type, id: this.lastId, parentId, timestamp };
  }
}

function toLines(entries: readonly JsonObject[]): Buffer {
  return Buffer.from(entries.map((entry) => JSON.stringify(entry)).join('\n'));
}
