import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/session/jsonl/edit/json.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { brokenSession } from './broken-bytes.ts';
import { bytesOf } from './plant.ts';
import { buildSession, toText, writeSession } from './healthy-session.ts';
import { replaceEach } from '../replace-each.ts';
import { isProportional } from '../../harness/proportional.ts';
import { takeSome } from '../../harness/runs.ts';

const options = { levels: new Map() };

// oxlint-disable-next-line no-control-regex
const SHORT_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]{1,600}$/;

/** Findings that point nowhere, or whose message is not fit to be shown. */
async function findOdd(path: string, content: string | Buffer): Promise<unknown[]> {
  await writeFile(path, content);
  const findings = (await validateSession(path, options))?.findings ?? [];
  return findings.filter(({ line, byteOffset, message }) => {
    const isInFile = line > 0 && byteOffset >= 0 && byteOffset <= Buffer.byteLength(content);
    return !isInFile || !SHORT_LINE.test(message);
  });
}

const HOSTILE: readonly JsonValue[] = [
  null,
  true,
  0,
  -1,
  1e300,
  '',
  'x'.repeat(5000),
  '\u001b[31mred\u0007\u2028\ud800',
  [],
  [null],
  [[]],
  {},
  { length: 1 },
  JSON.parse('{"__proto__":{"type":"message"},"constructor":1,"toString":null}'),
];

describe('validateSession', () => {
  it('answers any bytes', async () => {
    const path = await writeSession('');
    const bytes = fc.uint8Array({ maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(bytes, async (content) => {
        expect(await findOdd(path, Buffer.from(content))).toEqual([]);
      }),
    );
  });

  it('answers any mixture of lines, torn lines and noise', async () => {
    const path = await writeSession('');
    await fc.assert(
      fc.asyncProperty(brokenSession, async (content) => {
        expect(await findOdd(path, content)).toEqual([]);
      }),
    );
  });

  it.each(HOSTILE)('answers %j in any field of any entry', async (value) => {
    const path = await writeSession('');
    const records: readonly JsonValue[] = buildSession();
    for (const [index, record] of takeSome([...records.entries()], 2)) {
      const replaced = [...replaceEach(record, value)];
      const sessions = replaced.map((other) => toText(records.toSpliced(index, 1, other)));
      // One file each would take long, and no rule stops at the first fault.
      for (const content of [sessions.join(''), ...sessions.slice(0, 1)]) {
        expect(await findOdd(path, content)).toEqual([]);
      }
    }
  });

  it('answers JSON that is nested 100,000 deep', async () => {
    const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const deep = bytesOf('custom').toString().replace('{"open":3}', nested);
    const path = await writeSession('');
    expect(await findOdd(path, `${toText(buildSession())}${deep}\n${deep}${deep}\n`)).toEqual([]);
  });

  it('takes time in proportion for many cycles, duplicates, orphans and compactions', async () => {
    const path = await writeSession('');
    const makeText = (size: number): string => {
      const records = buildSession().slice(0, 1);
      const common = { timestamp: '2026-03-01T11:00:00Z', customType: 'x' };
      for (let n = 0; n < size; n += 1) {
        records.push(
          { type: 'custom', id: `a${n}`, parentId: `b${n}`, ...common },
          { type: 'custom', id: `b${n}`, parentId: `a${n}`, ...common },
          { type: 'custom', id: 'same', parentId: `gone${n}`, ...common },
          {
            type: 'compaction',
            id: `c${n}`,
            parentId: n === 0 ? null : `c${n - 1}`,
            timestamp: common.timestamp,
            summary: 's',
            firstKeptEntryId: 'c0',
            tokensBefore: 1,
          },
        );
      }
      return toText(records);
    };
    expect(
      await isProportional(500, makeText, async (text) => {
        await writeFile(path, text);
        await validateSession(path, options);
      }),
    ).toBe(true);
  });

  it('takes time in proportion for a long line of braces and quotes', async () => {
    const start = toText(buildSession());
    const path = await writeSession('');
    for (const unit of ['{"', '{"a":', '{}', '\\"', 'a\0', '}', '{"type":"x","timestamp":1}']) {
      const makeText = (size: number): string => `${start}${unit.repeat(size)}\n`;
      expect(
        await isProportional(4000, makeText, async (text) => {
          await writeFile(path, text);
          await validateSession(path, options);
        }),
      ).toBe(true);
    }
  });
});
