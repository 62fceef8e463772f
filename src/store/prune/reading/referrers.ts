import { basename, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { FileError } from '../../../errors.ts';
import { isMissing, orFileError, toFileError } from '../../../session/jsonl/files/file-error.ts';
import { findDialect } from '../../../session/agents/index.ts';
import { withoutCompression } from '../../../session/jsonl/zstd/is-compressed.ts';
import { openText } from '../../../session/jsonl/read/text-source.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import type { FileProblem } from '../../../session/model/summary.ts';
import { findReferrers, type Named, type Referrers } from '../../../session/prune/referrers.ts';
import { Pieces } from '../../files/read-pieces.ts';
import type { SessionFiles } from '../../sessions/session-files.ts';
import { isSystemProblem } from '../../sessions/units/unlisted.ts';
import {
  FolderSearch,
  holdsLines,
  listFlatLogs,
  listNameable,
  type Nameable,
} from '../../sessions/sidecars/folder-search.ts';
import type { FoundCandidate } from '../candidates.ts';

/** Returns whether the lines of another session may name files of a session. */
export function isNameable({
  candidate,
  files,
}: Pick<FoundCandidate, 'candidate' | 'files'>): boolean {
  return listOwn(candidate.agent, files).length > 0;
}

function listOwn(
  agent: FoundCandidate['candidate']['agent'],
  files: SessionFiles | undefined,
): readonly Nameable[] {
  return files && agent !== null ? listNameable(agent, files) : [];
}

/** Returns whether a search for one finds the other, too. */
function covers(one: Nameable, other: Nameable): boolean {
  if (one.name !== other.name) return false;
  if ('after' in other) return 'after' in one;
  return 'inside' in one && [...other.inside].every((name) => one.inside.has(name));
}

const PIECE_BYTES = 1024 * 1024;

/**
 * Finds for each session those whose lines name files in its folders, as a fork has the lines of a session
 * that is not its parent: reads every line of all sessions.
 */
export class ReferrerSearch {
  /** The errors by which not all lines could be searched. */
  readonly failures: FileError[] = [];
  readonly #nameable = new Map<string, readonly Nameable[]>();
  readonly #search: FolderSearch;
  readonly #named = new Map<string, Named>();
  readonly #shared = new Map<string, string[]>();

  /** `found`: of these, any may be removed. */
  constructor(found: readonly FoundCandidate[]) {
    for (const { candidate, files } of found) {
      const own = listOwn(candidate.agent, files);
      if (own.length > 0) this.#nameable.set(candidate.path, own);
    }
    this.#search = new FolderSearch(this.#nameable);
  }

  /** Returns whether all that the lines of others may name of some sessions is looked for. */
  knows(some: readonly FoundCandidate[]): boolean {
    return some.every(({ candidate: { path, agent }, files }) => {
      const known = this.#nameable.get(path) ?? [];
      return listOwn(agent, files).every((own) => known.some((one) => covers(one, own)));
    });
  }

  /** Lets the sessions be read again that have a file which has changed. */
  forget(found: readonly FoundCandidate[], changed: ReadonlySet<string>): void {
    for (const one of found) {
      if (listPaths(one).some((path) => changed.has(path))) this.#named.delete(one.candidate.path);
    }
  }

  /** Reads those that were not read yet. Returns false if there are none. */
  async read(found: readonly FoundCandidate[], signal?: AbortSignal): Promise<boolean> {
    if (found.every(({ candidate }) => this.#named.has(candidate.path))) return false;
    const byId = new Map<string, string[]>();
    for (const { candidate } of found) addTo(byId, candidate.id.toLowerCase(), candidate.path);
    for (const one of found) {
      const { path } = one.candidate;
      const sharers = new Sharers(one, byId);
      // Those that came since may have lines in the logs of any.
      if (this.#named.has(path) && !sharers.mayFind) continue;
      const { failure, ...own } = await readNamed(one, this.#search, sharers);
      this.#named.set(path, own);
      if (failure) this.failures.push(failure);
      for (const sharer of sharers.found) addTo(this.#shared, sharer, path);
      // Reading is synchronous: a signal arrives only here.
      await setImmediate();
      signal?.throwIfAborted();
    }
    return true;
  }

  findReferrers(problems: readonly FileProblem[]): ReadonlyMap<string, Referrers> {
    const named = [...this.#named.values()].map((one): Named => {
      return { ...one, names: [...one.names, ...(this.#shared.get(one.path) ?? [])] };
    });
    const unread = problems.filter(isSystemProblem).map(({ path }): Named => {
      return { path, names: [], unread: path, needs: [] };
    });
    const hasFolder = (path: string): boolean =>
      this.#nameable.get(path)?.some((one) => !('after' in one)) === true;
    return findReferrers([...named, ...unread], this.#nameable.keys(), hasFolder);
  }
}

/** Lists the files of a session that have lines: its own, and the logs of its sub-agents. */
function listPaths({ files, members }: FoundCandidate): readonly string[] {
  const logs = files?.files.filter(({ name }) => holdsLines(name)) ?? [];
  return [...new Set([...members, ...logs.map(({ name }) => join(files?.root ?? '', name))])];
}

async function readNamed(
  found: FoundCandidate,
  search: FolderSearch,
  sharers: Sharers,
): Promise<Named & { readonly failure?: FileError }> {
  const { path, needs = [] } = found.candidate;
  const names = new Set<string>();
  const file = withoutCompression(basename(path));
  for (const one of listPaths(found)) {
    const own = await orFileError(() => search.search(sharers.watch(one, readText(one)), file));
    if (!(own instanceof FileError)) for (const name of own) names.add(name);
    else if (!isMissing(own)) return { path, names: [], unread: one, needs, failure: own };
  }
  return { path, names: [...names], needs };
}

/**
 * Finds the sessions that have lines in the logs beside another one: a sub-agent that a fork has resumed goes on
 * in the file of the session that started it.
 */
class Sharers {
  /** The paths of these sessions. */
  readonly found = new Set<string>();
  readonly #own: string;
  readonly #logs: ReadonlySet<string>;
  readonly #listIds: (text: string) => readonly string[];
  readonly #byId: ReadonlyMap<string, readonly string[]>;

  get mayFind(): boolean {
    return this.#logs.size > 0;
  }

  /** `byId`: the paths of all sessions. */
  constructor(
    { candidate: { path, agent }, files }: FoundCandidate,
    byId: ReadonlyMap<string, readonly string[]>,
  ) {
    const { orphans } = findDialect(agent)?.sidecars ?? {};
    const logs = files && agent !== null ? listFlatLogs(agent, files) : [];
    this.#own = path;
    this.#logs = new Set(logs.map((name) => join(files?.root ?? '', name)));
    this.#listIds = orphans?.listIds ?? (() => []);
    this.#byId = byId;
  }

  /** Passes on the bytes of a file, and looks for the ids of sessions in those of a log. */
  async *watch(path: string, chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const pieces = this.#logs.has(path) ? new Pieces() : undefined;
    for await (const chunk of chunks) {
      if (pieces) this.#visit(pieces.next(chunk.toString('latin1')));
      yield chunk;
    }
  }

  #visit(text: string): void {
    for (const id of this.#listIds(text)) {
      for (const one of this.#byId.get(id) ?? []) if (one !== this.#own) this.found.add(one);
    }
  }
}

/** @throws FileError if it cannot be read. */
async function* readText(path: string): AsyncGenerator<Buffer> {
  const source = await openText(path);
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  try {
    try {
      for (let count = source.read(buffer, 0); count > 0; count = source.read(buffer, 0)) {
        yield buffer.subarray(0, count);
      }
    } finally {
      source.close();
    }
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
