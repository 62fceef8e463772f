import { join } from 'node:path';
import type { StoreEnvironment } from '../../../dialect/surroundings/environment.ts';

/** Returns the directory of Neovate 0.17.1; only another home directory moves it. */
export function getNeovateHome({ home }: Pick<StoreEnvironment, 'home'>): string {
  return join(home, '.neovate');
}

export function findDefaultStores(environment: StoreEnvironment): Promise<readonly string[]> {
  return Promise.resolve([join(getNeovateHome(environment), 'projects')]);
}
