import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));

it('a flag that Windows lacks stands in one file: elsewhere it would silently be none', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
  const naming = files.filter((file) => {
    return file.endsWith('.ts') && readFileSync(join(SRC, file), 'utf8').includes('O_NOFOLLOW');
  });
  expect(naming).toEqual([join('session', 'jsonl', 'files', 'system.ts')]);
});
