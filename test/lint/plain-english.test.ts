import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Turns of phrase that an English reader has to read twice. */
const BANNED =
  /(?<!\bthere )\bis no\b(?! (?:longer|more|one|use|way|need|reason)\b)|\b(?:tells?|told)\b|\bin place of\b|\bwhoever\b|\bso many\b|\b(?:left|leave) alone\b|\bpass(?:es|ed)? over\b|\bnobody\b|\bhangs? on\b|\b(?:lies|lie|lying) (?:beside|about)\b|\bstays?\b|(?:^|[.:!?] )(?:What (?:[a-z]+ ){1,3}is, is\b|Who [a-z]+s)\b/gim;

/** Comments, which are for readers to judge, and the strings that a person may read. */
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

function findBanned(text: string): readonly string[] {
  return text.match(BANNED) ?? [];
}

describe('the English of messages, help and pages', () => {
  it.each(['README.md', ...list('docs', '.md')])('is plain in %s', (page) => {
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
