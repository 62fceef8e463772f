import { expect, it } from 'vitest';
import type { SessionSummary } from '../../../../src/session/model/summary.ts';
import { notes } from '../../../../src/session/agents/claude-code/places/notes.ts';

const PATH = '/h/.claude/projects/-w/aaaaaaaa-0000-4000-8000-000000000001.jsonl';

function findExpiry(
  contents: Parameters<typeof notes.complete>[1],
  facts: Partial<SessionSummary> = {},
): string | undefined {
  const summary = { path: PATH, fileModified: '2026-01-01T00:00:00.000Z', ...facts };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest is of no account
  return notes.complete(summary as SessionSummary, contents, {}).expires;
}

const YEAR = { cleanupPeriodDays: 365 };
const IN_A_YEAR = '2027-01-01T00:00:00.000Z';

it('lets a session expire by the settings of the administrator, if these name a time', () => {
  expect(findExpiry({ settings: {} })).toBe('2026-01-31T00:00:00.000Z');
  expect(findExpiry({ settings: YEAR, managed: {}, more: {} })).toBe(IN_A_YEAR);
  expect(findExpiry({ settings: { cleanupPeriodDays: 5 }, managed: YEAR, more: {} })).toBe(
    IN_A_YEAR,
  );
  expect(findExpiry({ settings: {}, managed: { cleanupPeriodDays: 'x' } })).toBeUndefined();
});

it('lets none expire where such settings cannot be read', () => {
  expect(findExpiry({ settings: YEAR, managed: undefined, more: {} })).toBeUndefined();
  expect(findExpiry({ settings: YEAR, managed: {}, more: undefined })).toBeUndefined();
  expect(findExpiry({ settings: undefined, managed: YEAR, more: {} })).toBeUndefined();
});

it('lets none expire where a server has sent another time, which counts for some who sign in', () => {
  const expiry = '2026-01-31T00:00:00.000Z';
  expect(findExpiry({ settings: {}, remote: {} })).toBe(expiry);
  expect(findExpiry({ settings: YEAR, remote: YEAR })).toBe(IN_A_YEAR);
  expect(findExpiry({ settings: {}, remote: YEAR })).toBeUndefined();
  expect(findExpiry({ settings: {}, remote: undefined })).toBeUndefined();
});

it('lets a session that the desktop app has begun or continued expire once the app has given it up', () => {
  const held = { isHeldByHost: true } as const;
  expect(findExpiry({ settings: {} }, held)).toBeUndefined();
  expect(findExpiry({ settings: {}, released: {} }, held)).toBeUndefined();
  expect(findExpiry({ settings: {}, released: undefined }, held)).toBeUndefined();
  for (const reason of ['delete', 'archive']) {
    expect(findExpiry({ settings: {}, released: { reason } }, held)).toBe(
      '2026-01-31T00:00:00.000Z',
    );
  }
});
