import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findValue,
  renameMember,
  spliceObject,
  type SpliceOptions,
} from '../../../../src/session/jsonl/edit/splice.ts';

function splice(
  text: string,
  edits: Readonly<Record<string, string | undefined>>,
  options?: SpliceOptions,
): string | undefined {
  const list = Object.entries(edits).map(([key, value]) => ({ key, value }));
  return spliceObject(Buffer.from(text), list, options)?.toString('utf8');
}

describe('spliceObject', () => {
  it('keeps what parsing and writing would change', () => {
    const text = '{ "1":1.0, "b" : 12345678901234567890 ,"a":"\\u00e9\\/","b":2e3 }';
    expect(splice(text, { a: '"x"' })).toBe(
      '{ "1":1.0, "b" : 12345678901234567890 ,"a":"x","b":2e3 }',
    );
  });

  it('puts new members after the named one, in the order given', () => {
    const text = '{"type":"message","message":{}}';
    expect(splice(text, { id: '"1"', parentId: 'null' }, { after: 'type' })).toBe(
      '{"type":"message","id":"1","parentId":null,"message":{}}',
    );
    expect(splice(text, { id: '1' }, { after: 'nowhere' })).toBe(
      '{"id":1,"type":"message","message":{}}',
    );
    expect(splice('{ }', { id: '1' })).toBe('{"id":1}');
  });

  it('takes members out, wherever they stand and however often', () => {
    expect(splice('{"a":1,"b":2,"c":3}', { a: undefined, b: undefined })).toBe('{"c":3}');
    expect(splice('{"a":1,"b":2,"a":3}', { a: undefined })).toBe('{"b":2}');
    expect(splice('{"a":1}', { a: undefined, b: '2' })).toBe('{"b":2}');
  });

  it('sets the last of two members with one key, which is the one that counts', () => {
    expect(splice('{"a":1,"a":2}', { a: '3' })).toBe('{"a":1,"a":3}');
  });

  it('finds keys that are written with escapes', () => {
    expect(splice('{"\\u0069d":1}', { id: '2' })).toBe('{"\\u0069d":2}');
  });

  it('edits an object inside', () => {
    const text = '{"role":"x","message":{"role":"hookMessage","content":"{\\"role\\":1}"}}';
    expect(splice(text, { role: '"custom"' }, { at: ['message'] })).toBe(
      '{"role":"x","message":{"role":"custom","content":"{\\"role\\":1}"}}',
    );
    expect(splice('{"message":3}', { role: '1' }, { at: ['message'] })).toBeUndefined();
  });

  it('means what editing the parsed object means, for any object', () => {
    const key = fc.oneof(fc.string(), fc.constantFrom('id', 'type', '__proto__', 'a"b', '\\', '1'));
    const spaced = fc.tuple(fc.dictionary(key, fc.jsonValue()), fc.constantFrom('', ' ', '\t'));
    const edits = fc.uniqueArray(fc.tuple(key, fc.option(fc.jsonValue())), {
      selector: ([name]) => name,
      maxLength: 4,
    });
    fc.assert(
      fc.property(spaced, edits, ([value, indent], changes) => {
        const text = JSON.stringify(value, null, indent);
        const list = changes.map(([name, to]) => ({
          key: name,
          value: to === null ? undefined : JSON.stringify(to),
        }));
        const expected = new Map(Object.entries(JSON.parse(text) as object));
        for (const [name, to] of changes) {
          if (to === null) expected.delete(name);
          else expected.set(name, JSON.parse(JSON.stringify(to)));
        }
        const spliced = spliceObject(Buffer.from(text), list)?.toString('utf8') ?? '';
        expect(new Map(Object.entries(JSON.parse(spliced) as object))).toEqual(expected);
        expect(list.length > 0 || spliced === text).toBe(true);
      }),
    );
  });
});

describe('findValue', () => {
  it('gives the bytes of a value as they are written', () => {
    const bytes = Buffer.from('{"a":{"b": 1.50 ,"b":[1, 2]}}');
    expect(findValue(bytes, ['a', 'b'])?.toString()).toBe('[1, 2]');
    expect(findValue(bytes, ['a', 'c'])).toBeUndefined();
    expect(findValue(bytes, ['a', 'b', 'c'])).toBeUndefined();
  });
});

describe('renameMember', () => {
  it('changes the last such key and no other byte', () => {
    const rename = (text: string) => renameMember(Buffer.from(text), 'a', 'b"').toString();
    expect(rename('{"a":1, "\\u0061" : {"a":"a:"} }')).toBe('{"a":1, "b\\"" : {"a":"a:"} }');
    expect(rename('{"c":{"a":1}}')).toBe('{"c":{"a":1}}');
  });
});
