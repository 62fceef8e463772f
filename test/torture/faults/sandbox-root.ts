import { join } from 'node:path';
import { afterAll } from 'vitest';
import { MEMORY } from '../../harness/memory.ts';
import { realFs } from './fault-layer.mjs';

/** A place for the walks of one test file; the home directory of this process lies in it. */
export function makeSandbox(): string {
  // A sync costs nothing there.
  const sandbox = realFs.mkdtempSync(join(MEMORY, 'coppice-faults-'));
  const root = join(sandbox, 'root');
  // Where the system's trash is, for whatever this process loads.
  process.env['HOME'] = join(root, 'home');
  process.env['XDG_DATA_HOME'] = join(root, 'home', '.local', 'share');
  afterAll(() => realFs.rmSync(sandbox, { recursive: true, force: true }));
  return root;
}

/** The long run walks everything; CI what is quick and what has found something. */
export const IS_LONG = process.env['COPPICE_LONG'] === '1';
