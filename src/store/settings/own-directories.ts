import type { Variables } from '../../session/dialect/surroundings/world.ts';
import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * The facts that decide where coppice keeps its own files. Written here, since env-paths takes no environment
 * but that of its process, and leaves XDG out on macOS.
 */
export interface Place {
  readonly env: Variables;
  readonly home: string;
  /** The platform of this process unless given. */
  readonly platform?: NodeJS.Platform;
}

/**
 * Finds the directory for caches: by the XDG base directory specification, which ignores a path that is not
 * absolute; else in `~/Library/Caches` on macOS, in `%LOCALAPPDATA%` on Windows, in `~/.cache` elsewhere.
 * Undefined for a user without a home.
 */
export function findCacheDirectory({
  env,
  home,
  platform = process.platform,
}: Place): string | undefined {
  const named = takeAbsolute(env['XDG_CACHE_HOME']);
  if (named !== undefined) return join(named, 'coppice');
  const local = takeAbsolute(env['LOCALAPPDATA']);
  if (platform === 'win32' && local !== undefined) return join(local, 'coppice', 'Cache');
  if (!existsSync(home)) return undefined;
  const own = platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  return join(home, own, 'coppice');
}

/**
 * Finds the directory of the user's own configuration, whether it exists or not: by XDG; else in `%APPDATA%`
 * on Windows, which follows the user, and in `~/.config` elsewhere, as programs of the command line on macOS
 * have it (git, gh).
 */
export function getUserConfigPath({ env, home, platform = process.platform }: Place): string {
  const named = takeAbsolute(env['XDG_CONFIG_HOME']);
  const roaming = platform === 'win32' ? takeAbsolute(env['APPDATA']) : undefined;
  return join(named ?? roaming ?? join(home, '.config'), 'coppice', 'config.json');
}

function takeAbsolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}
