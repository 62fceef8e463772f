import { join } from 'node:path';
import type { StoreWorld } from '../../../dialect/surroundings/world.ts';

/** Returns the directory of Neovate 0.17.1; only another home directory moves it. */
export function getNeovateHome({ home }: Pick<StoreWorld, 'home'>): string {
  return join(home, '.neovate');
}

export function findDefaultStores(world: StoreWorld): Promise<readonly string[]> {
  return Promise.resolve([join(getNeovateHome(world), 'projects')]);
}
