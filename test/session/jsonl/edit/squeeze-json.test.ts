import fc from 'fast-check';
import { expect, it } from 'vitest';
import { squeezeJson } from '../../../../src/session/jsonl/edit/json.ts';

it('takes out the white space between the tokens of any JSON, and nothing else', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(' ', '\t', '\r'), (value, space) => {
      const text = JSON.stringify(value, null, 2).replaceAll('\n', `\n${space}`);
      expect(squeezeJson(Buffer.from(text)).toString()).toBe(JSON.stringify(value));
    }),
  );
});

it('ends with a text that ends within a string', () => {
  expect(squeezeJson(Buffer.from('{ "a b')).toString()).toBe('{"a b');
  expect(squeezeJson(Buffer.from(String.raw`"a \ `.trim())).toString()).toBe('"a \\');
});
