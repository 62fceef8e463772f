import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretLintRuleCreator, SecretLintSourceCode } from '@secretlint/types';
import { findAssigned } from './assignments.ts';
import { KNOWN_SECRETS } from './known-secrets.ts';
import { findMarks, Marked, type Sighted, toPatternKey } from './marks.ts';
import { findPrivateKeys } from './private-keys.ts';
import type { Readings } from '../text/read-as.ts';
import type { Find } from './find.ts';
import { findMatches } from './find-matches.ts';
import { isLikeSecret } from './values.ts';
import type { Range, View } from '../text/view.ts';

/** A secret as a reading shows it. */
export interface Secret extends Find {
  /** The value that a reader sees, which may be shorter than the text in its place. */
  readonly value: string;
}

/** Returns a secret as it stands in a text with `by` more characters before it. */
export function moveTo(secret: Secret, by: number): Secret {
  return by === 0 ? secret : { ...secret, start: secret.start + by, end: secret.end + by };
}

export type SecretDetector = (readings: Readings) => Promise<readonly Secret[]>;

/** A shorter find is not a secret, and taking it out would mangle the text. */
const MIN_LENGTH = 4;

const QUOTES = `"'\``;

/** Some keys are recognized only by their context; we would rather take out one too many. */
const OPTIONS = { enableIDScanRule: true };
/** Lets a text switch the other rules off by a comment: the text is not ours. */
export const active = rules.filter(({ meta }) => !meta.id.endsWith('filter-comments'));

/** A key that is found by its end begins later with a word behind it. */
const MAX_BACK = 40;
/** A sign that may be that of a line that goes on. */
const PADDING = /(?:=|%3[Dd]){1,2}$/;
const FIRST_PADDING = /^(?:=|%3[Dd]){1,2}/;
/** Text that may continue a key, and seldom a word. */
const RANDOM = /^(?=[^]{0,80}\d)(?=[^]{0,80}[A-Z])(?=[^]{0,80}[a-z])[\w+/=.-]{9,}$/;

/**
 * Secretlint's patterns are not all proven linear, so they see no more than this at once; what they
 * know is shorter than the overlap.
 */
const WINDOW = 65_536;
const OVERLAP = 8192;

/** Finds the marks of patterns that stand in a text. */
type Look = (text: string) => Sighted;

/** Finds secrets by secretlint's recommended rules and our own, however they are written. Offline. */
export async function detectSecrets(
  readings: Readings,
  look: Look = findMarks,
): Promise<readonly Secret[]> {
  const { text, plain, joined, decoded } = readings;
  const found: Secret[] = [];
  for (const view of plain) {
    for (const find of await findAll(view.text, look)) found.push(toSecret(view, find));
  }
  for (const view of joined) found.push(...(await findJoined({ text, look }, view, found)));
  for (const view of decoded) {
    // The word is a secret, and what it stands for, which other places may show.
    for (const find of await findAll(view.text, look)) {
      const { rule, start, end, value } = toSecret(view, find);
      found.push({ rule, start, end, value: text.slice(start, end) }, { rule, start, end, value });
    }
  }
  return found.filter(({ value }) => value.length >= MIN_LENGTH);
}

async function findAll(text: string, look: Look): Promise<readonly Find[]> {
  const sighted = look(text);
  const found = [...(await findTokens(text, sighted)), ...findAssigned(text, sighted)];
  return found.flatMap((find) => {
    const whole = withoutEscape(text, find);
    const longer = withRest(text, whole);
    // The first part of a secret that is too long to be remembered is remembered.
    return longer === whole ? whole : [whole, longer];
  });
}

/** A pattern ends within a longer word. A private key is lines. */
const [MIN_CUT_OFF, MAX_WHOLE] = [100, 2000];
const OF_WORD = /[\w+/=-]/;

/** Adds the rest of its word to a secret that is longer than its pattern sees. */
function withRest(text: string, find: Find): Find {
  const { rule, start, end } = find;
  if (end - start < MIN_CUT_OFF || rule === 'private-key') return find;
  let rest = end;
  while (rest - start < MAX_WHOLE && rest < text.length && OF_WORD.test(text.charAt(rest)))
    rest += 1;
  return rest === end ? find : { ...find, end: rest };
}

/** Leaves out the backslash before a quote that ends a string in a string. */
function withoutEscape(text: string, find: Find): Find {
  const { start } = find;
  let { end } = find;
  if (!QUOTES.includes(text.charAt(end)) || end === text.length) return find;
  while (end - start > MIN_LENGTH && text.charAt(end - 1) === '\\') end -= 1;
  return end === find.end ? find : { ...find, end };
}

const marked = new Marked(KNOWN_SECRETS, ({ pattern }) => toPatternKey(pattern));

/** Finds secrets by what they are, whatever stands around them. */
async function findTokens(text: string, sighted: Sighted): Promise<readonly Find[]> {
  const found: Find[] = [];
  for (let at = 0; at < text.length; at += WINDOW - OVERLAP) {
    const finds = await runSecretlint(text.slice(at, at + WINDOW), sighted);
    found.push(
      ...finds.map(({ rule, start, end }) => ({ rule, start: start + at, end: end + at })),
    );
    if (at + WINDOW >= text.length) break;
  }
  for (const range of findPrivateKeys(text, sighted)) found.push({ rule: 'private-key', ...range });
  for (const { rule, pattern, isSecret } of marked.choose(sighted)) {
    for (const { 0: match, index, groups, indices } of findMatches(text, pattern)) {
      const value = groups?.['secret'] ?? match;
      if (isSecret?.(value) === false) continue;
      const [start] = indices?.groups?.['secret'] ?? [index + match.indexOf(value)];
      found.push({ rule, start, end: start + value.length });
    }
  }
  return found;
}

function toSecret(view: View, find: Find): Secret {
  const { start, end } = view.locate(find);
  return { rule: find.rule, start, end, value: view.text.slice(find.start, find.end) };
}

/** Keys that were broken; one that is whole before a joint ends there. */
async function findJoined(
  { text, look }: { readonly text: string; readonly look: Look },
  joined: View,
  known: readonly Secret[],
): Promise<readonly Secret[]> {
  const wholes = new Map<number, Secret[]>();
  for (const secret of known) {
    const others = wholes.get(secret.start);
    if (others) others.push(secret);
    else wholes.set(secret.start, [secret]);
  }
  const secrets = (await findTokens(joined.text, look(joined.text))).map((find) =>
    toSecret(joined, find),
  );
  return secrets.filter(({ start, end, value }) => {
    const length = findWhole(wholes, start, value);
    if (length === 0) return text.slice(start, end) !== value;
    // A word of the next line is not a part of the key.
    const rest = value.slice(length).replace(FIRST_PADDING, '');
    return RANDOM.test(rest) || isLikeSecret(rest);
  });
}

/** How much of a joined key is one that is whole before the joint, or the end of one. */
function findWhole(
  wholes: ReadonlyMap<number, readonly Secret[]>,
  start: number,
  joined: string,
): number {
  let longest = 0;
  for (let back = 0; back <= MAX_BACK; back += 1) {
    for (const { value } of wholes.get(start - back) ?? []) {
      const own = value.slice(back).replace(PADDING, '');
      if (own.length > longest && joined.startsWith(own)) longest = own.length;
    }
  }
  return longest;
}

type Handlers = ReturnType<SecretLintRuleCreator['create']>;

interface Rule {
  readonly id: string;
  readonly handlers: Handlers;
}

/** Makes a rule of secretlint, which reports what it finds. */
export function createHandlers(
  rule: SecretLintRuleCreator,
  report: Parameters<SecretLintRuleCreator['create']>[0]['report'],
): Handlers {
  return rule.create(
    {
      sharedOptions: {},
      createTranslator: () => (messageId, data) => ({
        message: '',
        messageId: String(messageId),
        data,
      }),
      ignore: () => undefined,
      report,
    },
    OPTIONS,
  );
}

/**
 * Secretlint's rules without its core, whose profiler keeps a mark for every rule and text and searches
 * all of them at the next: quadratic over a session (12.0.0). Runs over one text at a time.
 */
class Secretlint {
  readonly #rules: Marked<Rule>;
  #text = '';
  #found: Find[] = [];

  constructor() {
    const created = active.map((rule) => ({
      id: rule.meta.id,
      handlers: createHandlers(rule, ({ message: { messageId, data }, range: [from, to] }) => {
        const found = findValue(this.#text, data, from, to);
        this.#found.push({ rule: toRuleName(messageId), ...withoutRest(this.#text, found) });
      }),
    }));
    this.#rules = new Marked(created, ({ id }) => id);
  }

  async run(text: string, sighted: Sighted): Promise<readonly Find[]> {
    this.#text = text;
    this.#found = [];
    const source = toSource(text);
    for (const { handlers } of this.#rules.choose(sighted)) await handlers.file?.(source);
    return this.#found;
  }
}

/** Instances to use again: making one takes longer than searching a short text. */
const idle: Secretlint[] = [];

async function runSecretlint(text: string, sighted: Sighted): Promise<readonly Find[]> {
  const secretlint = idle.pop() ?? new Secretlint();
  const found = await secretlint.run(text, sighted);
  idle.push(secretlint);
  return found;
}

/** Only for rules that ask where in a file something is, which we do not. */
const NOWHERE = { line: 1, column: 0 };

function toSource(content: string): SecretLintSourceCode {
  return {
    hasBOM: false,
    content,
    filePath: 'session.txt',
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '.txt',
    getFilePath: () => 'session.txt',
    getPhysicalFilePath: () => undefined,
    locationToRange: () => [0, 0],
    rangeToLocation: () => ({ start: NOWHERE, end: NOWHERE }),
    positionToIndex: () => 0,
    indexToPosition: () => NOWHERE,
  };
}

/** The secret itself is in the data; some rules give a range that begins before it. */
function findValue(text: string, data: unknown, from: number, to: number): Range {
  let found: Range = { start: from, end: to };
  let longest = MIN_LENGTH - 1;
  for (const value of Object.values(typeof data === 'object' && data !== null ? data : {})) {
    if (typeof value !== 'string' || value.length <= longest) continue;
    const start = text.indexOf(value, from);
    if (start === -1 || start > to) continue;
    found = { start, end: start + value.length };
    longest = value.length;
  }
  return found;
}

/**
 * An address with a user: quotes and brackets end it behind them. Secretlint takes all up to a blank, such as the
 * other members of a line of JSON.
 */
const ADDRESS =
  /^[\w+.:-]{2,40}:\/\/[^@]*@(?:[^\s"'`<>]*@)?(?:\[[\dA-Fa-f:.]{2,45}\])?[^\s"'`<>()[\]{}|\\;]*/;
/** The end of a sentence or a list. */
const BEHIND_ADDRESS = /[.,:!?]{1,8}$/;

function withoutRest(text: string, { start, end }: Range): Range {
  const [address] = ADDRESS.exec(text.slice(start, end)) ?? [];
  if (address === undefined) return { start, end };
  return { start, end: start + address.replace(BEHIND_ADDRESS, '').length };
}

/** The names of rules, made once: secretlint has some fifty. */
const ruleNames = new Map<string, string>();

function toRuleName(messageId: string): string {
  const known = ruleNames.get(messageId);
  if (known !== undefined) return known;
  const name = toKebabCase(messageId);
  ruleNames.set(messageId, name);
  return name;
}

/** `GITHUB_TOKEN` → `github-token`, `AWSAccessKeyID` → `aws-access-key-id`. */
function toKebabCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}
