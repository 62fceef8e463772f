import { basename, dirname } from 'node:path';
import { isSessionName, withoutSessionEnding } from '../../../session/model/session-names.ts';
import { findDialect } from '../../../session/agents/index.ts';
import { withoutCompression } from '../../../session/jsonl/zstd/is-compressed.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import type { FileTree } from '../file-tree.ts';
import { listSpelled } from '../other-spelling.ts';

/** A folder of a session, as the lines of this and of other sessions may name it. */
export interface NamedFolder {
  /** The name of the folder alone: absolute or relative, each path to it has this. */
  readonly name: string;
  /** The names of all that is directly in it. */
  readonly inside: ReadonlySet<string>;
}

/** A session file that lines may name for the model to read, wherever the file is by now. */
export interface NamedFile {
  readonly name: string;
  /** The words before a path to it. */
  readonly after: string;
}

export type Nameable = NamedFolder | NamedFile;

/** Anything with names of files and directories, such as a description in an archive. */
type Names = Readonly<
  Record<keyof Pick<FileTree, 'files' | 'directories'>, readonly { readonly name: string }[]>
>;

/**
 * Lists the folders of a session that are not in another one of it, or are those of sessions in it, and are not empty:
 * lines name a folder by its name alone.
 */
function listFolders({ files, directories }: Names): readonly NamedFolder[] {
  const all = new Set(directories.map(({ name }) => name));
  const sessions = files.filter(({ name }) => isSessionName(name));
  const stems = new Set(sessions.map(({ name }) => withoutSessionEnding(name)));
  const tops = directories.filter(({ name }) => !all.has(dirname(name)) || stems.has(name));
  const found = new Map(tops.map(({ name }) => [name, new Set<string>()]));
  for (const { name } of [...files, ...directories]) found.get(dirname(name))?.add(basename(name));
  return [...found].flatMap(([name, inside]) =>
    inside.size === 0 ? [] : [{ name: basename(name), inside }],
  );
}

/**
 * Lists the logs of sub-agents that are beside their session and not in a folder of it. The session file is the
 * first of `files`.
 */
export function listFlatLogs(agent: string, { files, directories }: Names): readonly string[] {
  const { orphans } = findDialect(agent)?.sidecars ?? {};
  if (!orphans) return [];
  const all = new Set(directories.map(({ name }) => name));
  const others = files.slice(1).map(({ name }) => name);
  return others.filter((name) => holdsLines(name) && !all.has(dirname(name)));
}

/** Lists all of a session that lines may name: itself, its folders, and the logs beside it. */
export function listNameable(agent: string, names: Names): readonly Nameable[] {
  const after = findDialect(agent)?.sidecars?.pointsBy;
  const [own] = names.files;
  const folders = listNamedFolders(agent, names);
  if (after === undefined || own === undefined) return folders;
  return [...folders, { name: withoutCompression(basename(own.name)), after }];
}

/** Lists the folders of a session, and the logs beside it, that lines may name. */
export function listNamedFolders(agent: string, names: Names): readonly NamedFolder[] {
  const logs = listFlatLogs(agent, names).map((name): NamedFolder => {
    return { name: basename(dirname(name)), inside: new Set([basename(name)]) };
  });
  return [...listFolders(names), ...logs];
}

/** Returns whether a file of a session has lines, by its name: the session itself, and logs of sub-agents. */
export function holdsLines(name: string): boolean {
  return isSessionName(name);
}

interface Owned {
  readonly owner: string;
  readonly inside: ReadonlySet<string>;
}

/** The end of the name of a session file, as those have that are named for the model. */
const FILE_ENDING = '.jsonl';

/** An overlap longer than the names of a folder and of a file in it, each letter written as an escape. */
const OVERLAP = 4096;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
/** Characters as JSON may write them too, also where a text of JSON is in JSON, some times over. */
const ESCAPES = /(?:\\{1,8}u[\dA-Fa-f]{4})+/g;

/**
 * Finds the folders that texts name, by a path to something in them: of any system, absolute or not, as JSON
 * writes it. Reads the bytes once for all folders. Also finds the session files that texts name for the model.
 */
export class FolderSearch {
  readonly #folders = new Map<string, Owned[]>();
  /** The owners of files by their name, for each text before a path to them. */
  readonly #files = new Map<string, Map<string, string[]>>();
  readonly #lengths: readonly number[];
  /** Whether the name of a folder ends like this: most slashes are those of other paths. */
  readonly #endings = new Uint8Array(ENDINGS);

  /** `nameable`: by the key of their session. */
  constructor(nameable: Iterable<readonly [string, readonly Nameable[]]>) {
    for (const [owner, own] of nameable) {
      for (const one of own) {
        if ('after' in one) this.#addFile(owner, one);
        else this.#addFolder(owner, one);
      }
    }
    this.#lengths = [...new Set([...this.#folders.keys()].map(({ length }) => length))];
  }

  #addFolder(owner: string, { name, inside }: NamedFolder): void {
    const owned = { owner, inside: new Set([...inside].flatMap(listForms).map(withoutSlashes)) };
    for (const form of listForms(name)) this.#add(form, owned);
  }

  #addFile(owner: string, { name, after }: NamedFile): void {
    const files = this.#files.get(after) ?? new Map<string, string[]>();
    this.#files.set(after, files);
    for (const one of new Set(listSpelled(name))) addTo(files, toBytes(one), owner);
  }

  #add(name: string, owned: Owned): void {
    addTo(this.#folders, name, owned);
    const bytes = Buffer.from(name, 'latin1');
    // Any byte may be before a short name.
    if (bytes.length < ENDING_BYTES) this.#endings.fill(1);
    this.#endings[hashEnding(bytes, bytes.length)] = 1;
  }

  /**
   * Returns the keys of all sessions of which a text names a folder, or the file. `own`: the name of the session
   * file that the text is of, since a session names itself when it is compacted, and so do its copies.
   */
  async search(chunks: AsyncIterable<Buffer>, own = ''): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    let before = Buffer.alloc(0);
    for await (const chunk of chunks) {
      const bytes = Buffer.concat([before, chunk]);
      const resolved = bytes.includes(String.raw`\u`) ? [resolveEscapes(bytes)] : [];
      for (const piece of [bytes, ...resolved]) {
        this.#searchPiece(piece, found);
        this.#searchFiles(piece, toBytes(own), found);
      }
      before = bytes.subarray(-OVERLAP);
    }
    return found;
  }

  /** Finds the files that are named after the words of an agent. */
  #searchFiles(bytes: Buffer, own: string, found: Set<string>): void {
    for (const [after, files] of this.#files) {
      for (let at = bytes.indexOf(after); at >= 0; at = bytes.indexOf(after, at + after.length)) {
        const start = at + after.length;
        const path = bytes.toString('latin1', start, start + OVERLAP);
        const end = path.indexOf(FILE_ENDING);
        const from = Math.max(path.lastIndexOf('/', end), path.lastIndexOf('\\', end)) + 1;
        const file = end < 0 ? own : path.slice(from, end + FILE_ENDING.length);
        if (file !== own) for (const owner of files.get(file) ?? []) found.add(owner);
      }
    }
  }

  #searchPiece(bytes: Buffer, found: Set<string>): void {
    if (this.#folders.size === 0) return;
    for (let at = 1; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte !== SLASH && byte !== BACKSLASH) continue;
      if (this.#endings[hashEnding(bytes, at)] === 0) continue;
      for (const length of this.#lengths) {
        if (length > at) continue;
        for (const folder of this.#folders.get(bytes.toString('latin1', at - length, at)) ?? []) {
          if (!found.has(folder.owner) && isInside(bytes, at, folder)) found.add(folder.owner);
        }
      }
    }
  }
}

function isInside(bytes: Buffer, separator: number, { inside }: Owned): boolean {
  let at = separator;
  while (bytes[at] === SLASH || bytes[at] === BACKSLASH) at += 1;
  for (const name of inside)
    if (bytes.toString('latin1', at, at + name.length) === name) return true;
  return false;
}

const ENDINGS = 0x1_00_00;
const ENDING_BYTES = 3;

/** A number for the last bytes before an index. */
function hashEnding(bytes: Buffer, end: number): number {
  const last = bytes[end - 1] ?? 0;
  const middle = bytes[end - 2] ?? 0;
  const first = bytes[end - 3] ?? 0;
  return (last + middle * 83 + first * 6889) % ENDINGS;
}

/**
 * A name as a line may write it: most as they are; a quote, a backslash or a line break as an escape, or as the
 * escape of one, where a text of JSON is in JSON; and in each normal form. One character for each byte of UTF-8.
 */
function listForms(name: string): readonly string[] {
  const forms = listSpelled(name).flatMap((one) => {
    const once = escape(one);
    return [one, once, escape(once)];
  });
  return [...new Set(forms)].map(toBytes);
}

function escape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The backslash of an escape at the start of a name looks like one more slash before it. */
function withoutSlashes(name: string): string {
  return name.replace(/^\\+/, '');
}

/** One character for each byte of UTF-8. */
function toBytes(name: string): string {
  return Buffer.from(name).toString('latin1');
}

function resolveEscapes(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1').replaceAll(ESCAPES, (escapes) => {
    return toBytes(String(JSON.parse(`"${escapes.replaceAll(/\\+/g, '\\')}"`)));
  });
  return Buffer.from(text, 'latin1');
}
