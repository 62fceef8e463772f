import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runTest } from '../memory-terminal.ts';

const QUERY = fileURLToPath(new URL('query.mjs', import.meta.url));

export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Asks DuckDB; the rows of each statement. */
export async function query(...statements: string[]): Promise<readonly Rows[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [QUERY, ...statements]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Rows);
}

/** Exports a store as a data set. */
export async function exportStore(store: string, out: string, ...args: string[]) {
  const run = await runTest(
    ['export', '--store', store, '--as', 'parquet', '--out', out, '--json', ...args],
    // The real clock: temporary files of another run that are a day old are taken for left over.
    { cwd: store, now: Date.now },
  );
  return JSON.parse(run.out) as { summary: Record<string, number>; results: Rows };
}

/** The rows of a table of a data set, for a statement. */
export const table = (out: string, name: string): string =>
  `read_parquet('${out}/${name}/**/*.parquet', hive_partitioning = true)`;
