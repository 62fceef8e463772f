import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it.each([
  ['the schemas, and the page about JSON,', 'scripts/schemas/make-schemas.mjs'],
  ['the pictures', 'scripts/pictures/make-pictures.mjs'],
])('%s are made of the code as it is now', async (_what, script) => {
  const path = fileURLToPath(new URL(`../../${script}`, import.meta.url));
  const check = promisify(execFile)(process.execPath, [path, '--check']);
  await expect(check).resolves.toEqual({ stdout: '', stderr: '' });
});
