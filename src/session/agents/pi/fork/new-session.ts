import type { Entry, Header, TitleLine } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { listTexts } from '../../../jsonl/edit/json.ts';
import type { Piece } from '../../../jsonl/write/compose-file.ts';
import { parseStoredLine } from '../../../read/turns/payloads.ts';
import { CURRENT_VERSION } from '../format.ts';
import { createEntryId } from '../places/session-place.ts';
import { inherit, toTitleSlot } from '../title-slot.ts';
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
  readonly #name: string | undefined;
  /** The name is on the first line, as in oh-my-pi. */
  readonly #isTitled: boolean;
  /** The name is in entries. */
  readonly #isNamed: boolean;
  /** The ids of its entries. */
  readonly ids = new Set<string>();
  entryCount = 0;
  leafId: string | null = null;

  constructor(identity: Identity, { formatVersion, header, entries }: Session, name?: string) {
    this.#identity = identity;
    this.#version = formatVersion;
    this.#name = name;
    this.#isTitled = header?.title !== undefined;
    this.#isNamed = entries.some(({ type }) => type === 'session_info');
    this.pieces = [...this.#toTitle(header?.title), this.#toHeader(header)];
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

  /**
   * Names the session as pi does: line breaks become spaces. oh-my-pi has no use for such an entry, but if there is one,
   * all of them say the same.
   */
  rename(): void {
    if (this.#name === undefined || (this.#isTitled && !this.#isNamed)) return;
    const id = this.#createEntryId();
    const { timestamp } = this.#identity;
    const text = toOneLine(this.#name);
    const info = { type: 'session_info', id, parentId: this.leafId, timestamp, name: text };
    this.#add(id, { text: JSON.stringify(info) });
  }

  #toTitle(title: TitleLine | undefined): readonly Piece[] {
    if (!title) return [];
    const { parentSession: source, timestamp } = this.#identity;
    const name = this.#name === undefined ? undefined : toOneLine(this.#name);
    const change = (bytes: Buffer): Buffer =>
      Buffer.from(toTitleSlot(inherit(parseStoredLine(bytes, title, source), name, timestamp)));
    return [{ span: title, change }];
  }

  /** The directories of a workspace of oh-my-pi go along. */
  #toHeader(source: Header | undefined): Piece {
    const { id, timestamp, cwd, parentSession } = this.#identity;
    const header = { type: 'session', version: CURRENT_VERSION, id, timestamp, cwd, parentSession };
    if (!source || !this.#isTitled) return { text: JSON.stringify(header) };
    const change = (bytes: Buffer): Buffer => {
      const { additionalDirectories } = parseStoredLine(bytes, source, parentSession);
      const others = listTexts(additionalDirectories).filter((one) => one !== cwd);
      const added = others.length > 0 && { additionalDirectories: others };
      return Buffer.from(JSON.stringify({ ...header, ...added }));
    };
    return { span: source, change };
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
