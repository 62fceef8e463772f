import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  giveBackChunk,
  takeChunkToRead,
  CHUNK_BYTES,
} from '../../../../../src/session/jsonl/read/chunks/chunk-pool.ts';
import { LineSplitter } from '../../../../../src/session/jsonl/read/line-splitter.ts';
import { joinParts } from '../../../../../src/session/jsonl/write/line-transform.ts';
import { LineMigrator } from '../../../../../src/session/agents/pi/migrate/line-migrator.ts';
import { getScanner } from '../../../../../src/session/agents/pi/scanner/scanner.ts';
import { change, damage, text } from './changed-lines.ts';
import { runs } from '../../../../harness/runs.ts';

/** The file as it is migrated; unless it may learn, every line is parsed. */
function migrate(bytes: Buffer, mayLearn: boolean) {
  const migrator = new LineMigrator({
    framing: 'lines',
    changes: {},
    takenIds: [],
    startTime: 0,
    upgrades: true,
  });
  const parts: Buffer[] = [];
  const splitter = new LineSplitter((line) => {
    if (!mayLearn) getScanner()?.learnFor(new Map());
    const changed = migrator.transform(line);
    const lf = Buffer.from(line.terminated ? '\n' : '');
    parts.push(joinParts(changed ?? [line.bytes, lf]));
  });
  // A part of it from memory that may be the scanner's own, as files are read.
  const half = Math.max(Math.floor(bytes.length / 2), bytes.length - CHUNK_BYTES);
  const chunk = takeChunkToRead();
  splitter.push(bytes.subarray(0, half));
  splitter.push(chunk.subarray(0, bytes.copy(chunk, 0, half)));
  splitter.end();
  giveBackChunk(chunk);
  const { problems, lastActivity } = migrator;
  return { text: Buffer.concat(parts).toString('latin1'), problems, lastActivity };
}

const TIME = '2025-10-05T07:08:09.100Z';
const HEADERS = [
  `{"type":"session","id":"s","timestamp":"${TIME}","cwd":"/"}`,
  `{"type":"session","version":2,"id":"s","timestamp":"${TIME}","cwd":"/"}`,
];

function toLines([first = '', second = '', third = '']: readonly string[]): readonly string[] {
  const call = { type: 'toolCall', id: 'c1', name: 'bash', arguments: { [first]: second } };
  const messages = [
    { role: 'user', content: first, timestamp: 1_759_648_089_100 },
    { role: 'user', content: second, timestamp: 1_759_648_089_200 },
    { role: 'user', content: [], timestamp: 17 },
    { role: 'user', content: third },
    { role: 'user', timestamp: 1_759_648_089_900 },
    { role: 'assistant', content: [call], stopReason: third, timestamp: 1_759_648_089_300 },
    { role: 'toolResult', toolCallId: 'c1', content: [], timestamp: 1_759_648_089_990 },
    { role: 'hookMessage', customType: second, content: first, timestamp: 1_759_648_089_400 },
  ];
  const place = { id: '00000001', parentId: null };
  const entries = [
    ...messages.map((message) => ({ type: 'message', timestamp: TIME, message })),
    { type: 'message', ...place, timestamp: TIME, message: messages[0] },
    { timestamp: TIME, type: 'message', message: messages[0] },
    {
      type: 'compaction',
      timestamp: TIME,
      summary: first,
      firstKeptEntryIndex: 2,
      tokensBefore: 1,
    },
    { type: 'model_change', timestamp: TIME, provider: first, modelId: second },
  ];
  return entries.map((entry) => JSON.stringify(entry));
}

const file = fc
  .tuple(
    fc.constantFrom(...HEADERS),
    fc.array(text, { minLength: 3, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(11), change), { maxLength: 12 }),
  )
  .map(([header, texts, changes]) => {
    const lines = toLines(texts);
    const whole = [header, ...lines, ...lines].map((line) => Buffer.from(`${line}\n`));
    const changed = changes.map(([index, one]) =>
      Buffer.concat([damage(lines[index] ?? '', one), Buffer.from('\n')]),
    );
    return Buffer.concat([...whole, ...changed]);
  });

describe('giving messages their places without parsing them', () => {
  it('makes of a file what parsing every line makes, whatever happens to bytes', () => {
    fc.assert(
      fc.property(file, (bytes) => {
        expect(migrate(bytes, true)).toEqual(migrate(bytes, false));
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([
    ['"timestamp":1759648089100', '"timestamp":"x"'],
    ['"timestamp":1759648089100', '"timestamp":1759648089999,"timestamp":"x"'],
    ['"timestamp":1759648089100', '"timestamp":1759648089.100'],
    ['"timestamp":1759648089100', '"timestamp":null'],
    ['"role":"user"', '"role":"user","role":"toolResult"'],
    ['"type":"message"', '"type":"message","\\u0069d":"x"'],
    ['"type":"message"', '"type":"message","type":"session"'],
    ['"message":{', '"message":{"content":1,"timestamp":1759648089999},"message":{'],
    ['"content":', '"contents":'],
  ])('makes it where %s is %s', (from, to) => {
    const lines = toLines(['one', 'two', 'three']);
    const others = lines.map((line) => line.replace(from, () => to));
    expect(others).not.toEqual(lines);
    for (const header of HEADERS) {
      const bytes = Buffer.from(
        `${[header, ...lines, ...others, ...others, ...lines].join('\n')}\n`,
      );
      expect(migrate(bytes, true)).toEqual(migrate(bytes, false));
    }
  });

  it('parses no more for more lines of one shape', () => {
    const [line = ''] = toLines(['one', 'two', 'three']);
    const few = Buffer.from(`${[HEADERS[0], line, line].join('\n')}\n`);
    const many = Buffer.from(`${[HEADERS[0], line, line, line, line].join('\n')}\n`);
    expect(countParsed(many, true)).toBe(countParsed(few, true));
    expect(countParsed(many, false)).toBe(countParsed(few, false) + 2);
  });

  it('does so after files of more shapes than it remembers', () => {
    const [line = ''] = toLines(['one', 'two', 'three']);
    const strange = Array.from({ length: 3000 }, (_, number) =>
      line.replace('"role"', `"key${number}":1,"role"`),
    );
    migrate(Buffer.from(`${[HEADERS[0], ...strange].join('\n')}\n`), true);
    const other = line.replace('"role"', '"another":1,"role"');
    const few = Buffer.from(`${[HEADERS[0], other, other].join('\n')}\n`);
    const many = Buffer.from(`${[HEADERS[0], other, other, other, other].join('\n')}\n`);
    expect(countParsed(many, true)).toBe(countParsed(few, true));
  });
});

function countParsed(bytes: Buffer, mayLearn: boolean): number {
  const { parse } = JSON;
  let count = 0;
  JSON.parse = (...args) => {
    count += 1;
    return parse(...args);
  };
  try {
    getScanner()?.learnFor(new Map());
    migrate(bytes, mayLearn);
  } finally {
    JSON.parse = parse;
  }
  return count;
}
