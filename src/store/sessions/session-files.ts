import { basename, join, relative, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import type { SidecarDialect } from '../../session/dialect/surroundings/sidecars.ts';
import { getFolderName } from '../../session/model/sidecar.ts';
import { isOwnFolder } from '../output/usual-names.ts';
import { describeForeign, findForeign } from './foreign-files.ts';
import {
  describeUnsupported,
  type FileTree,
  findTreeRoot,
  toLoneFile,
  type StampedFile,
  TreeCollector,
  type TreeRoot,
} from './file-tree.ts';
import { type NamedSidecar, Survey } from './sidecars/survey.ts';

/** A session file and its sidecars; the session file comes first. */
export interface SessionFiles extends FileTree {
  readonly path: string;
  /** The sidecars that exist, or may exist by now; see `listNamed`. */
  readonly sidecars: NamedSidecars;
  /** Sidecars that another session takes along which has them, too: a copy of this one holds them as well. */
  readonly copied?: readonly NamedSidecar[] | undefined;
  /** The rows in databases of its agent, as a copy of the session holds them. */
  readonly rows?: Buffer | undefined;
}

/** A list, or for a session that has none yet, what lists them by its path: most are never asked for. */
type NamedSidecars = readonly NamedSidecar[] | ((path: string) => readonly NamedSidecar[]);

/** Lists the sidecars that a session has, or may have by now. */
export function listNamed({
  path,
  sidecars,
}: Pick<SessionFiles, 'path' | 'sidecars'>): readonly NamedSidecar[] {
  return typeof sidecars === 'function' ? sidecars(path) : sidecars;
}

/** The name of a session file, relative as the names of its sidecars are. */
export function toOwnName(path: string, root: string): string {
  const start = root + sep;
  // Most are in the root itself, and `relative` takes longer than looking the file up.
  const name = path.startsWith(start) ? path.slice(start.length) : relative(root, path);
  return sep === '/' ? name : name.replaceAll(sep, '/');
}

/** Facts about a session that are known before its files are looked up. */
export interface KnownFiles {
  /** Paths of the other files of the session. */
  readonly parts?: readonly string[];
  /** The stamp of the session file, which then is not looked at again: any later state is a change. */
  readonly before?: StampedFile;
}

/**
 * Looks up a session file and its sidecars.
 * @throws FileError when the session file is gone, or something cannot be looked at.
 */
export async function readSessionFiles(
  path: string,
  dialect: SidecarDialect,
  survey: Survey = new Survey(),
  { parts = [], before }: KnownFiles = {},
): Promise<SessionFiles> {
  const root = dialect.findRoot(path);
  if (dialect.listBeside && parts.length === 0 && survey.isAlone(path)) {
    return collect({ path, sidecars: dialect.listBeside }, NONE, survey.findRoot(root), before);
  }
  const names = parts.map((part) => toOwnName(part, root));
  const { named, there } = await survey.resolve(path, root, dialect.list(path, names));
  return collect({ path, sidecars: named }, there, survey.findRoot(root), before);
}

/**
 * The files of a session that is alone in its directory by its name, as most are, with the stamp that is known: the same
 * as `readSessionFiles` finds, without a wait. Undefined for any other.
 * @throws FileError when its directory cannot be read.
 */
export function findLoneFile(
  path: string,
  dialect: SidecarDialect,
  survey: Survey,
  before: StampedFile,
): SessionFiles | undefined {
  const { listBeside } = dialect;
  if (!listBeside || !survey.isAlone(path)) return undefined;
  return toLone({ path, sidecars: listBeside }, survey.findRoot(dialect.findRoot(path)), before);
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
  if (dialect.listBeside && survey.isAlone(path)) return undefined;
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

/**
 * Returns the files of a session with sidecars that it has besides. The others are as they were looked up, so that
 * what came to them since is a change.
 */
export async function addSidecars(
  files: SessionFiles,
  added: readonly NamedSidecar[],
): Promise<SessionFiles> {
  if (added.length === 0) return files;
  const collector = new TreeCollector(findTreeRoot(files.root));
  for (const { name, kind } of added) await collector.add(name, kind);
  return {
    ...files,
    sidecars: [...listNamed(files), ...added],
    holders: new Map([...collector.holders, ...files.holders]),
    files: [...files.files, ...collector.files],
    directories: [...files.directories, ...collector.directories],
    unsupported: files.unsupported ?? collector.unsupported,
    unsupportedCount: (files.unsupportedCount ?? 0) + collector.unsupportedCount,
  };
}

/** Reads the files of a session again. */
export async function readAgain(session: Pick<SessionFiles, 'path' | 'root' | 'sidecars'>) {
  return collect(session, listNamed(session), findTreeRoot(session.root));
}

const NONE: readonly NamedSidecar[] = [];

async function collect(
  { path, sidecars }: Pick<SessionFiles, 'path' | 'sidecars'>,
  names: readonly NamedSidecar[],
  treeRoot: TreeRoot,
  before?: StampedFile,
): Promise<SessionFiles> {
  const lone = before && names.length === 0 && toLone({ path, sidecars }, treeRoot, before);
  if (lone) return lone;
  const own = toOwnName(path, treeRoot.path);
  const collector = new TreeCollector(treeRoot);
  if (before) collector.addStamped(toNamed(before, own));
  else await collector.add(own);
  if (collector.files.length === 0 && collector.unsupported === undefined) {
    throw new FileError(path, 'ENOENT', 'cannot read: no such file or directory');
  }
  for (const { name, kind } of names) await collector.add(name, kind);
  const { root, holders, files, directories, unsupported } = collector;
  const found = { path, root, sidecars, holders, files, directories, unsupported };
  // Only few sessions have any.
  return unsupported ? { ...found, unsupportedCount: collector.unsupportedCount } : found;
}

function toLone(
  { path, sidecars }: Pick<SessionFiles, 'path' | 'sidecars'>,
  treeRoot: TreeRoot,
  before: StampedFile,
): SessionFiles | undefined {
  const lone = toLoneFile(treeRoot, toNamed(before, toOwnName(path, treeRoot.path)));
  if (!lone) return undefined;
  const { root, holders, files, directories } = lone;
  // Written out: there is one for each session, and Node 20 makes a class of its own for each spread.
  return { path, root, sidecars, holders, files, directories };
}

function toNamed(file: StampedFile, name: string): StampedFile {
  return file.name === name ? file : { ...file, name };
}

/** Returns whether the folder that is named after a session file is surely its own, by the files around that. */
export function ownsFolder(
  {
    path,
    root,
    files,
  }: Pick<SessionFiles, 'path' | 'root'> & { readonly files: readonly { readonly name: string }[] },
  id: string,
  dialect: SidecarDialect,
): boolean {
  return isOwnFolder(dialect.isMade(path, id), () => {
    const own = toOwnName(path, root);
    const folder = `${own.slice(0, -basename(path).length)}${getFolderName(path) ?? ''}/`;
    return files.map(({ name }) => name).filter((name) => name.startsWith(folder));
  });
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
  sessions: Pick<ReadonlySet<string>, 'has'>,
): readonly StampedFile[] {
  return files.filter(({ name }, index) => index === 0 || !sessions.has(join(root, name)));
}
