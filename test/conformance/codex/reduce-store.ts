import { join } from 'node:path';
import { runTest } from '../../memory-terminal.ts';

export interface Reduced {
  readonly path: string;
  readonly action: string;
  readonly reasons: readonly string[];
}

/** Runs `coppice compact --apply` over the threads of a home, and returns its results. */
export async function reduceStore(
  home: string,
  ...argv: readonly string[]
): Promise<readonly Reduced[]> {
  const options = { cwd: home, home, now: () => Date.now() };
  const store = ['--store', join(home, 'sessions'), '--grace', '0s', '--json'];
  const { out } = await runTest(['compact', ...argv, '--apply', ...store], options);
  return (JSON.parse(out) as { results: readonly Reduced[] }).results;
}
