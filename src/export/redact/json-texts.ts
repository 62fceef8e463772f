import { isArray, isObject, type JsonValue, parseJson } from '../../session/jsonl/edit/json.ts';
import { AskingCalls } from './asking-calls.ts';
import { JoinedPlaces } from './join-places.ts';
import { LIKE_JSON, listTokens } from './keep-json.ts';
import { findMembers } from './members.ts';
import { collectPlaces, type Place } from './places.ts';
import type { Secret, SecretDetector } from './secrets/detect-secrets.ts';
import { mayHide } from '../../session/model/text/hidden-characters.ts';
import { readAs } from './text/read-as.ts';
import { removeUnseen } from './text/unseen.ts';

/** A longer one is a document, which is read as text alone. */
const MAX_JSON = 100_000;
/** JSON in JSON in JSON, and no further. */
const MAX_DEPTH = 3;

/**
 * Finds in strings that are JSON themselves, such as the arguments of Codex's calls, what is secret by the names of
 * members and as arguments of programs, as if they were objects.
 */
export async function findInJson(
  places: readonly Place[],
  joined: JoinedPlaces,
  detect: SecretDetector,
  depth = 1,
): Promise<readonly Secret[]> {
  const found: Secret[] = [];
  for (const [start, index] of joined.starts) {
    const { kind, text = '' } = places[index] ?? {};
    if (kind !== 'text' || text.length > MAX_JSON) continue;
    const json = parseSeen(text);
    if (!isArray(json) && !isObject(json)) continue;
    const inner = collectPlaces(isArray(json) ? { items: json } : json);
    const innerJoined = new JoinedPlaces(inner);
    const secrets = [
      ...findMembers(inner, innerJoined),
      ...new AskingCalls().find(inner, innerJoined),
    ];
    // Its other text was read as a part of the string.
    const hasArguments = inner.some(({ call }) => call !== undefined);
    if (hasArguments) secrets.push(...(await detect(readAs(innerJoined.text))));
    // Each is located wherever it stands: a list may hold one a thousand times.
    const distinct = new Map(secrets.map((secret) => [secret.value, secret]));
    if (depth < MAX_DEPTH) {
      const deeper = await findInJson(inner, innerJoined, detect, depth + 1);
      // There, it may be written with escapes.
      for (const one of deeper) distinct.set(innerJoined.text.slice(one.start, one.end), one);
    }
    if (distinct.size === 0) continue;
    const strings = new Set(inner.map((place) => place.text));
    const escaped = [...listEscaped(text)];
    for (const [shown, { value, rule }] of distinct) {
      const isWhole = strings.has(shown);
      const spans = [...locate(shown, text, isWhole), ...locateEscaped(shown, escaped, isWhole)];
      for (const [from, to] of spans)
        found.push({ rule, value, start: start + from, end: start + to });
    }
  }
  return found;
}

/** Reads JSON, also in the colors of `jq`. */
function parseSeen(text: string): JsonValue | undefined {
  const seen = mayHide(text) ? removeUnseen(text) : text;
  return LIKE_JSON.test(seen) ? (parseJson(text) ?? parseJson(seen)) : undefined;
}

type Span = readonly [start: number, end: number];

/** Finds a value everywhere in the JSON that holds it, with no escapes that it does not need. */
function* locate(value: string, text: string, isWhole: boolean): Generator<Span> {
  const [quoted, quote] = [JSON.stringify(value), isWhole ? 1 : 0];
  const written = isWhole ? quoted : quoted.slice(1, -1);
  for (let at = text.indexOf(written); at !== -1; at = text.indexOf(written, at + written.length)) {
    yield [at + quote, at + written.length - quote];
  }
}

/** A string of JSON that has escapes which it does not need: PHP and Swift escape each slash, Go `&`, .NET `+`. */
interface EscapedString {
  readonly text: string;
  /** The offset of each of its UTF-16 units in the JSON, and of its end. */
  readonly offsets: readonly number[];
}

const UNIT = /\\(?:u[\dA-Fa-f]{4}|[^])|[^]/g;

function* listEscaped(json: string): Generator<EscapedString> {
  if (!json.includes('\\')) return;
  for (const { start, end } of listTokens(json)) {
    const token = json.slice(start, end);
    if (!token.startsWith('"') || !token.includes('\\')) continue;
    const text = parseJson(token);
    if (typeof text !== 'string' || JSON.stringify(text) === token) continue;
    const offsets: number[] = [];
    for (const { index } of token.slice(1, -1).matchAll(UNIT)) offsets.push(start + 1 + index);
    yield { text, offsets: [...offsets, end - 1] };
  }
}

/** Finds a value in such strings: as a whole one, or in any place. */
function* locateEscaped(
  value: string,
  strings: readonly EscapedString[],
  isWhole: boolean,
): Generator<Span> {
  for (const { text, offsets } of strings) {
    if (isWhole && text !== value) continue;
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
      yield [offsets[at] ?? 0, offsets[at + value.length] ?? 0];
    }
  }
}
