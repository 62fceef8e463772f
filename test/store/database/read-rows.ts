import { join } from 'node:path';
import { codex } from '../../../src/session/agents/codex/codex.ts';
import { fileExists } from '../../../src/session/jsonl/read/read-lines.ts';
import { readDatabase } from '../../../src/store/database/read-database.ts';

/** All rows of threads in a home of Codex, by table. Where the files are is written as it is now. */
export async function readRows(home: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const { name, version, tables } of codex.rows?.databases ?? []) {
    const path = join(home, `${name}_${version}.sqlite`);
    if (!(await fileExists(path))) continue;
    const columns = Object.entries(tables).map(([table, one]) => [table, one.columns] as const);
    for (const [table, some] of await readDatabase(path, Object.fromEntries(columns))) {
      const texts = some.map((row) => {
        const { rollout_path: place, ...rest } = row;
        const file = typeof place === 'string' ? place.split('/').at(-1) : undefined;
        return JSON.stringify({ ...rest, file });
      });
      found[table] = texts.toSorted();
    }
  }
  return found;
}
