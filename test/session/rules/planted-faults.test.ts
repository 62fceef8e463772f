import { describe, expect, it } from 'vitest';
import { pi } from '../../../src/session/agents/pi/pi.ts';
import type { Finding } from '../../../src/session/dialect/rule.ts';
import { migrateSession } from '../../../src/session/migrate/migrate-session.ts';
import { validateSession } from '../../../src/session/validate/validate-session.ts';
import { ENTRY_FAULTS } from './faults/entry-faults.ts';
import { HEADER_FAULTS } from './faults/header-faults.ts';
import { LINE_FAULTS } from './faults/line-faults.ts';
import { RELATION_FAULTS } from './faults/relation-faults.ts';
import { buildSession, toText, writeSession } from './healthy-session.ts';

const FAULTS = [...LINE_FAULTS, ...HEADER_FAULTS, ...ENTRY_FAULTS, ...RELATION_FAULTS];
const levels = new Map();

async function validate(path: string, maxLineBytes?: number): Promise<readonly Finding[]> {
  const validation = await validateSession(path, { levels, maxLineBytes });
  return validation?.findings ?? [];
}

describe('a planted fault', () => {
  it.each(FAULTS)('$rule finds $what, and nothing else', async (fault) => {
    const { rule, session, line, also = [], place, maxLineBytes } = fault;
    const findings = await validate(await writeSession(session, place), maxLineBytes);
    const found = findings.map((finding) => `${finding.line} ${finding.rule}`);
    expect(found.toSorted()).toEqual([`${line} ${rule}`, ...also].toSorted());
  });

  it.each(FAULTS)('$rule says where in the file $what is, on one short line', async (fault) => {
    const path = await writeSession(fault.session, fault.place);
    for (const finding of await validate(path, fault.maxLineBytes)) {
      const before = Buffer.from(fault.session).subarray(0, finding.byteOffset).toString('latin1');
      expect(before.split('\n').length).toBe(finding.line);
      // oxlint-disable-next-line no-control-regex
      expect(finding.message).toMatch(/^[^\u0000-\u001f\u007f-\u009f]{1,250}$/);
    }
  });

  it.each([
    ['messages of an old role', 'there is 1 message from here on with'],
    ['entries without ids', /there are \d+ entries from here on without|there is 1 entry from/],
  ])('is counted as it is said: %s', async (what, words) => {
    const fault = FAULTS.find((one) => one.rule === 'version-contradicted' && one.what === what);
    const findings = await validate(await writeSession(fault?.session ?? ''));
    const found = findings.find(({ rule }) => rule === 'version-contradicted');
    expect(found?.message).toMatch(words);
  });

  it('is no old entry where coppice migrate would add nothing: one without id, of an unknown type', async () => {
    const unknown = { type: 'mystery', timestamp: '2026-01-02T10:00:00.000Z' };
    const path = await writeSession(toText(buildSession().toSpliced(1, 0, unknown)));
    const found = (await validate(path)).filter(({ line }) => line === 2);
    expect(found.map(({ rule }) => rule).toSorted()).toEqual([
      'entry-parent-missing',
      'entry-shape',
      'entry-type-unknown',
    ]);
    const migrated = await migrateSession(path, { apply: false, findUse: () => undefined });
    expect(migrated).toMatchObject({ action: 'unchanged' });
  });

  it('is there for every rule', () => {
    const planted = new Set(FAULTS.map(({ rule }) => rule));
    expect([...planted].toSorted()).toEqual(
      [...pi.rules.map(({ id }) => id), 'file-empty'].toSorted(),
    );
  });
});

describe('a healthy session', () => {
  it('has no findings', async () => {
    expect(await validate(await writeSession(toText(buildSession())))).toEqual([]);
  });

  it('may hold raw U+2028, CRLF, blank lines and escaped NUL characters', async () => {
    const text = toText(buildSession()).replaceAll('\n', '\r\n').replace('Tidied', '\u2028\\u0000');
    expect(await validate(await writeSession(`\n${text}\r\n`))).toEqual([]);
  });
});
