import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
import { describe, expect, it } from 'vitest';
import { checkPattern } from './check-pattern.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

interface Pattern {
  readonly pattern: string;
  readonly flags: string;
}

/** Every regular expression of a text; one that is put together at run time has no pattern. */
function findPatterns(text: string): readonly Pattern[] {
  const found: Pattern[] = [];
  const visit = (node: object): void => {
    if ('regex' in node) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as ESTree has it
      found.push(node.regex as Pattern);
    } else if ('callee' in node && JSON.stringify(node.callee).includes('"name":"RegExp"')) {
      found.push({ pattern: '.*made at run time', flags: '' });
    }
    for (const value of Object.values(node)) {
      if (typeof value === 'object' && value !== null) visit(value);
    }
  };
  visit(parseAst(text, { lang: 'ts', sourceType: 'module' }));
  return found;
}

function findSlow(text: string): readonly string[] {
  return findPatterns(text).flatMap(({ pattern, flags }) =>
    checkPattern(pattern, flags).map((reason) => `/${pattern}/${flags}: ${reason}`),
  );
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  // AssemblyScript is another language, which has no regular expressions.
  (file) => file.endsWith('.ts') && !file.includes('assembly'),
);

describe('every regular expression', () => {
  it('takes linear time on any text', () => {
    const slow = files.flatMap((file) =>
      findSlow(readFileSync(join(SRC, file), 'utf8')).map((reason) => `${file}: ${reason}`),
    );
    expect(slow).toEqual([]);
    expect(files.length).toBeGreaterThan(200);
  });
});

describe('the check', () => {
  it.each([
    String.raw`/\beyJ[\w-]{10,}\.eyJ[\w-]{10,}/g`,
    String.raw`/(a+)+$/`,
    String.raw`/^(\w+\s?)*$/`,
    String.raw`/\s+$/`,
    String.raw`/a.*b/`,
    String.raw`/^\s*#/m`,
    String.raw`/(?=\w*\d)x/`,
    String.raw`/<[^>]*>/g`,
    String.raw`/(?<=\w)\w+;/`,
    String.raw`/a[^]{0,1000}b/`,
    'new RegExp(text)',
    'RegExp(text)',
  ])('finds one that does not: %s', (code) => {
    expect(findSlow(`f(${code});`)).not.toEqual([]);
  });

  it.each([
    String.raw`/\s+/g`,
    String.raw`/(?<!\s)\s+$/`,
    String.raw`/"[^"]*"/g`,
    String.raw`/^a.*b/`,
    String.raw`/^[ \t]*#/m`,
    String.raw`/\bkey_\w+;/`,
    String.raw`/(?<![\w-])eyJ[\w-]{10,}\./g`,
    String.raw`/sk-[a-z]{20,}/g`,
    String.raw`/a[^]{0,200}b/`,
    String.raw`/(?<=[.!?])\s+(?=\S)/`,
  ])('passes one that does: %s', (code) => {
    expect(findSlow(`f(${code});`)).toEqual([]);
  });
});
