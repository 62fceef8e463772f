import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Phrases that an English reader has to read twice: in messages, help, pages and comments alike. */
const BANNED =
  /(?<!\bthere )\bis no\b(?! (?:longer|more|one|use|way|need|reason)\b)|\b(?:tells?|told)\b|\bin place of\b|\bwhoever\b|\bso many\b|\b(?:left|leave) alone\b|\bpass(?:es|ed)? over\b|\bnobody\b|\bhangs? (?:on|below|there|now|together)\b|\b(?:lies|lie|lying) (?:beside|about|in|below)\b|\bstays?\b|\bg(?:oes|one|o) on (?:from|with|at)\b|\banew\b|\ban uuid\b|(?:^|[.:!?] )(?:What (?:[a-z]+ ){1,3}is, is\b|Who [a-z]+s)\b/gim;

/** The beginning of a comment whose subject is a clause or missing, or whose noun is only in the code below. */
const CLAUSE =
  /^(?:What|Who|Whose|Which|Where|Why|Whatever|Whoever|Of|By|With|Without|So|To be|Must be|The same|The one (?:of|that)|As\b(?! soon)|How (?!many|much|long|old|far|often|large)\w|(?:Among|At|Behind|Below|Beside|Between|Beyond|For|From|In|Instead|Like|On|Over|Since|To|Under|Until|Up to|Within)\b(?! (?:least|most)\b)|(?:After|Before)(?=[,.:]))\b/;

/** Parts of names that are not words of the glossary, or that are banned above. */
const BANNED_IN_NAMES =
  /^#?(?:[a-z]+(?=[A-Z]))?[a-zA-Z]*?(?:[Tt]elling|[Tt]old|[Tt]ell(?=[A-Z]|$)|[Oo]ddity|[Dd]eparture|[Uu]nrest|[Ss]trayed|[Hh]eal(?=[A-Z]|$)|[Mm]end(?=[A-Z]|$)|[Ww]hoever|[Nn]obody|[Gg]oesOn)/;

/** Verbs for which the glossary has another: a session is skipped, and a fact is reported or recorded. */
const BANNED_VERBS =
  /^#?(?:leave(?!-?[bB]ranch|s$|sEmpty$)|left(?:Out|Lines|Files|Session)|isLeft$|LeftSession|note(?=[A-Z]))/;

/** Comments, and the strings that a person may read. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/g;

function list(directory: string, ending: string): readonly string[] {
  const names = readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).map((name) => join(directory, name));
}

/** What a person may read of a file: the prose of a page, the strings of a source. */
function readProse(file: string): string {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (file.endsWith('.md')) return text.replaceAll(/^```[\s\S]*?^```/gm, '');
  const strings = text.match(TOKEN) ?? [];
  return strings.filter((token) => !token.startsWith('/')).join('\n');
}

/** The text of each comment of a source, on one line. */
function readComments(file: string): readonly string[] {
  const tokens = readFileSync(join(ROOT, file), 'utf8').match(TOKEN) ?? [];
  const comments = tokens.filter((token) => token.startsWith('/'));
  return comments.map((token) =>
    token
      .replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/) ?|\*\/$/gm, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

function isOdd(comment: string): boolean {
  return CLAUSE.test(comment) || findBanned(comment).length > 0;
}

function findBanned(text: string): readonly string[] {
  return text.match(BANNED) ?? [];
}

function isBannedName(name: string): boolean {
  return BANNED_IN_NAMES.test(name) || BANNED_VERBS.test(name);
}

/** The names in the code of a source, without its comments and strings. */
function readNames(file: string): readonly string[] {
  const code = readFileSync(join(ROOT, file), 'utf8').replaceAll(TOKEN, ' ');
  return code.match(/#?[A-Za-z_$][\w$]*/g) ?? [];
}

describe('the English of messages, help and pages', () => {
  it.each(['README.md', 'CONTRIBUTING.md', ...list('docs', '.md')])('is plain in %s', (page) => {
    expect(findBanned(readProse(page))).toEqual([]);
  });

  it('is plain in every string of the sources', () => {
    const sources = list('src', '.ts');
    expect(sources.length).toBeGreaterThan(300);
    const found = sources.flatMap((file) =>
      findBanned(readProse(file)).map((words) => `${file}: ${words}`),
    );
    expect(found).toEqual([]);
  });

  it('is plain in every comment of the sources', () => {
    const found = list('src', '.ts').flatMap((file) =>
      readComments(file)
        .filter(isOdd)
        .map((comment) => ({ file, comment })),
    );
    expect(found).toEqual([]);
  });

  it('is plain in every name of the sources and of their files', () => {
    const found = list('src', '.ts').flatMap((file) =>
      [...readNames(file), ...file.split(/[/.]/)]
        .filter(isBannedName)
        .map((name) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    'What a file holds.',
    'Where the file is.',
    'Returns the entry that hangs on another.',
    'Of the session file.',
    'The same for a directory.',
    'The one of this thread.',
    'As pi has it.',
    'By path.',
    'With its links resolved.',
    'Without their places.',
    'So much of it is read.',
    'To be called once.',
    'Must be called before a write.',
    'For the progress bar.',
    'In line order.',
    'Up to the last line.',
  ])('would not pass as a comment: %s', (comment) => {
    expect(isOdd(comment)).toBe(true);
  });

  it.each([
    'tellTurns',
    'isTold',
    'findOddity',
    'Departure',
    'leaveLinked',
    '#leaveTwins',
    'leftOut',
    'noteShard',
  ])('would not pass as a name: %s', (name) => {
    expect(isBannedName(name)).toBe(true);
  });

  it.each([
    'x.jsonl is no session file',
    'What a file is, is decided by its content.',
    'Who sums up all files counts them twice.',
    'the file is left alone',
    'a file that refuses is told of',
  ])('would not pass: %s', (sentence) => {
    expect(findBanned(sentence)).toHaveLength(1);
  });
});
