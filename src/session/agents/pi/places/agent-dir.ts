import { join, resolve } from 'node:path';
import type { StoreWorld } from '../../../dialect/surroundings/world.ts';

/** Returns the directory in which pi keeps its settings: PI_CODING_AGENT_DIR, or `~/.pi/agent`. */
export function getAgentDir(world: Pick<StoreWorld, 'env' | 'home' | 'cwd'>): string {
  return toAbsolute(world.env['PI_CODING_AGENT_DIR'] || join('~', '.pi', 'agent'), world);
}

/** The folder in which a project keeps its own settings. */
export const PROJECT_DIR = '.pi';
export const SETTINGS_FILE = 'settings.json';

/** A path as pi reads it in its settings and variables: `~` is the home directory. */
export function toAbsolute(path: string, { home, cwd }: Pick<StoreWorld, 'home' | 'cwd'>): string {
  return resolve(cwd, expandTilde(path, home));
}

function expandTilde(path: string, home: string): string {
  if (path === '~') return home;
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path;
}
