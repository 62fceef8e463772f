import { expect, it } from 'vitest';
import { toFileStem } from '../../src/export/file-stem.ts';
import type { SessionSummary } from '../../src/session/model/summary.ts';

function stemOf(id: string, cwd: string): string {
  return toFileStem({ id, cwd, created: '2026-10-03T00:00:00.000Z' } as SessionSummary, '/s.jsonl');
}

it.each([
  ['of three bytes each', '漢'],
  ['of four bytes, which are two halves here', '𠀀'],
  ['of two bytes', 'д'],
  ['of two bytes and an odd one', 'aд'],
])('a name of characters %s fits any file system, and ends in whole ones', (_what, character) => {
  const long = character.repeat(100);
  const stem = stemOf(`a${long}`, `/${long}`);
  expect(Buffer.byteLength(`${stem}.jsonl`)).toBeLessThan(200);
  expect(Buffer.from(stem).toString()).toBe(stem);
});

it('a name of Latin letters has 40 of each part, as ever', () => {
  expect(stemOf('x'.repeat(50), '/work/api')).toBe(
    `2026-10-03_api_${'x'.repeat(40)}_${stemOf('', '').slice(-16)}`,
  );
});

it.each([
  ['/home/ü/Crème Brûlée', 'creme-brulee'],
  ['/work/プロジェクト', 'プロジェクト'],
  ['/work/프로젝트', '프로젝트'],
  ['/work/परियोजना 2', 'परियोजना-2'],
  ['/work/Ёлка', 'елка'],
  ['/work/İstanbul', 'istanbul'],
  ['/work/1️⃣ ❤️ \u0301x', '1-x'],
  ['/work/\u0301', 'x'],
])('the project %s is called %s', (cwd, part) => {
  expect(stemOf('id', cwd).split('_')[1]).toBe(part);
});
