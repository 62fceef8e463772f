import { getString, type JsonObject, parseJsonObject } from '../../jsonl/edit/json.ts';

/** The bytes of the line, with its LF. */
const SLOT_BYTES = 256;

export interface SlotTitle {
  readonly title: string;
  readonly source: string | undefined;
  /** ISO 8601. */
  readonly updatedAt: string;
}

/**
 * Makes the first line of a session of oh-my-pi, without its LF: the agent writes another title over it in place, so it
 * is always of one length, and cuts a title that is too long (`serializeTitleSlot` of 18.3.4).
 */
export function toTitleSlot(slot: SlotTitle): string {
  const room = SLOT_BYTES - 1;
  const fitting = { ...slot, title: slot.title };
  for (const shorter of listShorter(slot.title)) {
    fitting.title = shorter;
    const used = Buffer.byteLength(toLine(fitting, ''));
    if (used <= room) return toLine(fitting, ' '.repeat(room - used));
  }
  return toLine(fitting, '');
}

/** A title and its beginnings, longest first; a character takes a byte or more. */
function* listShorter(title: string): Generator<string> {
  const characters = Array.from(title);
  yield title;
  for (let end = Math.min(characters.length, SLOT_BYTES); end >= 0; end -= 1) {
    yield characters.slice(0, end).join('');
  }
}

/** The title that a session of oh-my-pi gets from another one: the same, or a new one of a person. */
export function inherit(slot: JsonObject, name: string | undefined, updatedAt: string): SlotTitle {
  return name === undefined
    ? { title: getString(slot, 'title') ?? '', source: getString(slot, 'source'), updatedAt }
    : { title: name, source: 'user', updatedAt };
}

/** Returns as much of the name that a person gives as the line has room for. */
export function fitTitle(name: string): string {
  const slot = toTitleSlot({ title: name, source: 'user', updatedAt: ANY_TIME });
  return getString(parseJsonObject(slot) ?? {}, 'title') ?? '';
}

const ANY_TIME = new Date(0).toISOString();

function toLine({ title, source, updatedAt }: SlotTitle, pad: string): string {
  return JSON.stringify({ type: 'title', v: 1, title, source, updatedAt, pad });
}
