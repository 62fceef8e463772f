import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rules } from '../../../../src/session/agents/neovate/rules/rules.ts';
import type { Finding } from '../../../../src/session/dialect/rule.ts';
import { validateSession } from '../../../../src/session/validate/validate-session.ts';
import { FAULTS } from './faults.ts';
import { buildHealthy, SESSION_ID, toText } from './healthy-session.ts';
import { NOT_OPENED, RECORDED } from './recorded.ts';
import { isProportional } from '../../../harness/proportional.ts';

const dir = await mkdtemp(join(tmpdir(), 'coppice-test-'));
afterAll(() => rm(dir, { recursive: true, force: true }));

async function validate(
  content: string | Buffer,
  maxLineBytes?: number,
): Promise<readonly Finding[]> {
  const path = join(dir, `${SESSION_ID}.jsonl`);
  await writeFile(path, content);
  const validation = await validateSession(path, { levels: new Map(), maxLineBytes });
  return validation?.findings ?? [];
}

describe('a fault planted in a Neovate session', () => {
  it.each(FAULTS)('$rule finds $what, and nothing else', async (fault) => {
    const { rule, session, line, also = [], maxLineBytes } = fault;
    const findings = await validate(session, maxLineBytes);
    const found = findings.map((finding) => `${finding.line} ${finding.rule}`);
    expect(found.toSorted()).toEqual([`${line} ${rule}`, ...also].toSorted());
  });

  it.each(FAULTS)('$rule says where $what is, on one short line', async (fault) => {
    for (const { line, byteOffset, message } of await validate(fault.session)) {
      const before = Buffer.from(fault.session).subarray(0, byteOffset).toString('latin1');
      expect(before.split('\n').length).toBe(line);
      // oxlint-disable-next-line no-control-regex
      expect(message).toMatch(/^[^\u0000-\u001f\u007f-\u009f]{1,250}$/);
    }
  });

  it('is there for every rule', () => {
    const planted = new Set(FAULTS.map(({ rule }) => rule));
    expect([...planted].toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
  });
});

describe('a healthy Neovate session', () => {
  it('has no findings', async () => {
    expect(await validate(toText(buildHealthy()))).toEqual([]);
  });

  it('may hold raw U+2028, CRLF and empty lines', async () => {
    const text = toText(buildHealthy()).replaceAll('\n', '\r\n').replace('Done.', 'D\u2028.');
    expect(await validate(`\n\n${text}\n`)).toEqual([]);
  });
});

describe('what the real loader answered', () => {
  const validateRecorded = async (path: string): Promise<readonly string[]> => {
    const validation = await validateSession(path, { levels: new Map() });
    return validation?.findings.flatMap(({ level, rule }) => (level === 'error' ? rule : [])) ?? [];
  };

  it.each(NOT_OPENED)('is an error where it threw or hung: $name', async ({ path }) => {
    expect(await validateRecorded(path)).toHaveLength(1);
  });

  it.each(RECORDED.filter(({ name }) => !name.startsWith('broken-')))(
    'is not an error where all went well: $name',
    async ({ path }) => {
      expect(await validateRecorded(path)).toEqual([]);
    },
  );

  it('is an error where two messages share a uuid', async () => {
    const duplicate = RECORDED.find(({ name }) => name === 'broken-duplicate-uuid');
    expect(await validateRecorded(duplicate?.path ?? '')).toEqual(['entry-duplicate-id']);
  });

  it('is found in time where it would never come', async () => {
    const makeCircle = (size: number): string =>
      toText(
        Array.from({ length: size }, (_, index) => ({
          type: 'message',
          uuid: `u${index}`,
          parentUuid: `u${(index + size - 1) % size}`,
          role: 'user',
          content: 'x',
          sessionId: SESSION_ID,
        })),
      );
    expect(
      await isProportional(2000, makeCircle, async (circle) => {
        const findings = await validate(circle);
        expect(findings.map(({ rule }) => rule)).toEqual(['config-missing', 'entry-cycle']);
      }),
    ).toBe(true);
  });
});
