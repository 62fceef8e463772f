import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../session/jsonl/edit/json.ts';
import { areArguments, findCall, isSecretInput } from './calls.ts';
import { nameMember } from './secrets/holders.ts';
import { judgeName, LIKELY } from './secrets/secret-names.ts';

/** A string of a payload, and where it is. */
export interface Place {
  /** A path such as `message.content[0].text`. */
  readonly field: string;
  /** The name of the member that holds it; empty for a name itself. */
  readonly key: string;
  /**
   * `id`: relates lines or calls to each other; `name`: of a member; `opaque`: a signature; `deep`:
   * not looked into, and empty.
   */
  readonly kind: 'text' | 'name' | 'id' | 'opaque' | 'deep';
  readonly text: string;
  /** The call of a program that it is a word of: all of one follow each other behind blanks, its program first. */
  readonly call?: string;
  readonly isProgram?: boolean;
}

/** Makes a string safe; undefined removes the member. */
export type ToSafe = (place: Place) => string | undefined;

/** Relate lines to each other. */
const STRUCTURE: ReadonlySet<string> = new Set([
  'id',
  'parentId',
  'targetId',
  'firstKeptEntryId',
  'fromId',
  'uuid',
  'parentUuid',
  'sessionId',
]);
/** Relate a call and its result, at any depth. */
const RELATING: ReadonlySet<string> = new Set(['id', 'toolCallId', 'callId', 'tool_use_id']);
/** Opaque to everyone but the provider: a change would make them worthless. */
const OPAQUE = /signature$|^encrypted/i;
/**
 * Images in base64, as the formats begin: PNG, JPEG, GIF, WebP, BMP, TIFF, AVIF and HEIC; and PDF, which
 * compresses its text. Their letters are random, and a part of them would be taken for a key. Codex and Neovate
 * put an address of data before them.
 */
const IMAGE =
  /^(?:data:(?:image\/[a-z.+-]{1,30}|application\/pdf);base64,)?(?:JVBERi0|iVBORw0KGgo|\/9j\/|R0lGOD|UklGR|Qk[0-3][\w+/]{5}AAAA|SUkqA|TU0AK|AAAA[A-Za-z]Gz?Z0eX)[\w+/-]*={0,2}\s*$/;
/** Deeper than anything an agent writes; a stack has an end. */
export const MAX_DEPTH = 1000;
/** Far below, the names of all levels together would be longer than the text: those places have the field above. */
const MAX_FIELD = 2000;

/**
 * A payload with every string replaced by what `toSafe` makes of it, always visited in the same
 * order.
 */
export function mapStrings(payload: JsonObject, toSafe: ToSafe): JsonObject {
  return mapMembers(payload, { field: '', key: '' }, 0, toSafe);
}

/** The strings of a payload, in that order. */
export function collectPlaces(payload: JsonObject): readonly Place[] {
  const places: Place[] = [];
  mapStrings(payload, (place) => {
    places.push(place);
    return place.text;
  });
  return places;
}

function mapValue(
  value: JsonValue,
  place: Omit<Place, 'text'>,
  depth: number,
  toSafe: ToSafe,
): JsonValue | undefined {
  if (typeof value === 'string') {
    return value.startsWith('data:') && IMAGE.test(value)
      ? value
      : toSafe({ ...place, text: value });
  }
  if (depth >= MAX_DEPTH && typeof value === 'object' && value !== null) {
    return toSafe({ ...place, kind: 'deep', text: '' });
  }
  if (isArray(value)) return mapItems(value, place, depth, toSafe);
  return isObject(value) ? mapMembers(value, place, depth, toSafe) : value;
}

/** Maps the items of a list: in `["--password", "x"]`, an item names the next. */
function mapItems(
  items: readonly JsonValue[],
  { field, key, kind, ...word }: Omit<Place, 'text'>,
  depth: number,
  toSafe: ToSafe,
): JsonValue {
  if (kind === 'text' && areBytes(items)) {
    const text = JSON.stringify(items);
    const safe = toSafe({ field, key, kind, text });
    // It is JSON again, with marks for the numbers that were taken out.
    return safe === undefined || safe === text ? items : (parseJson(safe) ?? safe);
  }
  const call = areArguments(items) ? { call: field } : {};
  const safe = items.map((item, index) => {
    const before = items[index - 1];
    const isNamed =
      typeof before === 'string' && NAMES_NEXT.test(before) && !areHeaders(before, item);
    const name = isNamed ? before : judgeName(key) === 'none' ? nameMember(key, '') : key;
    const place = {
      field: toField(field, `[${index}]`),
      key: name,
      kind,
      ...call,
      ...word,
    };
    return mapValue(item, place, depth + 1, toSafe) ?? null;
  });
  return safe.some((item, index) => item !== items[index]) ? safe : items;
}

/** Fewer bytes are not read as text. */
const MIN_BYTES = 8;

/** Returns whether items are the bytes of something, as Node writes a buffer. */
function areBytes(items: readonly JsonValue[]): boolean {
  return items.length >= MIN_BYTES && items.every(isByte);
}

function isByte(item: JsonValue): boolean {
  return typeof item === 'number' && item >= 0 && item < 256 && Number.isInteger(item);
}

export function toField(outer: string, inner: string): string {
  return outer.length + inner.length > MAX_FIELD ? outer : outer + inner;
}

/** An option of a program, or a header. */
const NAMES_NEXT =
  /^(?:-|(?:proxy-)?authorization$|(?:set-)?cookie$|x-[\w-]{0,60}(?:key|token|secret|auth)$)/i;

/** The name of a header: words in small letters, or with a capital one, and `ETag`, `DNT`, `CloudFront`, `MD5`. */
const HEADER =
  /^(?:[A-Z]{0,5}[a-z]{0,15}(?:[A-Z]{1,2}[a-z]{0,15})?\d{0,3}-){0,6}[A-Z]{0,5}[a-z]{0,15}(?:[A-Z]{1,2}[a-z]{0,15})?\d{0,3}$/;

/** Returns whether both are names of headers: a list of these has no values. */
function areHeaders(before: string, item: JsonValue): boolean {
  if (before.startsWith('-') || typeof item !== 'string' || !HEADER.test(item)) return false;
  return item.includes('-') || !/\d/.test(item);
}

function mapMembers(
  value: JsonObject,
  { field, key: outer }: Pick<Place, 'field' | 'key'>,
  depth: number,
  toSafe: ToSafe,
): JsonObject {
  let isChanged = false;
  const names = new Map<string, number>();
  const call = findCall(value);
  const members = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
    if (item === undefined) return [];
    const named = { field: toField(field, '{}'), key: '', kind: 'name', text: name } as const;
    const safeName = toOther(toSafe(named) ?? name, names);
    isChanged ||= safeName !== name;
    if (isImage(value, name, item)) return [[safeName, item]];
    const inner = toField(field, field ? `.${safeName}` : safeName);
    const isProgram = name === call?.program;
    const place = {
      field: inner,
      key: getKey(value, name, outer),
      kind: getKind(name, depth),
      ...((isProgram || call?.args.has(name)) && { call: field, isProgram }),
    };
    const safe = mapValue(item, place, depth + 1, toSafe);
    isChanged ||= safe !== item;
    return safe === undefined ? [] : [[safeName, safe]];
  });
  if (!isChanged) return value;
  // A signature vouches for words that are no longer there.
  return Object.fromEntries(members.filter(([name]) => !isOpaque(name)));
}

/** A name that no member before has: several may have held secrets of one kind. `counts`: by name. */
function toOther(name: string, counts: Map<string, number>): string {
  let count = counts.get(name) ?? 0;
  let other = name;
  while (counts.has(other)) {
    count += 1;
    other = `${name} ${count}`;
  }
  counts.set(name, Math.max(count, 1)).set(other, 1);
  return other;
}

/**
 * Returns the name of a member: in `{"name": "DB_PASSWORD", "value": "x"}`, one member names another; in
 * `{"DB_PASSWORD": {"value": "x"}}`, the outer one does.
 */
function getKey(parent: JsonObject, name: string, outer: string): string {
  // A part of a JSON web key.
  if (/^(?:[dpqk]|d[pq]|qi)$/.test(name) && 'kty' in parent) return 'private_key';
  // A password that Terraform has made.
  if (name === 'result' && 'bcrypt_hash' in parent) return 'password';
  // Azure gives two, so that one can be changed.
  if ((name === 'key1' && 'key2' in parent) || (name === 'key2' && 'key1' in parent)) return LIKELY;
  // The result of tests may hold a list of them.
  const isResult = name === 'PASS' && typeof parent[name] !== 'string';
  if (isResult || (name.endsWith('?') && ASKS_FOR_SECRET.test(name))) return LIKELY;
  if (judgeName(name) !== 'none') return name;
  if (IS_VALUE.test(name)) {
    if ('httpOnly' in parent || 'sameSite' in parent) return 'auth_cookie';
    const [other] = Object.entries(parent).flatMap(([member, text]) =>
      NAMES_VALUE.test(member) && typeof text === 'string' && judgeName(text) !== 'none'
        ? [text]
        : [],
    );
    if (other !== undefined) return other;
    const { op, path } = parent;
    if (op !== undefined && typeof path === 'string' && judgeName(path) !== 'none') return path;
    if (Object.entries(parent).some(saysSecret)) return LIKELY;
    if (name === 'value' && judgeName(outer) !== 'none') return outer;
  }
  if (isFilledIn(parent, name) || isSecretInput(parent, name)) return 'password';
  return nameMember(outer, name);
}

/** A member for the value of something, and those beside it that name it. */
const IS_VALUE =
  /^(?:(?:option|output|parameter|new|secret)_?)?(?:value|val)$|^(?:content|default)$/i;
const NAMES_VALUE =
  /^(?:(?:env|field|header|option|output|param(?:eter)?|secret|setting|variable)_?)?(?:name|key)$|^(?:field|id|label|header|variable|param(?:eter)?)$/i;
/** A value that a vault or a form hides. */
const SECRET_TYPE =
  /^(?:concealed|password|secret(?:[-_ ]?(?:string|text))?|secure[-_]?string|(?:api|private)[-_ ]?key|(?:access|api|auth|bearer)[-_ ]?token)$/i;

function saysSecret([name, value]: readonly [string, unknown]): boolean {
  return /^(?:type|kind)$/i.test(name) && typeof value === 'string' && SECRET_TYPE.test(value);
}

/** Members for an answer or for typed text, and those beside them that name the question or the field. */
const FILLED_IN = /^(?:value|text|answer|input|chars)$/;
const FILLED_WHERE = ['label', 'field', 'question', 'element', 'selector', 'prompt'] as const;
const ASKS_FOR_SECRET = /pass(?:word|wd|phrase|code)|secret|api[ _-]?key/i;

function isFilledIn(parent: JsonObject, name: string): boolean {
  const value = parent[name];
  // A word is an answer to any other question.
  if (!FILLED_IN.test(name) || typeof value !== 'string' || !/[\d!#$%^&*~?@]/.test(value))
    return false;
  return FILLED_WHERE.some((where) => {
    const asked = parent[where];
    return typeof asked === 'string' && asked.length < 200 && ASKS_FOR_SECRET.test(asked);
  });
}

function getKind(name: string, depth: number): Place['kind'] {
  if (depth === 0 ? STRUCTURE.has(name) : RELATING.has(name)) return 'id';
  return isOpaque(name) ? 'opaque' : 'text';
}

/** Not every name that says so is that of a provider: `encrypted_password`, `X-Amz-Signature`. */
export function isOpaque(name: string): boolean {
  return OPAQUE.test(name) && judgeName(name) === 'none';
}

/** Images that Codex has made. */
const MADE = /^image_generation_(?:call|end)$/;

/** Returns whether a member is an image, which no one reads as text. Claude Code has two forms of its own. */
function isImage(parent: JsonObject, name: string, item: JsonValue): boolean {
  const { type } = parent;
  const isData = name === 'data' && (type === 'image' || type === 'base64');
  const isFile = name === 'base64';
  const isMade = name === 'result' && typeof type === 'string' && MADE.test(type);
  return (isData || isFile || isMade) && typeof item === 'string' && IMAGE.test(item);
}
