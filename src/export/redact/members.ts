import type { JoinedPlaces } from './join-places.ts';
import type { Place } from './places.ts';
import { isCode } from './secrets/codes.ts';
import { findAssigned } from './secrets/assignments.ts';
import type { Secret } from './secrets/detect-secrets.ts';
import { FOREIGN_NAMES } from './secrets/foreign-names.ts';
import { HOLDS_CODES } from './secrets/holders.ts';
import { TWO_WORDS } from './secrets/names.ts';
import { findMemberSecret } from './secrets/secret-names.ts';
import type { Range } from './text/view.ts';

/** Finds values that are secret by the name of their member. */
export function findMembers(places: readonly Place[], joined: JoinedPlaces): readonly Secret[] {
  return joined.starts.flatMap(([start, index]) => {
    const { key = '', text = '', kind } = places[index] ?? {};
    if (kind !== 'text') return [];
    const range = findMemberSecret(key, text);
    const ranges = range ? [range] : [...findBehindName(key, text)];
    return ranges.map((found) => ({
      rule: 'secret-member',
      start: start + found.start,
      end: start + found.end,
      value: text.slice(found.start, found.end),
    }));
  });
}

/** A longer one is a text with more in it than what its member names. */
const MAX_NAMED = 10_000;
const READ_AS_TEXT =
  /authorization$|mnemonic|^(?:PHPSESSID|WPA\d?)$|(?:phrase|words)$|^secret-?string$|(?:key|token|pass\w{0,6}|secret|credentials?)[_-]?(?:helper|command|cmd|eval|process)$|(?:^|[_-])(?:pat|pk|keys)$|(?:^|[ _-])(?:logins?|creds|credentials|u\/p|user(?:name)?\/pass(?:word)?|zugangsdaten|identifiants|credenciales|credenziali)$|^(?!-)[^:]{0,60}(?:pass|secret|token)[^:]{0,40}[\s.?]/i;

/** Reads a member as a line of text, by names of several words and of other languages. */
function* findBehindName(name: string, text: string): Generator<Range> {
  if (isCode(name, text)) yield { start: 0, end: text.length };
  if (name.length > 100 || text.length > MAX_NAMED) return;
  const isNamed = READ_AS_TEXT.test(name) || HOLDS_CODES.test(name);
  if (!isNamed && ![FOREIGN_NAMES, TWO_WORDS].some((one) => name.search(one) > -1)) return;
  // A question ends with its own sign.
  const head = name.endsWith('?') ? `${name} ` : `${name}: `;
  for (const { start, end } of findAssigned(head + text)) {
    if (start >= head.length) yield { start: start - head.length, end: end - head.length };
  }
}
