import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../../../src/session/agents/index.ts';
import type { SummaryOptions } from '../../../../../src/session/dialect/dialect.ts';
import { createSourceFold } from '../../../../../src/session/read/source-fold.ts';
import { createSummaryFold } from '../../../../../src/session/read/summaries/summarize-session.ts';
import { INPUT_BYTES } from '../../../../../src/session/jsonl/scanner/layout.ts';
import { readFold, RECORDED } from './read-fold.ts';
import { runs } from '../../../../harness/runs.ts';
import { anyCharacter } from '../../../../harness/any-character.ts';

/** What a listing says of a file that is read in pieces of these lengths, and how much it parsed. */
function summarize(
  bytes: Buffer,
  pieces: readonly number[],
  skims: boolean,
  options: Partial<SummaryOptions> = {},
) {
  const fold = createSummaryFold(getDialect('pi'), 'lines', { usage: false, ...options });
  const { result, parsed } = readFold(fold, bytes, pieces, skims);
  return { summary: result, parsed };
}

const id = fc.integer({ min: 0, max: 30 }).map((n) => (n * 0x0765_4321 + 1).toString(16));
const shortId = id.map((text) => text.padStart(8, '0').slice(-8));
const anyId = fc.oneof({ weight: 8, arbitrary: shortId }, fc.constantFrom('u1', 'ABCDEF01', ''));
const parent = fc.option(anyId, { freq: 5 });
const time = fc.integer({ min: 1_500_000_000_000, max: 1_900_000_000_000 });
const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 12 }),
  fc.constantFrom('Z","mes', '],"api":"', '","usage":{', ',"timestamp":1756816657984}}', '}{'),
);
const number = fc.oneof(
  fc.nat(9),
  fc.double({ min: 0, max: 1 }),
  fc.constantFrom(-1, 0.1 + 0.2, 1e21, 1.5e-7, 123_456_789_012_345_680_000),
);
const usage = fc.record(
  {
    input: number,
    output: number,
    reasoning: number,
    cacheRead: number,
    cacheWrite: number,
    totalTokens: number,
    cost: fc.record({ input: number, total: number }, { requiredKeys: [] }),
  },
  { requiredKeys: ['input', 'cost'] },
);

const message = fc.oneof(
  fc.record({ role: fc.constant('user'), content: text, timestamp: time }),
  fc.record({
    role: fc.constant('user'),
    content: fc.array(
      fc.oneof(
        fc.record({ type: fc.constant('image'), data: text, mimeType: fc.constant('image/png') }),
        fc.record({ type: fc.constant('text'), text }),
      ),
    ),
    timestamp: time,
  }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.array(fc.record({ type: fc.constant('text'), text })),
    api: fc.constantFrom('messages', 'x"y'),
    provider: fc.constantFrom('acme', 'yard'),
    model: fc.constantFrom('oak-1', 'elm/2', 'bi"rch'),
    usage,
    stopReason: fc.constantFrom('stop', 'toolUse'),
    timestamp: time,
  }),
  fc.record(
    {
      role: fc.constant('assistant'),
      content: fc.constant([]),
      api: fc.constant('messages'),
      provider: fc.constant('acme'),
      model: fc.constant('oak-1'),
      usage,
      responseModel: text,
      stopReason: text,
      errorMessage: text,
      timestamp: fc.oneof(time, fc.constantFrom('x', 12, null)),
      responseId: text,
    },
    { requiredKeys: ['role', 'content', 'usage', 'stopReason'] },
  ),
  fc.record({
    role: fc.constant('toolResult'),
    toolCallId: text,
    content: fc.array(fc.record({ type: fc.constant('text'), text })),
    isError: fc.boolean(),
    timestamp: time,
  }),
  fc.record({
    role: fc.constantFrom('user', 'toolResult'),
    toolCallId: text,
    content: text,
    usage,
    timestamp: time,
  }),
);

const entryTime = time.map((ms) => new Date(ms).toISOString());
const entry = fc.oneof(
  { weight: 6, arbitrary: entryOf({ type: fc.constant('message') }, { message }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('custom'),
      customType: text,
      data: fc.jsonValue(),
      id: anyId,
      parentId: parent,
      timestamp: entryTime,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('custom_message'),
      customType: text,
      content: fc.oneof(text, fc.array(fc.record({ type: fc.constant('text'), text }))),
      display: fc.boolean(),
      id: anyId,
      parentId: parent,
      timestamp: entryTime,
    }),
  },
  {
    weight: 1,
    arbitrary: entryOf(
      { type: fc.constantFrom('model_change', 'thinking_level_change') },
      { provider: text, modelId: text },
    ),
  },
  {
    weight: 1,
    arbitrary: entryOf({ type: fc.constant('thinking_level_change') }, { thinkingLevel: text }),
  },
  {
    weight: 1,
    arbitrary: entryOf({ type: fc.constant('session_info') }, { name: text }),
  },
);

function entryOf(head: Record<string, fc.Arbitrary<unknown>>, rest: typeof head) {
  return fc.record({ ...head, id: anyId, parentId: parent, timestamp: entryTime, ...rest });
}

/** What happens to lines: they are torn, glued to the next one, holed, or written by others. */
type Damage = (line: string, at: number) => string;
const DAMAGES: readonly Damage[] = [
  (line) => `${line}\n`,
  (line) => line,
  (line, at) => line.slice(0, at),
  (line, at) => `${line.slice(0, at)}\n`,
  (line, at) => `${line.slice(0, at)}${'\0'.repeat(3)}${line.slice(at + 3)}\n`,
  (line) => `${line.replaceAll('":', '": ')}\n`,
  (line) => `${line}\r\n`,
  (line, at) => `${line.slice(0, at)}\\x${line.slice(at)}\n`,
  (line, at) => `${line.slice(0, at)}"${line.slice(at)}\n`,
  (line) => `${JSON.stringify(reverseKeys(JSON.parse(line)))}\n`,
];
const damage = fc.oneof(
  { weight: 12, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: DAMAGES.length - 1 }) },
);

function reverseKeys(value: object): object {
  return Object.fromEntries(Object.entries(value).toReversed());
}

const file = fc.array(fc.tuple(entry, damage, fc.nat(400)), { maxLength: 30 }).map((lines) => {
  const header = { type: 'session', version: 3, id: 's', timestamp: 'x', cwd: '/yard' };
  const body = lines.map(([value, index, at]) =>
    (DAMAGES[index] ?? String)(JSON.stringify(value), at),
  );
  return Buffer.from(`${JSON.stringify(header)}\n${body.join('')}`);
});

/** What is asked for. */
const options = fc.constantFrom<Partial<SummaryOptions>>(
  {},
  { usage: true },
  { usage: true, sumsUsage: true },
);

describe('reading a listing out of the bytes of canonical lines', () => {
  it('says what parsing every line says, of whole and damaged files in any pieces', () => {
    fc.assert(
      fc.property(file, fc.array(fc.nat(700), { maxLength: 20 }), options, (bytes, pieces, how) => {
        const skimmed = summarize(bytes, pieces, true, how);
        expect(skimmed.summary).toEqual(summarize(bytes, [], false, how).summary);
      }),
      { numRuns: runs(150) },
    );
  });

  it('says it beside the index of a file, too', () => {
    const read = (bytes: Buffer, pieces: readonly number[], skims: boolean, sumsUsage: boolean) =>
      readFold(createSourceFold(getDialect('pi'), 'lines', { sumsUsage }), bytes, pieces, skims);
    fc.assert(
      fc.property(
        file,
        fc.array(fc.nat(700), { maxLength: 20 }),
        fc.boolean(),
        (bytes, pieces, sums) => {
          const skimmed = read(bytes, pieces, true, sums);
          expect(skimmed.result).toEqual(read(bytes, [], false, sums).result);
        },
      ),
      { numRuns: runs(150) },
    );
    const recorded = readFileSync(join(RECORDED, '0.87.1-compactions.jsonl'));
    const all = read(recorded, [], false, false).parsed;
    expect(read(recorded, [], true, false).parsed).toBeLessThan(all / 2);
  });

  it.each([
    '{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"totalTokens":10,"cost":{"input":0.1,"total":0.30000000000000004}}',
    '{"input":1,"input":2,"cost":{"total":1,"total":2}}',
    '{"cost":{"total":1},"input":7}',
    '{"cost":{}}',
    '{"total":9,"cost":{"cost":5},"in\\u0070ut":3}',
    '{"input":1e2,"output":-0,"cost":{"total":1e999}}',
    '{"input":null,"cost":{"total":true}}',
    '{"input":[1],"cost":{"total":[2]}}',
    '{"input": 1,"cost":{"total":2} }',
  ])('sums %s as parsing does', (usages) => {
    const line = (at: number, own: string): string =>
      `{"type":"message","id":"0000000${at}","parentId":null,"timestamp":"2025-10-05T07:08:0${at}.100Z",` +
      '"message":{"role":"assistant","content":[],"api":"a","provider":"acme","model":"oak-1",' +
      `"usage":${own},"stopReason":"stop","timestamp":175964808910${at}}}`;
    const plain = '{"input":1,"output":2,"cacheRead":3,"cacheWrite":4,"cost":{"total":0.1}}';
    const header = '{"type":"session","version":3,"id":"s","timestamp":"x","cwd":"/yard"}';
    const lines = [header, line(1, plain), line(2, usages), line(3, plain), ''];
    const bytes = Buffer.from(lines.join('\n'));
    for (const how of [{ usage: true }, { usage: true, sumsUsage: true }]) {
      const whole = summarize(bytes, [], false, how).summary;
      expect(summarize(bytes, [], true, how).summary).toEqual(whole);
    }
  });

  it.each(readdirSync(RECORDED).filter((name) => name.endsWith('.jsonl')))(
    'says it of %s',
    (name) => {
      const bytes = readFileSync(join(RECORDED, name));
      const skimmed = summarize(bytes, [], true, { usage: true });
      expect(skimmed.summary).toEqual(summarize(bytes, [], false, { usage: true }).summary);
    },
  );

  it('parses few of the lines that pi 0.87.1 writes', () => {
    const bytes = readFileSync(join(RECORDED, '0.87.1-compactions.jsonl'));
    const all = summarize(bytes, [], false).parsed;
    expect(summarize(bytes, [], true).parsed).toBeLessThan(all / 2);
  });

  it.each([
    '"type":"model_change","id":"0000000a","parentId":null,"timestamp":"2025-10-05T07:08:09.100Z","provider":"acme","modelId":"oak-1"',
    '"type":"thinking_level_change","id":"0000000a","parentId":"00000001","timestamp":"2025-10-05T07:08:09.100Z","thinkingLevel":""',
    '"type":"custom_message","customType":"note","content":"x","display":true,"id":"0000000a","parentId":null,"timestamp":"2025-10-05T07:08:09.100Z"',
  ])('passes over {%s}', (members) => {
    const header = '{"type":"session","version":3,"id":"s","timestamp":"x","cwd":"/yard"}';
    const sameAsParsed = (line: string): number => {
      const bytes = Buffer.from(`${header}\n${line}\n`);
      const { summary, parsed } = summarize(bytes, [], true);
      expect(summary).toEqual(summarize(bytes, [], false).summary);
      return parsed;
    };
    expect(sameAsParsed(`{${members}}`)).toBe(1);
    expect(sameAsParsed(`{${members},"id":"0000000b"}`)).toBe(2);
    expect(sameAsParsed(`{${members} }`)).toBe(2);
    expect(sameAsParsed(`{${members.slice(0, -1)}\\"}`)).toBe(2);
    for (let cut = 1; cut < members.length; cut += 1) {
      expect(sameAsParsed(`{${members.slice(0, cut)}{${members}}`)).toBe(2);
      expect(sameAsParsed(`{${members.slice(0, cut)}}`)).toBe(2);
    }
  });

  describe('a fault within a string', () => {
    const header = '{"type":"session","version":3,"id":"s","timestamp":"x","cwd":"/yard"}';
    const toLine = (said: string): string =>
      '{"type":"message","id":"0000000a","parentId":null,"timestamp":"2025-10-05T07:08:09.100Z",' +
      `"message":{"role":"toolResult","toolCallId":"c","content":[{"type":"text","text":"${said}"}],` +
      '"isError":false,"timestamp":1759648089100}}';
    const count = (said: string): number => {
      const bytes = Buffer.concat([
        Buffer.from(`${header}\n`),
        Buffer.from(toLine(said), 'latin1'),
        Buffer.from('\n'),
      ]);
      const { summary, parsed } = summarize(bytes, [], true);
      expect(summary).toEqual(summarize(bytes, [], false).summary);
      return parsed;
    };
    const long = 'y'.repeat(400_000);

    it.each(['\\x', '\\u12g4', 'a"b', '\xff', '\xe2\x82', '\\\\\\'])('is seen: %j', (fault) => {
      for (let before = 0; before < 70; before += 1) {
        expect(count(`${'x'.repeat(before)}${fault} z`)).toBe(2);
      }
      expect(count(`${long}${fault} z`)).toBe(2);
      expect(count(`${fault} z${long}`)).toBe(2);
    });

    it.each(['\\n', '\\\\', '\\\\\\"', '\\u12f4', '\xc3\xa9', ',\\"', '\xf0\x9f\x99\x82'])(
      'is not seen where there is none: %j',
      (said) => {
        for (let before = 0; before < 70; before += 1) {
          expect(count(`${'x'.repeat(before)}${said} z`)).toBe(1);
        }
        expect(count(`${long}${said} z${long}`)).toBe(1);
      },
    );
  });

  describe('long lines, and lines longer than what it looks at', () => {
    const header = '{"type":"session","version":3,"id":"s","timestamp":"x","cwd":"/yard"}';
    const toLine = (own: string, content: unknown): string =>
      JSON.stringify({
        type: 'message',
        id: own,
        parentId: null,
        timestamp: '2025-10-05T07:08:09.100Z',
        message: { role: 'user', content, timestamp: 1_759_648_089_100 },
      });
    const toImage = (length: number): unknown => [
      { type: 'image', data: 'A'.repeat(length), mimeType: 'image/png' },
    ];
    const image = toLine('0000000a', toImage(INPUT_BYTES));
    const answer =
      '{"type":"message","id":"0000000c","parentId":null,"timestamp":"2025-10-05T07:08:09.100Z",' +
      '"message":{"role":"assistant","content":[{"type":"text","text":""}],"api":"a",' +
      '"provider":"acme","model":"oak-1","usage":{"input":1,"cost":{"total":0}},' +
      `"stopReason":"${'x'.repeat(2_000_000)}","timestamp":1759648089100}}`;
    const short = ['00000001', '00000002', '00000003'].map((one) => toLine(one, 'Hello'));
    const toFile = (...lines: readonly string[]): Buffer =>
      Buffer.from([header, ...short, ...lines, ...short, ''].join('\n'));
    /** The header, and the first message of a user. */
    const NECESSARY = 2;

    it.each([[[]], [[100_000, 100_000]]])('takes them, in pieces of %j', (pieces) => {
      const bytes = toFile(toLine('0000000b', toImage(700_000)), image);
      const skimmed = summarize(bytes, pieces, true);
      expect(skimmed.summary).toEqual(summarize(bytes, [], false).summary);
      expect(skimmed.parsed).toBe(NECESSARY);
    });

    it('cuts down those before the first text, but for the first and the longest', () => {
      const images = ['0000000d', '0000000e', '0000000f'].map((one) =>
        toLine(one, toImage(70_000)),
      );
      const bytes = Buffer.from([header, ...images, image, ...short, ''].join('\n'));
      const skimmed = summarize(bytes, [], true);
      expect(skimmed.summary).toEqual(summarize(bytes, [], false).summary);
      expect(skimmed.summary.firstMessage).toBe('Hello');
      // From the first text on, lines are taken in another way, which begins behind the next one.
      expect(skimmed.parsed).toBe(NECESSARY + 2);
    });

    it.each([
      [131_000, '\u0001'],
      [INPUT_BYTES - 1000, 'Z","mes'],
    ])('parses one with a fault at %i: %j', (at, fault) => {
      const start = image.indexOf('AAAA') + at;
      const bytes = toFile(`${image.slice(0, start)}${fault}${image.slice(start)}`);
      const skimmed = summarize(bytes, [], true);
      expect(skimmed.summary).toEqual(summarize(bytes, [], false).summary);
      expect(skimmed.parsed).toBe(NECESSARY + 1);
    });

    it('parses an answer of which more is left than there is room for', () => {
      const bytes = toFile(answer, answer);
      const skimmed = summarize(bytes, [], true, { usage: true });
      expect(skimmed.summary).toEqual(summarize(bytes, [], false, { usage: true }).summary);
      expect(skimmed.parsed).toBe(NECESSARY + 2);
    });

    it('goes on behind them, and looks at chunks of any size', () => {
      const many = Array.from({ length: 9000 }, (_, n) =>
        toLine(n.toString(16).padStart(8, '0'), 'x'.repeat(n % 90)),
      );
      const bytes = toFile(...many, toLine('0000000a', toImage(700_000)), ...many);
      const skimmed = summarize(bytes, [], true);
      expect(skimmed.summary).toEqual(summarize(bytes, [], false).summary);
      expect(skimmed.parsed).toBe(NECESSARY);
    });
  });
});
