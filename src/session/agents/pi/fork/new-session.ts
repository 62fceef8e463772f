import type { Entry } from '../../../model/entry.ts';
import type { Piece } from '../../../jsonl/write/compose-file.ts';
import { parseStoredLine } from '../../../read/turns/payloads.ts';
import { CURRENT_VERSION } from '../format.ts';
import { createEntryId } from '../places/session-place.ts';
import { type LinePlace, upgradeLine } from '../migrate/upgrade-line.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';

/** The identity of a new session. */
export interface Identity {
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly cwd: string;
  /** The path of the session that it was made from. */
  readonly parentSession: string;
  readonly createId: () => string;
}

/** The lines of a new session file in the making: copied entries, and new ones that follow them. */
export class NewSession {
  readonly pieces: Piece[];
  readonly #identity: Identity;
  readonly #version: number;
  /** The ids of its entries. */
  readonly ids = new Set<string>();
  entryCount = 0;
  leafId: string | null = null;

  /** `version` is the source's. */
  constructor(identity: Identity, version: number) {
    const { id, timestamp, cwd, parentSession } = identity;
    this.#identity = identity;
    this.#version = version;
    const header = { type: 'session', version: CURRENT_VERSION, id, timestamp, cwd, parentSession };
    this.pieces = [{ text: JSON.stringify(header) }];
  }

  /** A line of the source that is attached at `place`: its bytes, but for what must change. */
  copy(entry: Entry, place: LinePlace = toPlace(entry)): void {
    const version = this.#version;
    const isSame =
      version >= CURRENT_VERSION &&
      place.id === entry.id &&
      place.parentId === entry.parentId &&
      place.firstKeptEntryId === entry.firstKeptEntryId;
    const { parentSession: source } = this.#identity;
    const change = (bytes: Buffer): Buffer =>
      upgradeLine(bytes, parseStoredLine(bytes, entry, source), version, place);
    this.#add(place.id, isSame ? { span: entry } : { span: entry, change });
  }

  /** Repeats an entry, under a new id, after the last one. */
  repeat(entry: Entry): void {
    this.copy(entry, { ...toPlace(entry), id: this.#createEntryId(), parentId: this.leafId });
  }

  /** Names the session as pi does: line breaks become spaces. */
  rename(name: string): void {
    const id = this.#createEntryId();
    const { timestamp } = this.#identity;
    const text = toOneLine(name);
    const info = { type: 'session_info', id, parentId: this.leafId, timestamp, name: text };
    this.#add(id, { text: JSON.stringify(info) });
  }

  #add(id: string | undefined, piece: Piece): void {
    this.pieces.push(piece);
    this.entryCount += 1;
    this.leafId = id ?? null;
    if (id !== undefined) this.ids.add(id);
  }

  #createEntryId(): string {
    return createEntryId(this.#identity.createId, (id) => this.ids.has(id));
  }
}

function toPlace({ id, parentId, firstKeptEntryId }: Entry): LinePlace {
  return { id, parentId, firstKeptEntryId };
}
