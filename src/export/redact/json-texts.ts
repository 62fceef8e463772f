import { isArray, isObject, parseJson } from '../../session/jsonl/edit/json.ts';
import { JoinedPlaces } from './join-places.ts';
import { findMembers } from './members.ts';
import { collectPlaces, type Place } from './places.ts';
import type { Secret, SecretDetector } from './secrets/detect-secrets.ts';
import { readAs } from './text/read-as.ts';

/** A longer one is a document, which is read as text alone. */
const MAX_JSON = 100_000;
const LIKE_JSON = /^\s{0,20}[{[]/;
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
    if (kind !== 'text' || text.length > MAX_JSON || !LIKE_JSON.test(text)) continue;
    const value = parseJson(text);
    if (!isArray(value) && !isObject(value)) continue;
    const inner = collectPlaces(isArray(value) ? { items: value } : value);
    const innerJoined = new JoinedPlaces(inner);
    const secrets = [...findMembers(inner, innerJoined)];
    // Its other text was read as a part of the string.
    const hasArguments = inner.some(({ call }) => call !== undefined);
    if (hasArguments) secrets.push(...(await detect(readAs(innerJoined.text))));
    if (depth < MAX_DEPTH) {
      secrets.push(...(await findInJson(inner, innerJoined, detect, depth + 1)));
    }
    const strings = new Set(inner.map((place) => place.text));
    // Each is located wherever it stands: a list may hold one a thousand times.
    const distinct = new Map(secrets.map((secret) => [secret.value, secret]));
    for (const secret of distinct.values()) found.push(...locate(secret, text, start, strings));
  }
  return found;
}

/** Finds a value everywhere in the JSON that holds it: as a whole string, if it is one of `strings`. */
function* locate(
  { value, rule }: Secret,
  text: string,
  start: number,
  strings: ReadonlySet<string>,
): Generator<Secret> {
  const [quoted, quote] = [JSON.stringify(value), strings.has(value) ? 1 : 0];
  const written = quote === 1 ? quoted : quoted.slice(1, -1);
  for (let at = text.indexOf(written); at !== -1; at = text.indexOf(written, at + written.length)) {
    const [from, to] = [at + quote, at + written.length - quote];
    yield { rule, value, start: start + from, end: start + to };
  }
}
