import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { MEMBER_DIGITS, MEMBER_PREFIXES } from '../../output/made-names.ts';
import { isSessionName, withoutSessionEnding } from '../../../session/model/session-names.ts';
import { FileError } from '../../../errors.ts';
import {
  getNumber,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../session/jsonl/edit/json.ts';
import { findDialect } from '../../../session/agents/index.ts';
import {
  usualSidecars,
  type SidecarDialect,
} from '../../../session/dialect/surroundings/sidecars.ts';
import {
  getFolderName,
  isSidecarName,
  listUsualSidecars,
  type Sidecar,
} from '../../../session/model/sidecar.ts';
import {
  findNamesBelow,
  isBelow,
  isFitName,
  isNormalPath,
  toOwnForm,
} from '../../../session/model/paths.ts';
import { MAX_ROWS_BYTES } from '../../database/stored-rows.ts';
import { toOwnName } from '../../sessions/session-files.ts';

export const MANIFEST_NAME = 'coppice.json';
/** The version of a member whose names are relative to the directory of its session file. */
const PLAIN_VERSION = 1;
/** The version of a member with another root. */
const ROOTED_VERSION = 2;
/**
 * The version of a member with rows. Raised when a member is written that an older coppice would
 * misread.
 */
const SCHEMA_VERSION = 3;
const VERSIONS: ReadonlySet<unknown> = new Set([PLAIN_VERSION, ROOTED_VERSION, SCHEMA_VERSION]);

/** One file or directory of a member. `name` is relative to its root, with forward slashes. */
export interface ManifestItem {
  readonly name: string;
  readonly mode: number;
  /** Milliseconds, to the microsecond. */
  readonly mtimeMs: number;
}

export interface ManifestFile extends ManifestItem {
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

/** The description that a member of an archive holds of itself: the same for the same state of a session. */
export interface Manifest {
  readonly schemaVersion: 1 | 2 | 3;
  readonly agent: string;
  readonly id: string;
  readonly cwd: string;
  readonly title: string;
  /** ISO 8601. */
  readonly lastActive: string;
  /** The absolute path that the session file had. */
  readonly path: string;
  /** The store it was in: `path` is below it. */
  readonly store: string;
  /** The directory above the session and its sidecars, where it is not that of the session file. */
  readonly root?: string;
  /** Rows that the session had in databases of its agent; they come before the files. */
  readonly rows?: ManifestRows;
  /** The session file first. */
  readonly files: readonly ManifestFile[];
  readonly directories: readonly ManifestItem[];
}

export type ManifestRows = Pick<ManifestFile, 'size' | 'sha256'>;

export function createManifest({
  root,
  rows,
  files,
  directories,
  ...facts
}: Omit<Manifest, 'schemaVersion'>): Manifest {
  const isPlain = root === undefined || root === dirname(facts.path);
  if (rows && root !== undefined) {
    return { schemaVersion: SCHEMA_VERSION, ...facts, root, rows, files, directories };
  }
  return isPlain
    ? { schemaVersion: PLAIN_VERSION, ...facts, files, directories }
    : { schemaVersion: ROOTED_VERSION, ...facts, root, files, directories };
}

/**
 * Returns the capability to find the sidecars of an agent; for an unknown agent, those beside the session
 * file.
 */
export function findSidecars(agent: string): SidecarDialect {
  return findDialect(agent)?.sidecars ?? usualSidecars;
}

/**
 * Makes the key that the states of one session share: its id, with its path, or with the directory of the agent if
 * that moves and renames the files of a session in there. Another session may have had the same path at another
 * time, or on another machine; and two directories of the agent may have threads of one id that went apart.
 */
export function toSessionKey({ agent, id, path }: Pick<Manifest, 'agent' | 'id' | 'path'>): string {
  const sidecars = findSidecars(agent);
  const isMoved = sidecars.isPart !== undefined && id !== '';
  return isMoved ? `${agent}\0${sidecars.findRoot(toOwnForm(path))}\0${id}` : `${path}\0${id}`;
}

/** The directory that the names in a manifest are relative to. */
export function getRoot({ root, path }: Pick<Manifest, 'root' | 'path'>): string {
  return root ?? dirname(path);
}

/**
 * The facts of a manifest that are kept in memory for many members. Of bounded size: texts that are only
 * shown are cut, so that an archive of somebody else's cannot fill the memory.
 */
export interface MemberFacts extends Pick<
  Manifest,
  'agent' | 'id' | 'cwd' | 'title' | 'lastActive' | 'path' | 'store' | 'root'
> {
  /** The uncompressed size of all files. */
  readonly bytes: number;
  readonly hasRows?: true;
}

const MAX_SHOWN_CHARS = 500;
/** No file system takes longer ones. */
const MAX_PATH_CHARS = 4096;

export function toMemberFacts(manifest: Manifest): MemberFacts {
  const { path, store, root, rows, files } = manifest;
  return {
    agent: cut(manifest.agent),
    id: cut(manifest.id),
    cwd: cut(manifest.cwd, MAX_PATH_CHARS),
    title: cut(manifest.title),
    lastActive: cut(manifest.lastActive),
    path,
    store,
    ...(root !== undefined && { root }),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    ...(rows && { hasRows: true }),
  };
}

/** Returns whether a member says of itself what an index says of it, which is not believed otherwise. */
export function isAsIndexed(
  manifest: Manifest,
  { facts }: { readonly facts: MemberFacts },
): boolean {
  return isDeepStrictEqual(toMemberFacts(manifest), facts);
}

/** A copy: a slice would keep the whole text in memory. */
function cut(text: string, length = MAX_SHOWN_CHARS): string {
  return text.length > length ? Buffer.from(text.slice(0, length)).toString() : text;
}

const MEMBER_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*\.tar\.gz$/;
const MAX_STEM = 120;

/**
 * The reason why a state of a session is in an archive, which the name of its member shows: `moved` there by
 * prune, which removed the session; `copied` by a backup; or `leaving`, as retention takes it out.
 */
export type StateKind = keyof typeof MEMBER_PREFIXES;

/** The only names that a member can have: no path leads out of the archive. */
export function isMemberName(name: string): boolean {
  return MEMBER_NAME.test(name);
}

/** Readable, and the same for the same manifest only, so that names cannot collide. */
export function toMemberName(manifest: Manifest, kind: StateKind = 'moved'): string {
  const digest = hash('sha256', JSON.stringify(manifest)).slice(0, MEMBER_DIGITS);
  const stem = withoutSessionEnding(basename(manifest.path));
  const shown = stem.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, MAX_STEM);
  return `${MEMBER_PREFIXES[kind]}${shown}-${digest}.tar.gz`;
}

/** Returns whether a member has the name that is made of its manifest, whatever its kind. */
export function isOwnName(member: string, manifest: Manifest): boolean {
  return toStateKey(member) === toStateKey(toMemberName(manifest));
}

/** A name that is not of ours is taken for that of the only copy. */
export function getStateKind(member: string): StateKind {
  if (member.startsWith(MEMBER_PREFIXES.copied)) return 'copied';
  return member.startsWith(MEMBER_PREFIXES.leaving) ? 'leaving' : 'moved';
}

/** Makes the key that the names of one state share, whatever its kind. */
export function toStateKey(member: string): string {
  const prefix = Object.values(MEMBER_PREFIXES).find((one) => member.startsWith(one)) ?? '';
  return member.slice(prefix.length);
}

/** Lists the other names under which an archive may have the state of a member. */
export function listNamesOfState(member: string): readonly string[] {
  const names = Object.values(MEMBER_PREFIXES).map((prefix) => prefix + toStateKey(member));
  return names.filter((name) => name !== member);
}

export function toNameOfKind(member: string, kind: StateKind): string {
  return MEMBER_PREFIXES[kind] + toStateKey(member);
}

/**
 * Checks a manifest that may come from anywhere; `from` names it in the error. No name in it leads
 * out of its root, or to a file that is not the session's own.
 * @throws FileError when anything is not as we write it.
 */
export function checkManifest(value: unknown, from: string): Manifest {
  const refuse = (what: string): FileError =>
    new FileError(from, 'EARCHIVE', `refused: ${what} in the archive's own description`);
  if (!isObject(value)) throw refuse('no JSON object');
  const version = value['schemaVersion'];
  if (!VERSIONS.has(version)) {
    throw new FileError(from, 'EARCHIVE', 'was written by a newer coppice, which can read it');
  }
  const text = (key: string): string => {
    const found = getString(value, key);
    if (found === undefined) throw refuse(`no ${key}`);
    return found;
  };
  const [path, store] = [text('path'), text('store')];
  const misplaced = findPathFault(path, store);
  if (misplaced !== undefined) throw refuse(misplaced);
  const agent = text('agent');
  const dialect = findSidecars(agent);
  // It may come from another system.
  const ownPath = toOwnForm(path);
  const root = version === PLAIN_VERSION ? undefined : text('root');
  const ownRoot = root === undefined ? dirname(ownPath) : toOwnForm(root);
  const isPlain = root === undefined || ownRoot === dirname(ownPath);
  if (!isPlain && ownRoot !== dialect.findRoot(ownPath))
    throw refuse('a root that is not of its agent');
  const files = toItems(value['files'], toFile);
  const directories = toItems(value['directories'], toItem);
  const own = toOwnName(ownPath, ownRoot);
  if (!files || !directories || files[0]?.name !== own) throw refuse('no list of files');
  const names = [...files, ...directories].map(({ name }) => name);
  const fault = findNameFault(names, ownPath, listOwn(dialect, ownPath, ownRoot, names));
  if (fault !== undefined) throw refuse(fault);
  const rows = version === SCHEMA_VERSION ? toRows(value['rows']) : undefined;
  if (version === SCHEMA_VERSION && !rows) throw refuse('no account of rows');
  const [id, cwd, title, lastActive] = [text('id'), text('cwd'), text('title'), text('lastActive')];
  const facts = { agent, id, cwd, title, lastActive, path, store };
  const extras = { ...(root !== undefined && { root }), ...(rows && { rows }) };
  return createManifest({ ...facts, ...extras, files, directories });
}

/** Lists the sidecars that a member may have: relative to the agent's root, or to the session's own directory. */
export function listOwn(
  dialect: SidecarDialect,
  path: string,
  root: string,
  names: readonly string[],
): readonly Sidecar[] {
  if (root !== dialect.findRoot(path))
    return dialect.isPlainAlone ? listUsualSidecars(path, dialect.agentFolders) : [];
  const parts = names.slice(1).filter((name) => isPlainName(name) && dialect.isPart?.(name));
  return dialect.list(path, parts);
}

/** Finds the fault in the path of a session in a store; undefined without one. */
function findPathFault(path: string, store: string): string | undefined {
  if (!isPlainPath(path) || !isPlainPath(store) || !isBelow(path, store)) {
    return 'a path that leads elsewhere';
  }
  const below = findNamesBelow(path, store) ?? [];
  if (!below.every((name) => isFitName(name))) return 'a name that no file here can have';
  if (!isSessionName(path)) return 'a path that is not a session file';
  if (path.length > MAX_PATH_CHARS) return 'a path that no file can have';
  return undefined;
}

/** Finds the fault in the names of files and directories, the session's own first. */
function findNameFault(
  names: readonly string[],
  path: string,
  sidecars: readonly Sidecar[],
): string | undefined {
  const [own] = names;
  const isOwn = (name: string): boolean => name === own || isSidecarName(name, sidecars);
  const foreign = names.find((name) => !isPlainName(name) || !isOwn(name));
  if (foreign !== undefined) return `a name that leads elsewhere (${cut(foreign)})`;
  if (new Set(names).size < names.length) return 'a name twice';
  // No search for sessions looks there, but other programs do: `.git`, `.ssh`.
  const folder = getFolderName(path) ?? '';
  const isHidden = folder.startsWith('.') && names.some((name) => name.split('/').includes(folder));
  return isHidden ? 'a hidden folder' : undefined;
}

function isPlainPath(path: string): boolean {
  return isNormalPath(path) && !path.includes('\0');
}

function isPlainName(name: string): boolean {
  const isPlain = (part: string): boolean => part !== '' && part !== '.' && part !== '..';
  return name.split('/').every((part) => isPlain(part) && isFitName(part));
}

function toItems<T>(
  value: JsonValue | undefined,
  toOne: (value: JsonObject) => T | undefined,
): readonly T[] | undefined {
  if (!isArray(value)) return undefined;
  const items = value.map((item) => (isObject(item) ? toOne(item) : undefined));
  const found = items.filter((item) => item !== undefined);
  return found.length === value.length ? found : undefined;
}

function toItem(value: JsonObject): ManifestItem | undefined {
  const [name, mode] = [getString(value, 'name'), getNumber(value, 'mode')];
  const mtimeMs = getNumber(value, 'mtimeMs');
  if (name === undefined || mode === undefined || mtimeMs === undefined) return undefined;
  const isMode = Number.isInteger(mode) && mode >= 0 && mode <= 0o777;
  return isMode && Math.abs(mtimeMs) <= 8.64e15 ? { name, mode, mtimeMs } : undefined;
}

function toFile(value: JsonObject): ManifestFile | undefined {
  const [item, content] = [toItem(value), toContent(value)];
  if (!item || !content) return undefined;
  const { name, mode, mtimeMs } = item;
  const { size, sha256 } = content;
  // The members are in the order of `describeState`: the name of a member is made from the text of its
  // manifest.
  return { name, size, mode, mtimeMs, sha256 };
}

function toRows(value: JsonValue | undefined): ManifestRows | undefined {
  const content = isObject(value) ? toContent(value) : undefined;
  return content && content.size <= MAX_ROWS_BYTES ? content : undefined;
}

function toContent(value: JsonObject): Pick<ManifestFile, 'size' | 'sha256'> | undefined {
  const [size, sha256] = [getNumber(value, 'size'), getString(value, 'sha256')];
  if (size === undefined || sha256 === undefined) return undefined;
  const isSize = Number.isSafeInteger(size) && size >= 0;
  return isSize && /^[0-9a-f]{64}$/.test(sha256) ? { size, sha256 } : undefined;
}
