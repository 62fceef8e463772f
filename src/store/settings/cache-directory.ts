import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/**
 * Where this user's caches of ours belong, after the XDG base directory specification, which tells
 * to pass over a path that is not absolute. Undefined for a user without a home.
 */
export function findCacheDirectory(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string | undefined {
  const base = env['XDG_CACHE_HOME'];
  if (base !== undefined && isAbsolute(base)) return join(base, 'coppice');
  return existsSync(home) ? join(home, '.cache', 'coppice') : undefined;
}
