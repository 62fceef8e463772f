import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { Variables } from '../../session/dialect/surroundings/environment.ts';
import type { SessionRows } from '../../session/dialect/surroundings/rows.ts';
import type { Agent } from '../../session/model/agent.ts';
import { editRows } from './edit-rows.ts';
import { isElsewhere } from './read-guards.ts';

/**
 * Adds rows of a new session file to the databases of its agent.
 * @throws FileError where these are not there or cannot be written to; UsageError where this Node cannot
 * write to any.
 */
export async function addRows(
  agent: Agent,
  path: string,
  added: SessionRows,
  env: Variables,
): Promise<void> {
  const { rows } = getDialect(agent);
  const home = rows?.findHome(path);
  const kinds = rows?.databases.filter(({ name }) => added.has(name)) ?? [];
  const isThere =
    rows !== undefined &&
    home !== undefined &&
    !isElsewhere(rows, home, env) &&
    (await editRows(home, kinds, (editor) => Promise.resolve(editor.add(added)))) > 0;
  if (isThere) return;
  const message =
    'the database of its agent, which keeps its name, is not there: fork without a name, and give it in the agent';
  throw new FileError(path, 'not-supported', message);
}
