import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the schemas are made of the code as it is now', async () => {
  const script = fileURLToPath(new URL('../../scripts/schemas/make-schemas.mjs', import.meta.url));
  const check = promisify(execFile)(process.execPath, [script, '--check']);
  await expect(check).resolves.toEqual({ stdout: '', stderr: '' });
});
