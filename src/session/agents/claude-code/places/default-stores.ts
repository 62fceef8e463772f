import { join } from 'node:path';
import type { StoreEnvironment } from '../../../dialect/surroundings/environment.ts';

/** Lists the directories of Claude Code: another one if the environment names it. */
export function listConfigDirectories({
  env,
  home,
}: Pick<StoreEnvironment, 'env' | 'home'>): readonly string[] {
  const own = join(home, '.claude');
  const { CLAUDE_CONFIG_DIR: named } = env;
  return named === undefined || named === '' || named === own ? [own] : [named, own];
}

/** The directory of all projects: sessions from before the environment named another one count, too. */
export function findDefaultStores(environment: StoreEnvironment): Promise<readonly string[]> {
  return Promise.resolve(listConfigDirectories(environment).map((path) => join(path, 'projects')));
}
