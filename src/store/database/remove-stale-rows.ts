import { FileError, UsageError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { StaleRows } from '../../session/dialect/reduction.ts';
import type { Agent } from '../../session/model/agent.ts';
import { editRows } from './edit-rows.ts';

/**
 * Removes rows that count the bytes of a session file, which its agent makes anew.
 * @throws FileError where they cannot be removed, or this Node has nothing that could.
 */
export async function removeStaleRows(
  agent: Agent,
  path: string,
  { ids, databases }: StaleRows,
): Promise<void> {
  const { rows } = getDialect(agent);
  const directory = rows?.findHome(path);
  if (!rows || directory === undefined) return;
  const kinds = rows.databases.filter(({ name }) => databases.includes(name));
  try {
    await editRows(directory, kinds, (editor) => {
      editor.remove(ids, databases);
      return Promise.resolve();
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new FileError(path, 'not-supported', error.message, { cause: error });
  }
}
