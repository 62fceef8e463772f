import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';
import type { NearValue } from './near-values.ts';
import { isSecretValue, LIKELY } from './secret-names.ts';

/** Members of `tokens` that are tokens: others are pieces of a text, or of a design. */
const KIND_OF_TOKEN =
  /^(?:access|refresh|id|bearer|auth|session|csrf|xsrf|api|bot|user|app|admin)$/i;
/** Names of objects whose members are secrets, and the members of a schema, which are none. */
const HOLDS_SECRETS = /(?:password|passwd|passphrase)s?$|secrets$|secret-?string$/i;
const HOLDS_KEYS = /(?:tokens|api_?keys|gitlab-token|(?:github|gitlab)-oauth|^bearer)$/i;
/** Members of a `token` that are tokens. */
const OF_TOKEN = /^(?:access|refresh|bearer|auth|session)$/i;
/** The settings of what signs, encrypts or asks a service, in which a bare `Key` is the one that it takes. */
const TAKES_KEY =
  /(?:jwt|jws|tokens?|auth|authentication|signing|encryption|hmac|open_?ai|anthropic|azure\w{0,20}|cosmos(?:_?db)?|send_?grid|stripe|mailgun|twilio|weather|api|private|secret)(?:_?(?:settings|options|config|service|api|bearer))?$/i;
const DESCRIBES =
  /^(?:type|format|pattern|\$ref|ref|title|description|label|name|kind|id|in|user|username|login|email|key|path|file|placeholder|message|error|code|status|source|provider|env|variable|hash|algorithm)$/i;

/** The name of what holds secrets beside names of users. */
const HOLDS_LOGINS = /(?:credentials|creds|logins)$/i;

/** The name of codes that stand in for a second factor. */
export const HOLDS_CODES = /(?:recovery|back-?up|scratch|emergency)[ _-]?codes?$/i;

/** Names a member for what it is in the one that holds it: of `passwords`, each is a password. An item has none. */
export function nameMember(outer: string, name: string): string {
  if (/^cookies$/i.test(outer) && !DESCRIBES.test(name)) return 'auth_cookie';
  if (/tokens$/i.test(outer) && KIND_OF_TOKEN.test(name)) return 'auth_token';
  if (/token$/i.test(outer) && OF_TOKEN.test(name)) return 'auth_token';
  if (/^key$/i.test(name) && TAKES_KEY.test(outer)) return LIKELY;
  if (DESCRIBES.test(name)) return name;
  if (HOLDS_CODES.test(outer)) return outer;
  if (HOLDS_SECRETS.test(outer)) return outer;
  return HOLDS_KEYS.test(outer) || HOLDS_LOGINS.test(outer) ? LIKELY : name;
}

/** Heads of members that are secrets in YAML, JSON or TOML, and the data of a secret of Kubernetes. */
const HEAD =
  /(?<![\w.-])(?<outer>[\w.-]{0,60}(?:passwords?|passwds?|passphrases?|secrets|secret-?string|tokens?|api_?keys|gitlab-token|(?:github|gitlab)-oauth|(?:jwt|signing|encryption|open_?ai|anthropic|send_?grid|stripe|mailgun|twilio|api|private|secret)(?:_?(?:settings|options|config|bearer))?)|bearer|(?:stringD|d)ata|(?<![\w.-])cookies)(?:["']?[ \t]{0,4}[:=][ \t]{0,4}|(?<=-string)[ \t]{1,4})(?<opens>["']?\{|(?:#[^\n]{0,200})?\r?\n)/gi;
/** A member, or an item of a list, on a line of its own, and a remark behind it. */
const LINE =
  /(?<before>[ \t]{0,80}(?:\d{1,6}[ \t:→|]{1,4}|[+>#|-][ \t]?)?[ \t]{0,80})(?:- (?!\w{1,60}:)|["']?(?<name>[\w./@+-]{1,80}|(?<=["'])[^"'\n]{1,80}(?=["']))["']?:[ \t]{0,8})(?:["'](?<quoted>[^"'\r\n]{1,100000})["']|(?<bare>[^\s"'{}[\],|>][^\s"',]{0,100000}))?[ \t]{0,4}(?:,[ \t]{0,4})?(?:(?<=[ \t])[ \t]{0,40}(?:#|\/\/|\()[^\r\n]{0,200})?\r?(?:\n|$)/y;
const MEMBER =
  /\s{0,80}["']?(?<name>[\w./-]{1,80})["']?[ \t]{0,4}[:=][ \t]{0,4}(?:["'](?<quoted>[^"'\r\n]{1,100000})["']|"(?:[^"\\\r\n]|\\.){0,100000}"|'[^'\r\n]{0,100000}'|(?<bare>[^\s"'{}[\],]{1,100000}))[ \t]{0,4}(?:,|(?=\s{0,80}\}))/y;
/** A line between members: empty, a remark, or a list or an object on one line. */
const REST =
  /[ \t]{0,80}(?:\d{1,6}[ \t:→|]{1,4}|[+>|-][ \t]?)?[ \t]{0,80}(?:#[^\n]{0,200}|["']?[\w./-]{1,80}["']?:[ \t]{1,8}(?:\[[^[\]\n]{0,200}\]|\{[^{}\n]{0,200}\})[ \t]{0,8})?\r?\n/y;
/** A member that is a text of several lines, up to the next member. */
const TEXT =
  /(?<in>[ \t]{0,80})["']?[\w./-]{1,80}["']?:[ \t]{1,8}[|>][+-]?\d?[+-]?[ \t]{0,8}\r?\n(?:\k<in>[ \t]{1,80}[^\s][^\n]{0,4000}\n|[ \t]{0,160}\r?\n){0,1000}/y;
/** Any other member or item: an empty one, or one of several words. */
const OTHER_LINE =
  /(?<before>[ \t]{0,80}(?:\d{1,6}[ \t:→|]{1,4}|[+>#|-][ \t]?)?[ \t]{0,80})(?:-[ \t]|[\w./@+ -]{1,80}:(?=[ \t])|"[^"\n]{1,80}":|'[^'\n]{1,80}':)[^\n]{0,4000}(?:\n|$)/y;
/** More lines than a person leaves between two members. */
const MAX_REST = 50;
const MAX_MEMBERS = 100_000;
/** A secret of Kubernetes says so near its data. */
const KUBERNETES =
  /["']?kind["']?:[ \t]{0,4}["']?Secret(?!\w)|(?:kubectl|oc)[ \t]patch[ \t]secrets?(?!\w)/g;
/** Vault says this around the data of a secret, in JSON and as a table. */
export const VAULT = /"lease_(?:id|duration)"/g;
const VAULT_TABLE =
  /(?:={2,20} Data ={2,20}\r?\n[ \t]{0,40}Key[ \t]{1,80}Value\r?\n[ \t]{0,40}---[ \t]{1,80}-----|Key[ \t]{1,80}Value\r?\n[ \t]{0,40}---[ \t]{1,80}-----\r?\n[ \t]{0,40}refresh_interval[^\n]{0,80})[ \t\r]{0,8}\n/g;
const VAULT_ROW =
  /[ \t]{0,40}(?<name>[\w./-]{1,80})[ \t]{2,80}(?<bare>\S[^\n]{0,4095}?)[ \t\r]{0,8}(?:\n|$)/y;
const NEAR = 3000;
const FAR = 60_000;
/** Another object begins. */
const OTHER_OBJECT = /^(?:---|[ \t]{0,8}-?[ \t]{0,8}["']?(?:apiVersion|kind)["']?:)/m;
const BASE64 = /^(?:[\w+/]{4})+(?:[\w+/]{2}==|[\w+/]{3}=)?$/;

const markedVault = new Marked([VAULT], toPatternKey);

/** Returns whether a text may have data of Vault, whose names are any words. */
export function mayBeOfVault(sighted: Sighted): boolean {
  return markedVault.choose(sighted).length > 0;
}

/** Finds the members of what holds secrets. All but those of Kubernetes must be looked at. */
export function* findHeld(text: string): Generator<NearValue & { readonly isSure: boolean }> {
  yield* findInVault(text);
  // Few texts have data, and only these are searched for what says whose they are.
  const [kubernetes, vault] = [new Near(text, KUBERNETES), new Near(text, VAULT)];
  let done = 0;
  for (const { 0: head, index, groups = {} } of findMatches(text, HEAD)) {
    if (index < done) continue;
    const { outer = '', opens } = groups;
    const isData = /data$/i.test(outer);
    if (isData && kubernetes.isNowhere && vault.isNowhere) continue;
    const from = index + head.length;
    const members = [
      ...(opens?.endsWith('{') ? readFlow(text, from) : readBlock(text, index, from)),
    ];
    const whole = { start: index, end: members.at(-1)?.end ?? from };
    const isManifest = isData && kubernetes.isBeside(whole);
    if (isData && !isManifest && !vault.isBeside(whole)) continue;
    for (const { name, value, start, end } of members) {
      done = end;
      if (isManifest) {
        const isSure = !DESCRIBES.test(name) && isDatum(outer, value);
        if (isSure) yield { name, value, start, end, isSure };
      } else
        yield {
          name: isData ? nameStored(name) : nameHeld(outer, name),
          value,
          start,
          end,
          isSure: false,
        };
    }
  }
}

/** The places of what says whose data it is, which may be as long as a file in base64. */
class Near {
  readonly #text: string;
  readonly #pattern: RegExp;
  #places: readonly number[] | undefined;
  readonly #ends = new Map<number, number>();

  constructor(text: string, pattern: RegExp) {
    this.#text = text;
    this.#pattern = pattern;
  }

  get isNowhere(): boolean {
    return this.#list().length === 0;
  }

  isBeside({ start, end }: Range): boolean {
    const places = this.#list();
    if (places.some((place) => place > start - NEAR && place < end + NEAR)) return true;
    const last = places.findLast((place) => place < start);
    return last !== undefined && start < this.#findEnd(last);
  }

  /** Finds the end of the object that a place is in: what describes a secret may be long, and stands before its data. */
  #findEnd(place: number): number {
    const known = this.#ends.get(place);
    if (known !== undefined) return known;
    const from = place + '"kind'.length;
    const rest = this.#text.slice(from, from + FAR);
    const other = rest.search(OTHER_OBJECT);
    const end = from + (other === -1 ? rest.length : other);
    this.#ends.set(place, end);
    return end;
  }

  #list(): readonly number[] {
    this.#places ??= Array.from(findMatches(this.#text, this.#pattern), ({ index }) => index);
    return this.#places;
  }
}

function* findInVault(text: string): ReturnType<typeof findHeld> {
  for (const { 0: head, index } of findMatches(text, VAULT_TABLE)) {
    VAULT_ROW.lastIndex = index + head.length;
    for (let row = VAULT_ROW.exec(text); row; row = VAULT_ROW.exec(text)) {
      const { name, value, start, end } = toMember(row);
      yield { name: nameStored(name), value, start, end, isSure: false };
    }
  }
}

/** Names what Vault stores. */
function nameStored(name: string): string {
  return DESCRIBES.test(name) ? name : LIKELY;
}

/** Names a member of what holds tokens and keys, too, as its value must look like one. */
function nameHeld(outer: string, name: string): string {
  return HOLDS_KEYS.test(outer) && !DESCRIBES.test(name) ? 'auth_token' : nameMember(outer, name);
}

function isDatum(outer: string, value: string): boolean {
  return outer === 'data'
    ? BASE64.test(value)
    : isSecretValue({ name: 'password', value, isText: true });
}

type Member = Omit<NearValue, 'name'> & { readonly name: string };

function* readFlow(text: string, from: number): Generator<Member> {
  let at = from;
  for (let count = 0; count < MAX_MEMBERS; count += 1) {
    MEMBER.lastIndex = at;
    const match = MEMBER.exec(text);
    if (!match) break;
    yield toMember(match);
    at = MEMBER.lastIndex;
  }
}

/** Reads the lines that are further in than the head. */
function* readBlock(text: string, head: number, from: number): Generator<Member> {
  const depth = head - text.lastIndexOf('\n', head - 1) - 1;
  let at = from;
  for (let count = 0; count < MAX_MEMBERS; count += 1) {
    const match = readLine(text, skipRest(text, at));
    const { before = '' } = match?.groups ?? {};
    if (!match || before.length < depth) break;
    const member = toMember(match);
    if (before.length === depth && !match[0].slice(before.length).startsWith('- ')) break;
    if (member.value !== '') yield member;
    at = match.index + match[0].length;
  }
}

function readLine(text: string, at: number): RegExpExecArray | undefined {
  for (const pattern of [LINE, OTHER_LINE]) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return match;
  }
  return undefined;
}

function skipRest(text: string, from: number): number {
  let at = from;
  for (let count = 0; count < MAX_REST; count += 1) {
    const other = [REST, TEXT].find((pattern) => {
      pattern.lastIndex = at;
      return pattern.test(text);
    });
    if (!other) break;
    at = other.lastIndex;
  }
  return at;
}

function toMember({ 0: match, index, groups = {} }: RegExpExecArray): Member {
  const { name = '', quoted, bare = '' } = groups;
  const value = quoted ?? bare;
  const start = index + match.lastIndexOf(value);
  const range: Range = { start, end: start + value.length };
  return { name, value, ...range };
}
