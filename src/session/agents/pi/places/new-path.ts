import { join } from 'node:path';
import { getAgentDir } from './agent-dir.ts';
import { findDefaultStores } from './default-stores.ts';
import { toProjectDirectoryName, toSessionFileName } from './session-place.ts';
import type { StoreEnvironment } from '../../../dialect/surroundings/environment.ts';
import type { NewIdentity } from '../../../dialect/migration.ts';

/**
 * Finds the path of a new session as pi 0.87.1 chooses it: in the directory of its project, or flat in a
 * directory that the user's settings name.
 */
export async function findNewPath(
  { id, timestamp, cwd }: NewIdentity,
  store: string | undefined,
  environment: StoreEnvironment,
): Promise<string> {
  const usual = join(getAgentDir(environment), 'sessions');
  const [own = usual] = await findDefaultStores(environment);
  const name = toSessionFileName(timestamp, id);
  if (store === undefined && own !== usual) return join(own, name);
  return join(store ?? usual, toProjectDirectoryName(cwd), name);
}
