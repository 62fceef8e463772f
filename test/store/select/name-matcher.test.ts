import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNameMatcher } from '../../../src/store/select/name-matcher.ts';

describe('createNameMatcher', () => {
  it.each([
    ['fix', ['fix', 'FIX'], ['fix it', '', 'prefix']],
    ['*', ['', 'a', 'a/b', '.hidden', 'two\nlines'], []],
    ['fix*', ['fix', 'fix/it'], ['a fix']],
    ['anthropic/*', ['anthropic/claude', 'Anthropic/'], ['openai/gpt']],
    ['*a*b*c', ['abc', 'xaxbxc', 'aabbcc', 'abcabc'], ['abcd', 'acb']],
    ['a?c', ['abc', 'a😀c'], ['ac', 'abbc']],
    ['[a-c]x', ['ax', 'Bx', 'cx'], ['dx', 'x']],
    ['[!a-c]x', ['dx', '/x'], ['ax', 'x']],
    ['[^a]x', ['bx'], ['ax']],
    ['[]a]x', [']x', 'ax'], ['x']],
    ['[-a]x', ['-x', 'ax'], ['bx']],
    ['[ax', ['[ax'], ['ax']],
    ['{fix,feat}: *', ['fix: it', 'feat: it'], ['docs: it', '{fix,feat}: it']],
    ['a{b,c{d,e}}', ['ab', 'acd', 'ace'], ['ac', 'abe']],
    ['{a}{', ['{a}{'], ['a']],
    ['a{,b}', ['a', 'ab'], ['b']],
    ['\\*\\{a,b}', ['*{a,b}'], ['xa', '*a']],
    ['!tmp*', ['fix', ''], ['tmp', 'tmp 1']],
    ['caf\u00e9*', ['caf\u00e9', 'CAFE\u0301 1'], ['cafe']],
    ['!cafe\u0301*', ['cafe'], ['caf\u00e9', 'CAFE\u0301 1']],
    ['ΕΡΓΟΣ*', ['ΕΡΓΟΣΤΑΣΙΟ', 'εργοστασιο', 'Εργος'], ['ΕΡΓΟ']],
    ['!εργοσ*', ['ΕΡΓΟ'], ['ΕΡΓΟΣ', 'εργος']],
    ['!', ['!'], ['', 'a']],
    ['+(a|b)', ['+(a|b)'], ['aab']],
  ])('reads %j as a shell does', (glob, fitting, others) => {
    const fits = createNameMatcher(glob);
    expect(fitting.filter((name) => !fits(name))).toEqual([]);
    expect(others.filter(fits)).toEqual([]);
  });

  it('agrees with a regular expression wherever that is quick', () => {
    const chars = fc.constantFrom('a', 'b', '*', '?');
    const globs = fc.array(chars, { maxLength: 8 }).map((all) => all.join(''));
    const names = fc.array(fc.constantFrom('a', 'b'), { maxLength: 10 });
    fc.assert(
      fc.property(globs, names, (glob, name) => {
        const source = glob.replaceAll('?', '.').replaceAll('*', '.*');
        const text = name.join('');
        expect(createNameMatcher(glob)(text)).toBe(new RegExp(`^${source}$`, 's').test(text));
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('takes steps in proportion to the name, where a regular expression does not', () => {
    const name = 'ab'.repeat(200_000);
    expect(createNameMatcher('*a*b*a*b*a*b*c')(name)).toBe(false);
    expect(createNameMatcher('*{a,b}*{a,b}*{a,b}*c')(name)).toBe(false);
    expect(createNameMatcher(`${'*a'.repeat(50)}*c`)(name)).toBe(false);
  });

  it('refuses what another shell would take for "none of these"', () => {
    expect(() => createNameMatcher('!(keep)')).toThrow('leave out the parentheses');
    for (const glob of ['!(keep|gem)', '!(keep|gem)*']) {
      expect(() => createNameMatcher(glob)).toThrow('write the names in braces, as !{a,b}');
    }
    expect(createNameMatcher('!\\(keep)')('(keep)')).toBe(false);
  });

  it('refuses braces that multiply without end', () => {
    expect(() => createNameMatcher('{a,b}'.repeat(40))).toThrow('stands for more than 1000 globs');
  });
});
