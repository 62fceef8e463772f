import { createHash } from 'node:crypto';
import { basename, isAbsolute, normalize } from 'node:path';
import { FileError } from '../../errors.ts';
import {
  getNumber,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../session/jsonl/edit/json.ts';
import { getFolderName } from '../../session/model/sidecar.ts';
import { isBelow } from '../../session/model/paths.ts';
import { isOwnName } from '../remove/session-files.ts';

export const MANIFEST_NAME = 'coppice.json';
/** Raised when a member is written that an older coppice would misread. */
const SCHEMA_VERSION = 1;

/** One file or directory of a member. `name` is relative to the session's directory. */
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

/** What a member of an archive says of itself. The same session in the same state says the same. */
export interface Manifest {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly agent: string;
  readonly id: string;
  readonly cwd: string;
  readonly title: string;
  /** ISO 8601. */
  readonly lastActive: string;
  /** Where the session file was; absolute. */
  readonly path: string;
  /** The store it was in: `path` is below it. */
  readonly store: string;
  /** The session file first. */
  readonly files: readonly ManifestFile[];
  readonly directories: readonly ManifestItem[];
}

export function createManifest(facts: Omit<Manifest, 'schemaVersion'>): Manifest {
  return { schemaVersion: SCHEMA_VERSION, ...facts };
}

/**
 * Those facts of a manifest that many are kept of at once. Of bounded size: what is only shown is cut,
 * so that an archive of somebody else's cannot fill the memory.
 */
export interface MemberFacts extends Pick<
  Manifest,
  'agent' | 'id' | 'cwd' | 'title' | 'lastActive' | 'path' | 'store'
> {
  /** Of all files, uncompressed. */
  readonly bytes: number;
}

const MAX_SHOWN_CHARS = 500;
/** No file system takes longer ones. */
const MAX_PATH_CHARS = 4096;

export function toMemberFacts(manifest: Manifest): MemberFacts {
  const { path, store, files } = manifest;
  return {
    agent: cut(manifest.agent),
    id: cut(manifest.id),
    cwd: cut(manifest.cwd, MAX_PATH_CHARS),
    title: cut(manifest.title),
    lastActive: cut(manifest.lastActive),
    path,
    store,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  };
}

/** A copy: a slice would keep the whole text in memory. */
function cut(text: string, length = MAX_SHOWN_CHARS): string {
  return text.length > length ? Buffer.from(text.slice(0, length)).toString() : text;
}

const MEMBER_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]*\.tar\.gz$/;
const MAX_STEM = 120;

/** The only names that a member can have: no path leads out of the archive. */
export function isMemberName(name: string): boolean {
  return MEMBER_NAME.test(name);
}

/** Readable, and the same for the same manifest only, so that names cannot collide. */
export function toMemberName(manifest: Manifest): string {
  const key = createHash('sha256').update(JSON.stringify(manifest)).digest('hex').slice(0, 24);
  const stem = basename(manifest.path).replace(/\.jsonl?$/, '');
  return `s_${stem.replaceAll(/[^A-Za-z0-9._-]/g, '_').slice(0, MAX_STEM)}-${key}.tar.gz`;
}

/**
 * Checks a manifest that may come from anywhere; `from` names it in the error. No name in it leads
 * out of the session's directory, or to a file that is not the session's own.
 * @throws FileError when anything is not as we write it.
 */
export function checkManifest(value: unknown, from: string): Manifest {
  const refuse = (what: string): FileError =>
    new FileError(from, 'EARCHIVE', `refused: ${what} in the archive's own description`);
  if (!isObject(value)) throw refuse('no JSON object');
  if (value['schemaVersion'] !== SCHEMA_VERSION) {
    throw new FileError(from, 'EARCHIVE', 'was written by a newer coppice, which can read it');
  }
  const text = (key: string): string => {
    const found = getString(value, key);
    if (found === undefined) throw refuse(`no ${key}`);
    return found;
  };
  const [path, store] = [text('path'), text('store')];
  if (!isPlainPath(path) || !isPlainPath(store) || !isBelow(path, store)) {
    throw refuse('a path that leads elsewhere');
  }
  if (!/\.jsonl?$/.test(path)) throw refuse('a path that is not a session file');
  if (path.length > MAX_PATH_CHARS) throw refuse('a path that no file can have');
  const files = toItems(value['files'], toFile);
  const directories = toItems(value['directories'], toItem);
  if (!files || !directories || files[0]?.name !== basename(path)) throw refuse('no list of files');
  const names = [...files, ...directories].map(({ name }) => name);
  if (!names.every((name) => isPlainName(name) && isOwnName(path, name))) {
    throw refuse('a name that leads elsewhere');
  }
  if (new Set(names).size < names.length) throw refuse('a name twice');
  // No search for sessions looks there, but other programs do: `.git`, `.ssh`.
  const folder = getFolderName(path) ?? '';
  if (folder.startsWith('.') && names.some((name) => name.split('/')[0] === folder)) {
    throw refuse('a hidden folder');
  }
  const [agent, id, cwd] = [text('agent'), text('id'), text('cwd')];
  const [title, lastActive] = [text('title'), text('lastActive')];
  return createManifest({ agent, id, cwd, title, lastActive, path, store, files, directories });
}

function isPlainPath(path: string): boolean {
  return isAbsolute(path) && normalize(path) === path && !path.includes('\0');
}

function isPlainName(name: string): boolean {
  const isPlain = (part: string): boolean => part !== '' && part !== '.' && part !== '..';
  return !/[\\\0]/.test(name) && name.split('/').every(isPlain);
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
  const [item, size] = [toItem(value), getNumber(value, 'size')];
  const sha256 = getString(value, 'sha256');
  if (!item || size === undefined || sha256 === undefined) return undefined;
  const isSize = Number.isSafeInteger(size) && size >= 0;
  return isSize && /^[0-9a-f]{64}$/.test(sha256) ? { ...item, size, sha256 } : undefined;
}
