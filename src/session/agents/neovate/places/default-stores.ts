import { join } from 'node:path';
import type { StoreWorld } from '../../../dialect/surroundings/world.ts';

/** The name of the directory in which Neovate keeps everything. */
export const NEOVATE = '.neovate';

/** The directory of all projects, in that. */
export const PROJECTS = 'projects';

/** Returns the directory of Neovate 0.17.1; only another home directory moves it. */
export function getNeovateHome({ home }: Pick<StoreWorld, 'home'>): string {
  return join(home, NEOVATE);
}

export function findDefaultStores(world: StoreWorld): Promise<readonly string[]> {
  return Promise.resolve([join(getNeovateHome(world), PROJECTS)]);
}
