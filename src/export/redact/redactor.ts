import { isArray, isObject, type JsonObject, type JsonValue } from '../../session/json.ts';
import type { Secret, SecretDetector } from './detect-secrets.ts';
import { isSecretMember } from './known-secrets.ts';
import type { Redaction } from './redaction.ts';

/** Hangs an entry in the tree, or says what it is: checked by nobody's eye, and not to be touched. */
const STRUCTURE: ReadonlySet<string> = new Set([
  'type',
  'id',
  'parentId',
  'targetId',
  'firstKeptEntryId',
  'fromId',
  'timestamp',
]);
/** Opaque to everyone but the provider: a change would make them worthless. */
const OPAQUE = /signature$|^encrypted/i;
/** Deeper than anything an agent writes; a stack has an end. */
const MAX_DEPTH = 1000;
const TOO_DEEP = '[REDACTED:nested-too-deep]';
/** Each costs a search of all that follows; beyond this many, a secret is taken out where it is found. */
const MAX_REMEMBERED = 200;

/** A string of a payload, and where it is. */
interface Place {
  readonly field: string;
  readonly key: string;
  readonly text: string;
}

/**
 * Takes secrets out of the payloads of one session. A secret that was found once is taken out
 * wherever it stands again, also where nothing around it would give it away.
 */
export class Redactor {
  readonly #detect: SecretDetector;
  /** Rule by secret. */
  readonly #known = new Map<string, string>();
  readonly #redactions = new Map<string, Redaction>();

  /** `exact` are secrets that are known beforehand. */
  constructor(detect: SecretDetector, exact: readonly string[]) {
    this.#detect = detect;
    for (const value of exact) this.#known.set(value, 'secret-file');
  }

  get redactions(): readonly Redaction[] {
    return [...this.#redactions.values()];
  }

  /** The payload of the entry on a line, without secrets; the same object if there are none. */
  async redact(value: JsonObject, line: number): Promise<JsonObject> {
    const places: Place[] = [];
    collect(value, '', '', 0, places);
    const present = this.#findPresent(places, await this.#findSecrets(places));
    if (present.length === 0) return value;
    const replaced = replace(value, '', '', 0, {
      present,
      note: (place) => this.#note(place, line),
    });
    return isObject(replaced) ? replaced : {};
  }

  async #findSecrets(places: readonly Place[]): Promise<readonly Secret[]> {
    // In one text: a call for each string would take longer than the search.
    const text = places.map((place) => (place.key ? `${place.key}=${place.text}` : place.text));
    const named = places.filter(({ key, text: value }) => isSecretMember(key, value));
    return [
      ...(await this.#detect(text.join('\n'))),
      ...named.map(({ text: value }) => ({ rule: 'secret-member', value })),
    ];
  }

  /** Longest first: a secret may hold another. */
  #findPresent(places: readonly Place[], found: readonly Secret[]): readonly Secret[] {
    const present = new Map<string, string>();
    for (const [value, rule] of this.#known) {
      if (places.some(({ text }) => text.includes(value))) present.set(value, rule);
    }
    for (const { rule, value } of found) {
      if (!present.has(value)) present.set(value, rule);
      if (this.#known.size < MAX_REMEMBERED && !this.#known.has(value))
        this.#known.set(value, rule);
    }
    const secrets = [...present].map(([value, rule]) => ({ rule, value }));
    return secrets.toSorted((a, b) => b.value.length - a.value.length);
  }

  #note({ rule, field, count }: Omit<Redaction, 'line'>, line: number): void {
    const key = JSON.stringify([rule, line, field]);
    const before = this.#redactions.get(key)?.count ?? 0;
    this.#redactions.set(key, { rule, line, field, count: before + count });
  }
}

interface Replacement {
  readonly present: readonly Secret[];
  readonly note: (place: Omit<Redaction, 'line'>) => void;
}

/** Whether a member is left as it is, and not looked into. */
function isLeftAlone(parent: JsonObject, key: string, depth: number): boolean {
  return (
    (depth === 0 && STRUCTURE.has(key)) ||
    OPAQUE.test(key) ||
    (key === 'data' && parent['type'] === 'image')
  );
}

function collect(value: JsonValue, field: string, key: string, depth: number, to: Place[]): void {
  if (typeof value === 'string') to.push({ field, key, text: value });
  else if (depth >= MAX_DEPTH) return;
  else if (isArray(value)) {
    for (const [index, item] of value.entries())
      collect(item, `${field}[${index}]`, key, depth + 1, to);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined || isLeftAlone(value, name, depth)) continue;
      to.push({ field, key: '', text: name });
      collect(item, field ? `${field}.${name}` : name, name, depth + 1, to);
    }
  }
}

function replace(
  value: JsonValue,
  field: string,
  key: string,
  depth: number,
  how: Replacement,
): JsonValue {
  if (typeof value === 'string') return replaceText(value, field, how);
  if (depth >= MAX_DEPTH) return isArray(value) || isObject(value) ? TOO_DEEP : value;
  if (isArray(value)) {
    return value.map((item, index) => replace(item, `${field}[${index}]`, key, depth + 1, how));
  }
  return isObject(value) ? replaceMembers(value, field, depth, how) : value;
}

function replaceMembers(
  value: JsonObject,
  field: string,
  depth: number,
  how: Replacement,
): JsonObject {
  let changed = false;
  const members = Object.entries(value).map(([name, item]): [string, JsonValue | undefined] => {
    if (item === undefined || isLeftAlone(value, name, depth)) return [name, item];
    const safeName = replaceText(name, `${field}{}`, how);
    const inner = replace(item, field ? `${field}.${safeName}` : safeName, name, depth + 1, how);
    changed ||= inner !== item && typeof item === 'string';
    return [safeName, inner];
  });
  // A signature vouches for words that are no longer there.
  return Object.fromEntries(changed ? members.filter(([name]) => !OPAQUE.test(name)) : members);
}

function replaceText(text: string, field: string, { present, note }: Replacement): string {
  let safe = text;
  for (const { rule, value } of present) {
    const parts = safe.split(value);
    if (parts.length === 1) continue;
    note({ rule, field, count: parts.length - 1 });
    safe = parts.join(`[REDACTED:${rule}]`);
  }
  return safe;
}
