import { basename, join } from 'node:path';
import { withoutSessionEnding } from '../../session/model/session-names.ts';
import type { SidecarDialect } from '../../session/dialect/surroundings/sidecars.ts';
import { isTempName } from '../../session/jsonl/files/temp-file.ts';
import { isMadeForPeople } from '../output/made-names.ts';
import { isUsualFile } from '../output/usual-names.ts';

/**
 * Finds a file that somebody keeps in a directory which would be removed with a session: one that coppice has
 * made for people, such as an archive; or one in the folder of the session that its agent does not put there.
 * `files`: those of the session. `path`: that of the session file.
 */
export function findForeign(
  files: readonly { readonly name: string }[],
  path: string,
  dialect: SidecarDialect,
): string | undefined {
  let folders: readonly string[] | undefined;
  const isForeign = (name: string): boolean => {
    if (isMadeForPeople(basename(name))) return true;
    // A name without a directory is of nothing in a folder, such as the session file of most agents.
    if (!name.includes('/')) return false;
    folders ??= listOwnFolders(path, dialect).map((own) => `${own}/`);
    const folder = folders.find((one) => name.startsWith(one));
    if (folder === undefined || isUsualFile(name) || isTempName(basename(name))) return false;
    const [top = ''] = name.slice(folder.length).split('/');
    return dialect.folderNames?.includes(top) === false;
  };
  return files.find(({ name }) => isForeign(name))?.name;
}

/** The reason why sidecars with such a file among them are left unchanged. */
export function describeForeign(name: string): string {
  return `${name} may be somebody's own`;
}

/**
 * Lists the names of the directories beside a session file that are named after it, or beside where it was or will
 * be.
 */
function listOwnFolders(path: string, dialect: SidecarDialect): readonly string[] {
  const stem = withoutSessionEnding(basename(path));
  return dialect
    .list(path)
    .filter(({ name, kind, sharedBy }) => {
      return kind === 'directory' && sharedBy === undefined && basename(name) === stem;
    })
    .map(({ name }) => name);
}

/** Returns whether a directory is beside a session file, and named after it. */
export function isNamedAfter(directory: string, path: string, dialect: SidecarDialect): boolean {
  const root = dialect.findRoot(path);
  return listOwnFolders(path, dialect).some((name) => join(root, name) === directory);
}
