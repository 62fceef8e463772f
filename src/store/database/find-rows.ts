import { basename } from 'node:path';
import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { Variables } from '../../session/dialect/surroundings/world.ts';
import type { RowDatabase } from '../../session/dialect/surroundings/rows.ts';
import { otherFiles } from '../../session/jsonl/read/other-files.ts';
import type { Agent } from '../../session/model/agent.ts';
import { findRowHome, getVersionOf, listDatabases } from './database-files.ts';
import { readDatabase } from './read-database.ts';

/**
 * Finds a database of an agent that has rows of an id, which a file made at a path would get; of any version, in
 * any directory that may have its databases. Returns the name of the database.
 * @throws FileError where one of them cannot be read.
 */
export async function findRows(
  agent: Agent,
  path: string,
  id: string,
  env: Variables,
): Promise<string | undefined> {
  const found = findRowHome(agent, path);
  if (!found) return undefined;
  const { rows, home } = found;
  const readStart = (file: string) => otherFiles.readStart(file);
  const { records } = getDialect(agent).places;
  const directories = (await records?.listDirectories?.(home, { readStart, env })) ?? [home];
  for (const directory of new Set(directories)) {
    for (const file of listDatabases(directory)) {
      const kind = rows.databases.find(({ name }) => getVersionOf(name, file) !== undefined);
      if (kind && (await hasRows(file, kind, id))) return basename(file);
    }
  }
  return undefined;
}

async function hasRows(file: string, { tables }: RowDatabase, id: string): Promise<boolean> {
  const keys = Object.entries(tables).map(([name, table]) => [name, table.keys] as const);
  try {
    const found = await readDatabase(file, Object.fromEntries(keys));
    return [...found.values()].some((rows) => rows.some((row) => Object.values(row).includes(id)));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const message = `may have rows of that id already, and ${error.message}; leave --id out`;
    throw new FileError(file, error.code, message, { cause: error });
  }
}
