import { isAbsolute, join, resolve } from 'node:path';
import type { StoreEnvironment } from '../../../dialect/surroundings/environment.ts';

/** Where Codex keeps its own things: CODEX_HOME, or `~/.codex`. */
export function getCodexHome({ env, home, cwd }: Pick<StoreEnvironment, 'env' | 'home' | 'cwd'>) {
  const named = env['CODEX_HOME'];
  if (!named) return join(home, '.codex');
  return isAbsolute(named) ? named : resolve(cwd, named);
}

/** Sessions by day, and those that were archived. */
export function findDefaultStores(environment: StoreEnvironment): Promise<readonly string[]> {
  const home = getCodexHome(environment);
  return Promise.resolve([join(home, 'sessions'), join(home, 'archived_sessions')]);
}
