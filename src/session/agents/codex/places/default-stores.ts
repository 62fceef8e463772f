import { isAbsolute, join, resolve } from 'node:path';
import type { AgentWorld, StoreWorld } from '../../../dialect/surroundings/world.ts';
import { listStoresOf } from './home.ts';

/** Returns the home of Codex: CODEX_HOME, or `~/.codex`. */
function getCodexHome({ env, home, cwd }: AgentWorld): string {
  const named = env['CODEX_HOME'];
  if (!named) return join(home, '.codex');
  return isAbsolute(named) ? named : resolve(cwd, named);
}

/** Lists the home that the environment names, and the one where Codex works without that variable. */
export function listCodexHomes(world: AgentWorld): readonly string[] {
  return [...new Set([getCodexHome(world), join(world.home, '.codex')])];
}

/** Sessions by day, and those that were archived. */
export function findDefaultStores(world: StoreWorld): Promise<readonly string[]> {
  return Promise.resolve(listStoresOf(getCodexHome(world)));
}
