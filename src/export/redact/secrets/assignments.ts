import { findCells } from './columns.ts';
import { findArguments } from './arguments.ts';
import { findParameters } from './authorization.ts';
import { findFollowing, isLikely, isSure, isSystemFile, type Named } from './following.ts';
import { findNames } from './names.ts';
import { Values } from './read-value.ts';
import { judgeName } from './secret-names.ts';
import type { Find } from './find.ts';
import { findMeant } from './find-matches.ts';
import { findMarks, Marked, mayNameSecret, type Sighted, toPatternKey } from './marks.ts';
import { findCollected } from './collections.ts';
import { findCodes } from './codes.ts';
import { findHeld, mayBeOfVault } from './holders.ts';
import { findInputs } from './inputs.ts';
import { findListedCookies, findListedUsers, findSettings } from './listed.ts';
import { findNearValues } from './near-values.ts';
import { findNearWords } from './near-words.ts';
import { findOutputs, findShownFiles } from './outputs.ts';
import { findPlaced } from './placed.ts';
import { findInSentences } from './sentences.ts';

/** Patterns of text before a value that names it: each match ends where the value begins. */
export const NAMES: readonly RegExp[] = [
  // `.password("value")`, `setPassword("value")`.
  /\((?=["'][^"'\n]{0,250}[\d!#$%^&*+=~?@-])(?<=(?:\.|(?<![A-Za-z\d])(?:set|with)_?)(?!get|check|is|has|find|verify|validate|compare|hash)(?<name>[A-Za-z]\w{1,40})\()/g,
  // `setenv("DB_PASSWORD", "value")`, `put("password", "value")`, `fill('#password', 'value')`. A plain word is
  // what a program calls something, and a text before a colon is a name.
  /(?:(?:put|set|add|append|type|fill|[Ss]et\w{1,20})\(["'][#.]?(?<name>[\w.-]{2,100})|(?<![\w.-])(?<variable>[A-Z][A-Z\d]{0,40}_[A-Z\d_]{1,60}))["'],[ \t]{0,40}(?:"\\?(?="))?(?=["'](?![A-Z\d_]{1,60}["'])[^"'\n]{0,250}[\d!#$%^&*+=~?@-])(?!["'][^"'\n]{0,100}["'][ \t]{0,4}[:=])/g,
  // `read PASSWORD <<< value`, also below.
  /<<(?<=(?<![\w.-])(?<name>\w{2,100})[ \t]{1,4}<<)(?:<[ \t]{0,4}|-?[ \t]{0,4}["']?\w{1,20}["']?\r?\n[ \t]{0,40})(?=\S)/g,
  /cat[ \t]{1,4}<<(?<=(?<![\w.-])(?<name>\w{2,100})=["']?(?:\$\(|`)cat[ \t]{1,4}<<)-?[ \t]{0,4}["']?\w{1,20}["']?\r?\n[ \t]{0,40}(?=\S)/g,
  // `TOKEN="${2:-value}"`: what is used where an argument is not given.
  /\$\{(?<=(?<![\w.-])(?<name>[A-Za-z]\w{1,100})=["']?\$\{)\w{1,60}:?[-=](?=[^\s}$'"])/g,
  // `printf -v DB_PASSWORD '%s' value`.
  /printf[ \t]{1,4}-v[ \t]{1,4}(?<name>\w{2,100})[ \t]{1,4}["']?%[sbq](?:\\n)?["']?[ \t]{1,4}/g,
  // `--password value`.
  /(?<![\w-])--?(?<name>[A-Za-z][\w-]{1,100})[ \t]{1,8}(?!-)/g,
  // `<password>value</password>`.
  /<(?<name>[\w.:-]{2,100})(?:\s[^<>]{0,200})?>(?:\s{0,40}<!--[^<>]{0,120}-->\s{0,40})?(?:\s{0,40}<(?:[Vv]alue|!\[CDATA\[)>?\s{0,40})?(?=[^<>\s\]]{1,250}(?:\]\]>)?\s{0,40}<\/)/g,
  // A variable of Kubernetes or Compose, a header of HAR: `name: X` and then `value: Y`.
  /(?<![\w-])(?:name|key|field|id|label|header|variable|param(?:eter)?(?:_?(?:name|key))?|(?:option|output)_?(?:name|key))["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<name>[\w./-]{2,100})["']?(?:[\s,+-]{1,80}(?:(?:#|\/\/|\/\*)[^\n]{0,120}\n\s{0,80}){0,3})(?:["']?(?!(?:name|key)["']?[ \t]{0,8}[:=])[A-Za-z]\w{1,30}["']?[ \t]{0,8}[:=][ \t]{0,8}\[?(?:["']?[\w./:-]{1,80}["']?\]?(?=[\s,+])|["'][\w./: -]{1,80}["']\]?(?=[\s,+])|[\w./: -]{1,80}\]?(?=[,\r\n]))[\s,+-]{1,80}){0,4}["']?(?:(?:(?:parameter|output|option)_?)?value|val|content|default)["']?[ \t]{0,8}[:=][ \t]{0,8}/gi,
  // A change of a document: `"path": "/spec/password", "value": "x"`.
  /"path\\?"[ \t]{0,8}:[ \t]{0,8}\\?"(?<name>\/[\w./~-]{2,100})\\?",\s{0,40}\\?"value\\?"[ \t]{0,8}:[ \t]{0,8}(?=\\?")/g,
  // A field of a page, with other attributes between.
  /(?<![\w-])(?:name|id|key)=["'](?<name>[\w.:-]{2,100})["'](?:\s{1,20}(?!value)[\w:-]{1,40}=(?:"[^"<>]{0,200}"|'[^'<>]{0,200}')){1,5}\s{1,20}value=(?=["'])/gi,
  // A list that Redis answers with: a name, and below it its value.
  /^[ \t]{0,40}\d{1,4}\)[ \t]"(?<name>[\w.:-]{2,100})"\r?\n[ \t]{0,40}\d{1,4}\)[ \t]{1,4}(?=")/gm,
  // A variable of Terraform, and what it is changed to: `password = "old" -> "new"`.
  /variable[ \t]{1,4}"(?<name>[\w-]{2,100})"[ \t]{0,4}\{(?:[^{}"]|"[^"\n]{0,2000}"|\{[^{}]{0,500}\}){0,250}?default[ \t]{0,20}=[ \t]{0,8}(?=")/g,
  /->(?<=(?<![\w.-])(?<name>[\w.-]{2,100})["']?[ \t]{0,40}[=:][ \t]{0,4}["'][^"'\n]{0,200}["'][ \t]{0,4}->)[ \t]{0,4}(?=["'])/g,
  // Assignments of a Dockerfile, fish, C, AWS and Windows.
  /(?<![\w-])(?:ENV|ARG|#define|setx|setenv|configure set|set -\w{1,3})[ \t]{1,4}(?<name>\w{2,100})[ \t]{1,4}/g,
];
/** Patterns that are less sure: each value must look like a secret, too. */
export const LOOSE_NAMES: readonly RegExp[] = [
  // `<entry key="password">value`, `<td>password</td><td>value`, `<password>` and a line.
  /(?<![\w-])(?:key|name|id)=["'](?<name>[\w.:-]{2,100})["'][^<>]{0,100}>\s{0,40}(?:<value>\s{0,40})?/gi,
  />(?<name>[\w.-]{2,100}):?<\/\w{1,20}>\s{0,40}<\w{1,20}[^<>]{0,100}>\s{0,40}/g,
  /<(?<name>[\w.:-]{2,100})>\s{1,40}/g,
  // The default of an option: `add_argument('--token', type=str, default='value')`.
  /(?<![\w-])default(?:_?[Vv]alue)?["']?[ \t]{0,4}[:=]{1,2}[ \t]{0,4}(?<=\((?:["']-\w["'],[ \t]{0,4})?["'](?:--)?(?<name>[A-Za-z][\w-]{1,100})(?:[ \t][^"'\n]{1,40})?["'],[^\n;()]{0,200}default(?:_?[Vv]alue)?["']?[ \t]{0,4}[:=]{1,2}[ \t]{0,4})(?=["'])/g,
  // `password.equals("value")`.
  /\.[eE]quals(?:IgnoreCase)?\((?<=(?<![\w.-])(?<name>[A-Za-z][\w.-]{1,100})\.[eE]quals(?:IgnoreCase)?\()(?=")/g,
];
const markedNames = new Marked(NAMES, toPatternKey);
const markedLooseNames = new Marked(LOOSE_NAMES, toPatternKey);

/** Other finders of secrets, by the text around them. */
const FINDERS: readonly (readonly [rule: string, find: typeof findInSentences])[] = [
  ['password', findInSentences],
  ['authorization', findParameters],
  ['command-password', findArguments],
  ['command-password', findInputs],
  ['command-password', findListedUsers],
  ['command-password', findSettings],
  ['cookie', findListedCookies],
  ['printed-secret', findOutputs],
  ['printed-secret', findShownFiles],
  ['code', findCodes],
  ['secret-word', findNearWords],
];

/** Secrets that are known by their names, by headers, or as arguments of programs. */
export function* findAssigned(text: string, sighted: Sighted = findMarks(text)): Generator<Find> {
  const isNamed = mayNameSecret(sighted);
  if (isNamed) {
    for (const pattern of markedNames.choose(sighted)) yield* findNamed(text, pattern, isSure);
    for (const pattern of markedLooseNames.choose(sighted)) {
      yield* findNamed(text, pattern, isLikely);
    }
  }
  const names = findNames(text, sighted);
  for (const range of findFollowing(text, names)) yield { rule: 'assigned-secret', ...range };
  for (const { name, value, start, end } of [
    ...findCells(text, names),
    ...findNearValues(text, names),
    ...findCollected(text, sighted),
  ]) {
    if (isLikely({ name, value })) yield { rule: 'assigned-secret', start, end };
  }
  if (isNamed || mayBeOfVault(sighted)) {
    for (const { name, value, start, end, isSure: isKnown } of findHeld(text)) {
      if (isKnown || isLikely({ name, value })) yield { rule: 'assigned-secret', start, end };
    }
  }
  for (const [rule, find] of FINDERS) {
    for (const range of find(text, sighted)) yield { rule, ...range };
  }
  yield* findPlaced(text, sighted);
}

/** Values after names; each match ends where a value begins. */
function* findNamed(text: string, pattern: RegExp, isSecret: (named: Named) => boolean) {
  const values = new Values(text);
  const isMeant = ({ groups }: RegExpExecArray): boolean => judgeName(toName(groups)) !== 'none';
  for (const { 0: match, index, groups } of findMeant(text, pattern, isMeant)) {
    const name = toName(groups);
    if (isSystemFile(name, text, index + match.length)) continue;
    const { start, end, isQuoted } = values.read(index + match.length);
    const named = { name, value: text.slice(start, end), isQuoted };
    if (isSecret(named)) yield { rule: 'assigned-secret', start, end };
  }
}

function toName(groups: RegExpExecArray['groups']): string {
  return groups?.['name'] ?? groups?.['variable'] ?? '';
}
