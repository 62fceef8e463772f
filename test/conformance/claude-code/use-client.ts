import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { ClaudeCode } from './client.ts';

/** The newest client, and a directory for sessions that it opens; both are gone after the tests of the file. */
export function useClient(): { readonly client: ClaudeCode; readonly dir: string } {
  const client = new ClaudeCode();
  const dir = mkdtempSync(join(tmpdir(), 'coppice-test-'));
  afterAll(() => {
    client.close();
    rmSync(dir, { recursive: true, force: true });
  });
  return { client, dir };
}
