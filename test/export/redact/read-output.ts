import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';

/** All that is in the files of a directory, and their names. */
export async function readOutput(directory: string): Promise<string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files
      .filter((one) => one.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        if (!name.endsWith('.parquet')) return `${path}\n${readFileSync(path, 'utf8')}`;
        const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
        const toText = (_: string, value: unknown): unknown =>
          typeof value === 'bigint' ? String(value) : value;
        return `${path}\n${JSON.stringify(rows, toText)}`;
      }),
  );
  return texts.join('\n');
}
