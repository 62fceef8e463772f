import { basename, dirname, isAbsolute, join } from 'node:path';
import type { Header } from '../../session/model/entry.ts';
import type { KnownSession } from '../../session/migrate/relocation.ts';
import { createResolver } from '../../store/files/stat-file.ts';

/**
 * Spells the parents that headers name as the stores do: a fork that was made past a link, or under another name of
 * the home, names the same file. The directory decides, since the file may have been moved by an earlier run.
 */
export function resolveParents(sessions: readonly KnownSession[]): readonly KnownSession[] {
  const known = new Set(sessions.map(({ path }) => path));
  const directories = new Map<string, string>();
  // Most forks are beside their parents.
  const findReal = createResolver();
  for (const directory of new Set(sessions.map(({ path }) => dirname(path)))) {
    directories.set(findReal(directory), directory);
  }
  const resolve = (parent: string | undefined): string | undefined => {
    if (parent === undefined || known.has(parent) || !isAbsolute(parent)) return parent;
    const real = findReal(dirname(parent));
    return join(directories.get(real) ?? real, basename(parent));
  };
  return sessions.map((session) => {
    const { parentSession, branchedFrom } = session.header;
    if (parentSession === undefined && branchedFrom === undefined) return session;
    const parents = { parentSession: resolve(parentSession), branchedFrom: resolve(branchedFrom) };
    const header: Header = { ...session.header, ...parents };
    return { ...session, header };
  });
}
