import { describe, expect, it } from 'vitest';
import { findSyntaxFault } from '../../../src/store/settings/find-syntax-fault.ts';

const TEXT = '{\n "a": [1, -2.5e3, true, null, "x\\u00e9\\n"],\n "b": {"c": false}\n}\n';

describe('findSyntaxFault', () => {
  it.each([
    ['// settings\n{}', { line: 1, column: 1 }],
    ['{\n  "a": 1,\n  "b": x\n}', { line: 3, column: 8 }],
    ['{\n  "a": 1,\n}', { line: 3, column: 1 }],
    ['{"a": 1} {}', { line: 1, column: 10 }],
    ["{'a': 1}", { line: 1, column: 2 }],
    [TEXT, undefined],
    ['', undefined],
    ['{"a": "b', undefined],
    ['{"a": tru', undefined],
    ['{"a": -', undefined],
  ])('finds it in %j', (text, place) => {
    expect(findSyntaxFault(text)).toEqual(place);
  });

  it('finds a character that was put in anywhere, not before it', () => {
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const cases = Array.from(TEXT, (_, at) => at).flatMap((at) =>
      ['/', 'x', ',', '}', '"', '\u0001'].map(
        (odd) => [at, TEXT.slice(0, at) + odd + TEXT.slice(at)] as const,
      ),
    );
    const faulty = cases.filter(([, text]) => !isJson(text));
    expect(faulty.length).toBeGreaterThan(300);
    for (const [at, text] of faulty) {
      const { line = 0, column = 0 } = findSyntaxFault(text) ?? {};
      const lines = text.split('\n').slice(0, line - 1);
      const found = lines.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
      expect([text, found]).toEqual([text, Math.max(found, at)]);
    }
  });
});
