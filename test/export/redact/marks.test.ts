import { RegExpParser } from '@eslint-community/regexpp';
import { describe, expect, it, vi } from 'vitest';
import { LOOSE_NAMES, NAMES } from '../../../src/export/redact/secrets/assignments.ts';
import { ASKING_COMMANDS } from '../../../src/export/redact/secrets/asking-commands.ts';
import { active, createHandlers } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { KNOWN_SECRETS } from '../../../src/export/redact/secrets/known-secrets.ts';
import {
  findMarks,
  Marked,
  mayNameSecret,
  toPatternKey,
} from '../../../src/export/redact/secrets/marks.ts';
import { PARAMETERS } from '../../../src/export/redact/secrets/authorization.ts';
import {
  COLLECTION,
  LOGIN_CALL,
  MEMBER_OF,
  SECTION,
} from '../../../src/export/redact/secrets/collections.ts';
import { COOKIE_LIST, SETTINGS, USER_LIST } from '../../../src/export/redact/secrets/listed.ts';
import { TWO_WORDS } from '../../../src/export/redact/secrets/names.ts';
import { MARK } from '../../../src/export/redact/secrets/private-keys.ts';
import { CODE_PATTERNS } from '../../../src/export/redact/secrets/codes.ts';
import { GIVEN, HERE_DOCUMENT, PRINTED } from '../../../src/export/redact/secrets/inputs.ts';
import { VAULT } from '../../../src/export/redact/secrets/holders.ts';
import { FILE_HEAD } from '../../../src/export/redact/secrets/outputs.ts';
import { PLACED } from '../../../src/export/redact/secrets/placed.ts';
import {
  NAME_MARKS,
  NEAR_WORD,
  SECRET_ENDING,
  SECRET_WORD,
} from '../../../src/export/redact/secrets/secret-names.ts';
import {
  LIKELY_SENTENCES,
  RANDOM_SENTENCES,
  SENTENCES,
} from '../../../src/export/redact/secrets/sentences.ts';
import { deriveMarks, listTexts } from './derive-marks.ts';
import { KINDS } from './kinds.ts';

const OTHERS = [
  MARK,
  NEAR_WORD,
  PARAMETERS,
  COLLECTION,
  LOGIN_CALL,
  MEMBER_OF,
  SECTION,
  COOKIE_LIST,
  SETTINGS,
  USER_LIST,
  TWO_WORDS,
  PRINTED,
  FILE_HEAD,
  VAULT,
  ...ASKING_COMMANDS,
  GIVEN,
  HERE_DOCUMENT,
  ...CODE_PATTERNS,
  ...SENTENCES,
  ...RANDOM_SENTENCES,
  ...LIKELY_SENTENCES,
];

/** The patterns that a rule of secretlint looks for in any text. */
async function listPatterns(rule: (typeof active)[number], text: string): Promise<RegExp[]> {
  const spy = vi.spyOn(String.prototype, 'matchAll');
  try {
    const handlers = createHandlers(rule, () => undefined);
    const source: unknown = { content: text, filePath: 'a.txt', ext: '.txt', contentType: 'text' };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the rules read of it
    await handlers.file?.(source as Parameters<NonNullable<typeof handlers.file>>[0]);
    return spy.mock.calls.flatMap(([pattern]) => (pattern instanceof RegExp ? [pattern] : []));
  } finally {
    spy.mockRestore();
  }
}

/** Of each pattern the rarest list; a rule without a pattern finds nothing, so it needs none. */
function unite(patterns: readonly RegExp[]): readonly (readonly string[])[] {
  const lists = patterns.map((pattern) =>
    deriveMarks(pattern)
      .toSorted((a, b) => shortest(b) - shortest(a))
      .at(0),
  );
  if (lists.length === 0 || lists.includes(undefined)) return [];
  return [[...new Set(lists.flatMap((list = []) => list))]];
}

function shortest(list: readonly string[]): number {
  return Math.min(...list.map(({ length }) => length));
}

describe('the marks of patterns', () => {
  it('are in every text that a pattern matches', async () => {
    const own = [...KNOWN_SECRETS, ...PLACED].map(({ pattern }) => pattern);
    const entries = [...own, ...NAMES, ...LOOSE_NAMES, ...OTHERS].map(
      (pattern) => [toPatternKey(pattern), deriveMarks(pattern)] as const,
    );
    const ofRules: (readonly [string, readonly (readonly string[])[]])[] = [];
    for (const rule of active) ofRules.push([rule.meta.id, unite(await listPatterns(rule, ''))]);
    const all = [...entries, ...ofRules].filter(([, lists]) => lists.length > 0);
    const lines = all.map(([key, lists]) => `  ${JSON.stringify(key)}: ${JSON.stringify(lists)}`);
    // `npx vitest run -u` writes it anew.
    await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot(
      '../../../src/export/redact/secrets/marks.json',
    );
  });

  it.each([
    [/(?:sk|pk)_[a-z]{3}x/g, [['sk_', 'pk_']]],
    [/ABC(?:def)?\d+gh/gi, [['abc']]],
    [/(?:ab+c|d[xy]z)\$/g, [['bc$', 'dxz$', 'dyz$']]],
    [/(?:key\w|x)a/g, [['key', 'xa']]],
    [/(?:key\w|x)\d/g, []],
    [/\w(?<=(?:user|login):\w)/g, [['user:', 'login:']]],
    [/a(?=\w|bc)/g, []],
    [/(?<!abc)\d(?!def)/g, []],
    [/(?:abc){0,3}\d/g, []],
    [/(?:ab){2,}\d/g, [['abab']]],
    [/(?:abc|é)\d/g, []],
    [/mark/giu, []],
    [/abc|(?<=def)\d/g, []],
  ])('are what all matches have in common: %s', (pattern, lists) => {
    expect(deriveMarks(pattern)).toEqual(lists);
  });

  it('stand in every kind of secret that a pattern finds', () => {
    const patterns = [...KNOWN_SECRETS, ...PLACED].map(({ pattern }) => pattern);
    const marked = new Marked([...patterns, ...NAMES, ...LOOSE_NAMES], toPatternKey);
    for (const { text } of KINDS) {
      const chosen = new Set(marked.choose(findMarks(text)));
      const matching = patterns.filter((pattern) => text.search(pattern) >= 0);
      expect(matching.filter((pattern) => !chosen.has(pattern))).toEqual([]);
    }
  });

  it('begin each word of a secret', () => {
    const text = KINDS.map((kind) => `${kind.kind}: ${kind.text}`).join('\n');
    const others =
      'TOTP totp logged in, signed-in envv set wi-fi key encv set author authorization';
    for (const said of [text, text.toUpperCase(), others]) {
      const found = Array.from(said.matchAll(new RegExp(NEAR_WORD, 'gi')), ({ index }) => index);
      const { words } = findMarks(said);
      expect(found.filter((index) => !words.includes(index))).toEqual([]);
      expect(words).toEqual(words.toSorted((a, b) => a - b));
      expect(found.length).toBeGreaterThan(5);
    }
  });

  it('are found wherever they stand', () => {
    const marked = new Marked(KNOWN_SECRETS, ({ pattern }) => toPatternKey(pattern));
    const choose = (text: string): readonly string[] =>
      marked.choose(findMarks(text)).map(({ pattern }) => pattern.source);
    const always = new Set(choose(''));
    const choices = (text: string): readonly string[] =>
      choose(text).filter((source) => !always.has(source));
    expect(choices('xghp_é').length).toBeGreaterThan(0);
    expect(choices('xghp_é')).toEqual(choices('ghp_'));
    expect(choices('gh AKI A').length).toBe(0);
    expect(choices('akia')).toEqual([]);
    expect(choices('xAKIAgithub_pat_')).toEqual([...choices('AKIA'), ...choices('github_pat_')]);
  });

  it('are in the name of every secret', () => {
    const words = [SECRET_WORD, SECRET_ENDING].flatMap(({ source }) => {
      const { alternatives } = new RegExpParser().parsePattern(source);
      const [longest] = alternatives
        .flatMap(({ elements }) => elements)
        .toSorted((a, b) => b.raw.length - a.raw.length);
      return longest ? listTexts(longest) : [];
    });
    expect(words.length).toBeGreaterThan(80);
    // A name may have another sign or none instead of a low line.
    const isIn = (word: string): boolean => NAME_MARKS.some((mark) => word.includes(mark));
    expect(words.filter((word) => !isIn(word))).toEqual([]);
    expect(NAME_MARKS.join('')).toMatch(/^[a-z]+$/);
    expect(mayNameSecret(findMarks('a DB_PassWord'))).toBe(true);
    expect(mayNameSecret(findMarks('an ordinary text'))).toBe(false);
  });
});
