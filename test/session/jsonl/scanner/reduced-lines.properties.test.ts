import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../../src/session/jsonl/read/line-splitter.ts';
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../../src/session/jsonl/edit/json.ts';
import {
  type LineContent,
  parseLine,
  ScannedObject,
} from '../../../../src/session/jsonl/read/parse-line.ts';
import type { LinePlan, Members, Part } from '../../../../src/session/jsonl/scanner/plan.ts';
import { visitReduced } from '../../../../src/session/jsonl/scanner/reduced-lines.ts';
import { runs } from '../../../harness/runs.ts';
import { anyCharacter } from '../../../harness/any-character.ts';

const KEYS = ['a', 'type', 'message', 'content', 'tpye', 'x é', ''];

const part: fc.Memo<Part> = fc.memo((depth) =>
  fc.oneof(
    fc.constantFrom<Part>('whole', 'start', 'base64'),
    depth > 1 ? members(depth - 1) : fc.constant<Part>('start'),
    depth > 1
      ? fc.tuple(
          fc.constantFrom<'whole' | 'start' | 'base64'>('whole', 'start', 'base64'),
          members(depth - 1),
        )
      : fc.constant<Part>('whole'),
  ),
);
const members: fc.Memo<Members> = fc.memo((depth) =>
  fc.dictionary(fc.constantFrom('a', 'type', 'message', 'content'), part(depth), { maxKeys: 4 }),
);

/** Some are base64, or would be but for one character. */
const long = fc
  .tuple(
    fc.constantFrom('', '<a', ' ', '\n', '\t x', '\r\n <a', ' \\', ' "', 'é', '\u0000', '🙂', 'x'),
    fc.constantFrom('y', '🙂', '\\', '+/09AZaz'),
    fc.integer({ min: 20, max: 300 }),
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom('', '=', '==', '===') }, anyCharacter),
    fc.constantFrom('', 'z'.repeat(40)),
  )
  .map(([first, more, count, odd, last]) => first + more.repeat(count) + odd + last);
const value: fc.Memo<JsonValue> = fc.memo((depth) =>
  fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 8 }),
    long,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom<JsonValue>(true, false, null, {}, []),
    depth > 1 ? fc.array(value(depth - 1), { maxLength: 3 }) : fc.constant<JsonValue>([]),
    depth > 1 ? object(depth - 1) : fc.constant<JsonValue>({}),
  ),
);
const object: fc.Memo<JsonObject> = fc.memo((depth) =>
  fc.dictionary(fc.constantFrom(...KEYS), value(depth), { maxKeys: 4 }),
);

/** Lines of objects and of anything else, some with a byte that is wrong. */
const line = fc
  .record({
    value: fc.oneof({ weight: 6, arbitrary: object(4) }, value(2)),
    space: fc.constantFrom('', '', ' ', '\t', '\r'),
    damage: fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { freq: 3 }),
  })
  .map(({ value: content, space, damage }) => {
    const bytes = Buffer.from(`${space}${JSON.stringify(content)}${space}\n`);
    if (damage) bytes[damage[0] % bytes.length] = damage[1];
    return bytes;
  });

/** The value that a plan leaves, as the text says it. */
function reduce(content: JsonValue, named: Part): JsonValue {
  if (named === 'whole') return content;
  if (named === 'start' || named === 'base64') {
    if (typeof content === 'string') {
      return named === 'start' || isBase64(content) ? cut(content) : content;
    }
    return isArray(content) ? [] : isObject(content) ? {} : content;
  }
  const [text, own] = isPair(named) ? named : (['start', named] as const);
  if (typeof content === 'string') return reduce(content, text);
  if (isArray(content)) return content.map((one) => reduce(one, named));
  if (!isObject(content)) return content;
  const kept = Object.entries(content).filter(([key]) => Object.hasOwn(own, key));
  return Object.fromEntries(
    kept.map(([key, one]) => [key, reduce(one ?? null, own[key] ?? 'whole')]),
  );
}

function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}

function isPair(named: Part): named is readonly ['start' | 'base64' | 'whole', Members] {
  return Array.isArray(named);
}

/** A text is cut where that is no matter: both sides are, so they are the same. */
function cut(text: string): string {
  const start = text.length - text.replace(/^[ \n\r\t]*/, '').length;
  const isCut = text.length > start + 32 && !/^[<\s\0\\"]/.test(text.slice(start));
  return isCut ? text.slice(0, start + 32) : text;
}

function reduceContent(content: LineContent, plan: LinePlan): LineContent {
  if (content.kind !== 'object') return content;
  return { kind: 'object', value: asObject(reduce(content.value, plan)) };
}

function asObject(content: JsonValue): JsonObject {
  return isObject(content) ? content : {};
}

describe('lines that are cut down to a plan', () => {
  it('hold what parsing would have given, in any pieces', () => {
    const cases = fc.record({
      plan: members(3),
      lines: fc.array(line, { maxLength: 12 }),
      pieces: fc.array(fc.integer({ min: 1, max: 400 }), { maxLength: 6 }),
    });
    fc.assert(
      fc.property(cases, ({ plan, lines, pieces }) => {
        const bytes = Buffer.concat(lines);
        const expected = read(undefined, bytes, [bytes.length]);
        const found = read(plan, bytes, pieces);
        expect(found.map(({ number, offset, text }) => [number, offset, text])).toEqual(
          expected.map(({ number, offset, text }) => [number, offset, text]),
        );
        expect(found.map(({ content }) => reduceContent(content, plan))).toEqual(
          expected.map(({ content }) => reduceContent(content, plan)),
        );
      }),
      { numRuns: runs(400) },
    );
  });

  it('are not parsed when nothing is wrong with them', () => {
    const bytes = Buffer.from('{"type":"a","b":[1,{"c":"\\u00e9é"}]}\n{"type":"b"}\r\n');
    const plan: LinePlan = { type: 'whole' };
    expect(read(plan, bytes, []).map(({ content }) => content)).toEqual([
      new ScannedObject({ type: 'a' }),
      new ScannedObject({ type: 'b' }),
    ]);
  });

  it.each([
    ['a broken escape', '{"type":"a","b":"\\x"}'],
    ['a quote too many', '{"type":"a","b":"c"d"}'],
    ['half of a character', '{"type":"a","b":"\xff"}'],
    ['a NUL', '{"type":"a","b":"\\u0000"}'],
    ['a key that is written with an escape', '{"\\u0074ype":"a"}'],
    ['something behind it', '{"type":"a"}{"type":"b"}'],
  ])('are left to be parsed with %s', (_name, text) => {
    const bytes = Buffer.from(`${text}\n`, 'latin1');
    const reader = { plan: { type: 'whole' }, visit: () => undefined } as const;
    expect(visitReduced(reader, bytes, 0, 1, 0)).toEqual({ lines: 0, bytes: 0 });
  });
});

function read(plan: LinePlan | undefined, bytes: Buffer, pieces: readonly number[]) {
  const lines: {
    number: number;
    offset: number;
    text: string;
    content: ReturnType<typeof parseLine>;
  }[] = [];
  const reader = {
    plan,
    visit: (one: Parameters<typeof parseLine>[0], content: ReturnType<typeof parseLine>) =>
      void lines.push({
        number: one.number,
        offset: one.offset,
        text: one.bytes.toString('latin1'),
        content,
      }),
  };
  const splitter = new LineSplitter((one) => reader.visit(one, parseLine(one)), {
    skim: (...slice) => visitReduced(reader, ...slice),
  });
  let at = 0;
  for (const length of [...pieces, bytes.length]) {
    splitter.push(bytes.subarray(at, at + length));
    at += length;
  }
  splitter.end();
  return lines;
}
