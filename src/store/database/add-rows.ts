import { FileError } from '../../errors.ts';
import type { Variables } from '../../session/dialect/surroundings/world.ts';
import type { SessionRows } from '../../session/dialect/surroundings/rows.ts';
import type { Agent } from '../../session/model/agent.ts';
import { findRowHome } from './database-files.ts';
import { editRows } from './edit-rows.ts';
import { findWritable } from './find-writable.ts';
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
  const { home, databases } = findPlace(agent, path, env);
  const taken = new FileError(
    path,
    'EEXIST',
    'the database of its agent has rows of that id already: choose another --id',
  );
  const kinds = databases.filter(({ name }) => added.some((one) => one.has(name)));
  await editRows(home, kinds, async (editor) => {
    if (editor.read([]).size === 0) throw missingError(path);
    if (!added.every((one) => editor.add(one).added > 0)) throw taken;
    await finish();
  });
}

/**
 * Finds out whether this Node could add the rows as `addRows` does, and writes nothing.
 * @throws FileError where these are not there, or this Node cannot write to them.
 */
export async function checkRows(
  agent: Agent,
  path: string,
  added: readonly SessionRows[],
  env: Variables,
): Promise<void> {
  const { home, databases } = findPlace(agent, path, env);
  const kinds = databases.filter(({ name }) => added.some((one) => one.has(name)));
  if (!(await findWritable(home, kinds))) throw missingError(path);
}

/** The databases beside a session file. @throws FileError where there can be none. */
function findPlace(agent: Agent, path: string, env: Variables) {
  const found = findRowHome(agent, path);
  if (!found || findElsewhere(found.rows, found.home, env) !== undefined) throw missingError(path);
  return { home: found.home, databases: found.rows.databases };
}

function missingError(path: string): FileError {
  const message =
    'its agent keeps names in a database that does not exist: fork without --name, and name the session in the agent';
  return new FileError(path, 'not-supported', message);
}
