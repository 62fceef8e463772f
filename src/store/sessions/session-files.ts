import { basename, join, relative, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import type { SidecarDialect } from '../../session/dialect/surroundings/sidecars.ts';
import { getFolderName } from '../../session/model/sidecar.ts';
import { isUsualFile } from '../output/usual-names.ts';
import { describeForeign, findForeign } from './foreign-files.ts';
import {
  describeUnsupported,
  type FileTree,
  findTreeRoot,
  type StampedFile,
  TreeCollector,
  type TreeRoot,
} from './file-tree.ts';
import { type NamedSidecar, Survey } from './sidecars/survey.ts';

/** A session file and its sidecars; the session file comes first. */
export interface SessionFiles extends FileTree {
  readonly path: string;
  /** The sidecars that exist, or may exist by now. */
  readonly sidecars: readonly NamedSidecar[];
  /** The rows in databases of its agent, as a copy of the session holds them. */
  readonly rows?: Buffer | undefined;
}

/** The name of a session file, relative as the names of its sidecars are. */
export function toOwnName(path: string, root: string): string {
  return relative(root, path).split(sep).join('/');
}

/**
 * Looks up a session file and its sidecars. `parts`: paths of the other files of the session.
 * @throws FileError when the session file is gone, or something cannot be looked at.
 */
export async function readSessionFiles(
  path: string,
  dialect: SidecarDialect,
  survey: Survey = new Survey(),
  parts: readonly string[] = [],
): Promise<SessionFiles> {
  const root = dialect.findRoot(path);
  const names = parts.map((part) => toOwnName(part, root));
  const { named, there } = await survey.resolve(path, root, dialect.list(path, names));
  return collect({ path, sidecars: named }, there, survey.findRoot(root));
}

/**
 * Looks up the sidecars of a session alone; undefined where it has none.
 * @throws FileError when something cannot be looked at.
 */
export async function readSidecars(
  path: string,
  dialect: SidecarDialect,
  survey: Survey,
): Promise<FileTree | undefined> {
  const root = dialect.findRoot(path);
  const { there } = await survey.resolve(path, root, dialect.list(path));
  if (there.length === 0) return undefined;
  const collector = new TreeCollector(survey.findRoot(root));
  for (const { name, kind } of there) await collector.add(name, kind);
  return collector;
}

/** Returns the files with the earlier stamps of `before`: any later state is a change. */
export function keepStamps(now: SessionFiles, before: readonly StampedFile[]): SessionFiles {
  const stamps = new Map(before.map((one) => [one.name, one]));
  return { ...now, files: now.files.map((one) => stamps.get(one.name) ?? one) };
}

/** Reads the files of a session again. */
export async function readAgain(session: Pick<SessionFiles, 'path' | 'root' | 'sidecars'>) {
  return collect(session, session.sidecars, findTreeRoot(session.root));
}

async function collect(
  { path, sidecars }: Pick<SessionFiles, 'path' | 'sidecars'>,
  names: readonly NamedSidecar[],
  treeRoot: TreeRoot,
): Promise<SessionFiles> {
  const collector = new TreeCollector(treeRoot);
  await collector.add(toOwnName(path, treeRoot.path));
  if (collector.files.length === 0 && collector.unsupported === undefined) {
    throw new FileError(path, 'ENOENT', 'cannot read: no such file or directory');
  }
  for (const { name, kind } of names) await collector.add(name, kind);
  const { root, holders, files, directories, unsupported } = collector;
  return { path, root, sidecars, holders, files, directories, unsupported };
}

/**
 * Returns whether the folder that is named after a session file is surely its own: the agent has named the
 * file, or nothing else is in the folder than sessions have there. `work.jsonl`, exported beside the
 * directory `work`, does not own that.
 */
export function ownsFolder(
  {
    path,
    root,
    files,
  }: Pick<SessionFiles, 'path' | 'root'> & { readonly files: readonly { readonly name: string }[] },
  id: string,
  dialect: SidecarDialect,
): boolean {
  if (dialect.isMade(path, id)) return true;
  const own = toOwnName(path, root);
  const folder = `${own.slice(0, -basename(path).length)}${getFolderName(path) ?? ''}/`;
  const inside = files.filter(({ name }) => name.startsWith(folder));
  return inside.every(({ name }) => isUsualFile(name));
}

/** Returns whether a name is of a hidden session: no search finds it, so no rule would keep it. */
function isHiddenSession(name: string): boolean {
  const isSession = name.endsWith('.jsonl') || name.endsWith('.jsonl.zst');
  return isSession && name.split('/').some((part) => part.startsWith('.'));
}

/**
 * Returns the reason why the files around a session must not be moved or removed with it; undefined if all of them
 * are its own, and files and directories.
 */
export function findSidecarObstacle(
  files: FileTree & Pick<SessionFiles, 'path'>,
  id: string,
  dialect: SidecarDialect,
): string | undefined {
  if (files.unsupported !== undefined) return describeUnsupported(files.unsupported);
  if (!ownsFolder(files, id, dialect)) return 'the directory beside it may not belong to it';
  const foreign = findForeign(files.files, files.path, dialect);
  if (foreign !== undefined) return describeForeign(foreign);
  const hidden = files.files.find(({ name }) => isHiddenSession(name));
  return hidden && `a hidden file may be a session: ${hidden.name}`;
}

/** The session file and its sidecars, but for sessions that count themselves. */
export function listCounted(
  { root, files }: SessionFiles,
  sessions: ReadonlySet<string>,
): readonly StampedFile[] {
  return files.filter(({ name }, index) => index === 0 || !sessions.has(join(root, name)));
}
