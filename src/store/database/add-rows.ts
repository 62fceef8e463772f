import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { Variables } from '../../session/dialect/surroundings/world.ts';
import type { SessionRows } from '../../session/dialect/surroundings/rows.ts';
import type { Agent } from '../../session/model/agent.ts';
import { editRows } from './edit-rows.ts';
import { findElsewhere } from './read-guards.ts';

/**
 * Adds the rows of new session files, which are made beside the one at a path, to the databases of their agent: all
 * of them once `finish` has succeeded, or none.
 * @throws FileError where these are not there, have one of the ids already, or cannot be
 * written to.
 */
export async function addRows(
  agent: Agent,
  path: string,
  added: readonly SessionRows[],
  env: Variables,
  finish: () => Promise<void>,
): Promise<void> {
  const { rows } = getDialect(agent);
  const home = rows?.findHome(path);
  const message =
    'its agent keeps names in a database that does not exist: fork without --name, and name the session in the agent';
  const missing = new FileError(path, 'not-supported', message);
  if (!rows || home === undefined || findElsewhere(rows, home, env) !== undefined) throw missing;
  const taken = new FileError(
    path,
    'EEXIST',
    'the database of its agent has rows of that id already: choose another --id',
  );
  const kinds = rows.databases.filter(({ name }) => added.some((one) => one.has(name)));
  await editRows(home, kinds, async (editor) => {
    if (editor.read([]).size === 0) throw missing;
    if (!added.every((one) => editor.add(one).added > 0)) throw taken;
    await finish();
  });
}
