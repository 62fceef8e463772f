import { expect, it } from 'vitest';
import { mirrorPath } from '../../../src/store/output/mirror-path.ts';

it.each([
  ['/s/--a--/1.jsonl', ['/s'], '/out/--a--/1.jsonl'],
  ['/s/--a--/1.jsonl', ['/s', '/s/--a--'], '/out/1.jsonl'],
  ['/s/--a--/1.jsonl', ['/s/--a', '/t'], '/out/1.jsonl'],
  ['/s/1.jsonl', ['/'], '/out/s/1.jsonl'],
  ['/s/1.jsonl', ['/s/1.jsonl'], '/out/1.jsonl'],
])('%s below %j goes to %s', (path, roots, expected) => {
  expect(mirrorPath(path, roots, '/out')).toBe(expected);
});
