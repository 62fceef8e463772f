import { join } from 'node:path';
import type { StoreEnvironment } from '../../../dialect/surroundings/environment.ts';

/** Where Neovate 0.17.1 keeps its own things; nothing but another home directory moves it. */
export function getNeovateHome({ home }: Pick<StoreEnvironment, 'home'>): string {
  return join(home, '.neovate');
}

export function findDefaultStores(environment: StoreEnvironment): Promise<readonly string[]> {
  return Promise.resolve([join(getNeovateHome(environment), 'projects')]);
}
