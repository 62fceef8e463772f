import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../../../src/session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../../../../src/session/jsonl/read/parse-line.ts';
import { SessionIndexer } from '../../../../../src/session/agents/pi/index/index-session.ts';
import { findOldEntries, migrateText, parseLines } from './migrate-text.ts';

const V1 = '{"type":"session","id":"s","timestamp":"2025-01-01T00:00:00.000Z","cwd":"/p"}';
const header = fc.constantFrom(
  V1,
  V1.replace('"id"', '"version":2,"id"'),
  V1.replace('"id"', '"version":3,"id"'),
);

const id = fc.constantFrom('a', 'b', 'c"\\', 'é', '__proto__');
const entry = fc
  .record(
    {
      type: fc.constantFrom(
        'message',
        'compaction',
        'custom',
        'label',
        'session',
        'thinking_level_change',
      ),
      id,
      parentId: fc.option(id),
      timestamp: fc.constantFrom('2025-01-01T00:00:00.000Z', 'x', 1),
      firstKeptEntryIndex: fc.oneof(fc.nat(12), fc.constantFrom(-1, 0.5)),
      firstKeptEntryId: id,
      targetId: id,
      message: fc.record({
        role: fc.constantFrom('user', 'hookMessage', 1),
        content: fc.jsonValue(),
      }),
    },
    { requiredKeys: ['type'] },
  )
  .map((value) => JSON.stringify(value));
const odd = fc.oneof(
  fc.json(),
  fc.string().filter((text) => !text.includes('\n')),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '{}{}',
    '{"type":"message"}{"type":"message"}',
    '{"type":"mess',
    '\r',
  ),
);
const line = fc.oneof({ weight: 4, arbitrary: entry }, { weight: 1, arbitrary: odd });
const file = fc
  .tuple(header, fc.array(line, { maxLength: 12 }), fc.boolean())
  .map(([first, rest, terminated]) => [first, ...rest].join('\n') + (terminated ? '\n' : ''));

function index(bytes: Buffer) {
  const indexer = new SessionIndexer('lines');
  const splitter = new LineSplitter((one) => indexer.visit(one, parseLine(one)));
  splitter.push(bytes);
  splitter.end();
  const stamp = { dev: '0', ino: '0', size: 0, mtimeMs: 0, ctimeMs: 0, mode: 0 };
  return indexer.finish({ path: '/x', stamp });
}

/** All that pi's own migration would not set or take out. */
function getPayload(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const rest = new Map<string, unknown>(Object.entries(value));
  const own = ['id', 'parentId', 'firstKeptEntryId', 'firstKeptEntryIndex', 'message', 'version'];
  for (const key of own) rest.delete(key);
  return rest;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('migrating any file', () => {
  it('loses no line, and no byte of what does not parse', () => {
    fc.assert(
      fc.property(file, (text) => {
        const [before, after] = [text.split('\n'), migrateText(text).text.split('\n')];
        expect(after).toHaveLength(before.length);
        const toKept = (one: string, at: number): unknown =>
          isJson(before[at] ?? '') ? getPayload(one) : one;
        expect(after.map(toKept)).toEqual(before.map(toKept));
      }),
    );
  });

  it('only adds to an entry of v1 that has no place: what is added taken out, it is the old one', () => {
    const payload = fc.dictionary(
      fc.string().filter((key) => !['id', 'parentId', 'type', 'message'].includes(key)),
      fc.jsonValue(),
    );
    const plain = fc.tuple(payload, fc.constantFrom('', ' ')).map(([value, space]) => {
      const text = JSON.stringify(value, null, space).replaceAll('\n', '');
      return `{"type":"message"${text === '{}' ? '' : ','}${text.slice(1)}`;
    });
    fc.assert(
      fc.property(fc.array(plain), (entries) => {
        const { text } = migrateText(`${[V1, ...entries].join('\n')}\n`);
        const stripped = text.replaceAll(
          /^(\{"type":"message"),"id":"\w+","parentId":("\w+"|null)/gm,
          '$1',
        );
        expect(stripped.split('\n').slice(1, -1)).toEqual(entries);
      }),
    );
  });

  it('changes nothing the second time, and is the same each time', () => {
    fc.assert(
      fc.property(file, (text) => {
        const once = migrateText(text);
        expect(migrateText(text).text).toBe(once.text);
        expect(migrateText(once.bytes).text).toBe(once.text);
        expect(findOldEntries(once.bytes).found).toEqual({ withoutId: 0, withOldRole: 0 });
      }),
    );
  });

  it('gives v1 unique ids, a chain of parents, and references that lead to an entry', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const text = `${[V1, ...entries].join('\n')}\n`;
        const migrated = parseLines(migrateText(text).text);
        const old = parseLines(text);
        const placed = migrated.filter(({ type }) => type !== 'session');
        const ids = placed.map((one) => one['id']);
        expect(new Set(ids).size).toBe(ids.length);
        expect(placed.map((one) => one['parentId'])).toEqual([null, ...ids].slice(0, ids.length));
        const references = old.flatMap((one, at) => {
          const target = Number(one['firstKeptEntryIndex'] ?? Number.NaN);
          const isEntry = target > 0 && target <= at && migrated[target]?.['type'] !== 'session';
          return one['type'] === 'compaction' && isEntry && migrated[target]
            ? [{ at, target }]
            : [];
        });
        expect(references.map(({ at }) => migrated[at]?.['firstKeptEntryId'])).toEqual(
          references.map(({ target }) => migrated[target]?.['id']),
        );
        expect(
          references.filter(({ at }) => 'firstKeptEntryIndex' in (migrated[at] ?? {})),
        ).toEqual([]);
      }),
    );
  });

  it('gives v1 the ids and references that the index of the old file gives', () => {
    fc.assert(
      fc.property(fc.array(line), (all) => {
        const text = Buffer.from(`${[V1, ...all].join('\n')}\n`);
        const toFacts = (bytes: Buffer) =>
          index(bytes).entries.map(({ id: own, parentId, type, role, firstKeptEntryId }) => {
            return { own, parentId, type, role, firstKeptEntryId };
          });
        expect(toFacts(migrateText(text).bytes)).toEqual(toFacts(text));
      }),
    );
  });

  it('stands any bytes', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string().map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(bytes), fc.boolean(), (parts, isArray) => {
        const noise = Buffer.concat(parts.flatMap((part) => [part, Buffer.from('\n')]));
        const input = Buffer.concat([Buffer.from(`${V1}\n`), noise]);
        if (isArray) migrateText(input, {}, 'array');
        const count = (text: Buffer): number => text.filter((byte) => byte === 0x0a).length;
        expect(count(migrateText(input).bytes)).toBe(count(input));
      }),
    );
  });
});
