import { dirname, isAbsolute } from 'node:path';
import type { SidecarDialect } from '../dialect/surroundings/sidecars.ts';
import type { Session } from '../model/session.ts';

/**
 * Lists the directories, beside that of a session, in which a folder with images of it may be: its file may have been
 * moved without the folder, or be a fork, which can be in any directory.
 */
export function listImageHomes(
  { path, header }: Pick<Session, 'path' | 'header'>,
  sidecars: SidecarDialect | undefined,
  folder: string,
): readonly string[] {
  const parent = header?.parentSession;
  const ofParent = parent !== undefined && isAbsolute(parent) ? [dirname(parent)] : [];
  return [...(sidecars?.listFolderHomes?.(path, folder) ?? []), ...ofParent];
}
