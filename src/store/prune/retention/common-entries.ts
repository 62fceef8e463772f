import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import { findOwnText } from '../../../session/jsonl/edit/members.ts';
import { LineSplitter } from '../../../session/jsonl/read/line-splitter.ts';
import { withoutSessionEnding } from '../../../session/model/session-names.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import { findSidecars } from '../../archive/member/manifest.ts';
import { readMember, readToEnd } from '../../archive/member/read-member.ts';

/** The members of a line that hold its own id. */
const ID_KEYS = ['uuid', 'id'];
/** The ids in an array, which may have a line for each member or none at all. */
const ANY_ID = /"(?:uu)?id" ?: ?"([^"\\]{1,64})"/g;
/** An overlap of more bytes than an id with its name takes. */
const OVERLAP = 128;

/** Whether the id of a session is only the name that somebody has given its file: another one may have had it. */
export function isNamedByFile({ facts }: ArchivedSession): boolean {
  const { agent, id, path } = facts;
  const stem = withoutSessionEnding(basename(path));
  return id === stem && !findSidecars(agent).isMade(path, id);
}

/**
 * Finds the names that several sessions had: of some of their states, no entry leads to the others. No rule can know
 * which of these sessions is the latest. Returns the reason, by key.
 */
export async function findNamesakes(
  directory: string,
  states: ReadonlyMap<string, readonly ArchivedSession[]>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [key, own] of states) {
    if (own.length > 1 && own.every(isNamedByFile) && !(await areOfOne(directory, own))) {
      found.set(key, 'several sessions had its name');
    }
  }
  return found;
}

/** Returns whether entries lead from one state to all others. One that cannot be read counts for none. */
async function areOfOne(directory: string, states: readonly ArchivedSession[]): Promise<boolean> {
  const ids = new EntryIds(directory);
  const known: ArchivedSession[] = [];
  for (const one of states) {
    const read = await orFileError(() => ids.areShared(one, one));
    if (!(read instanceof FileError)) known.push(one);
  }
  const reached = known.slice(0, 1);
  // The list grows while it is walked.
  for (const one of reached) {
    for (const other of known) {
      if (!reached.includes(other) && (await ids.areShared(one, other))) reached.push(other);
    }
  }
  return reached.length === known.length;
}

/** The ids in the lines of states, each read once. */
export class EntryIds {
  readonly #directory: string;
  readonly #known = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /**
   * Returns whether two states have an entry in common, as those of one session do.
   * @throws FileError where a member cannot be read.
   */
  async areShared(one: ArchivedSession, other: ArchivedSession): Promise<boolean> {
    const ids = await this.#read(one);
    return [...(await this.#read(other))].some((id) => ids.has(id));
  }

  #read({ member }: ArchivedSession): Promise<ReadonlySet<string>> {
    const ids = this.#known.get(member) ?? readIds(join(this.#directory, member));
    this.#known.set(member, ids);
    return ids;
  }
}

async function readIds(member: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let isOwn = true;
  await readMember(member, async (file, chunks) => {
    // The session file is the first.
    if (!isOwn) return readToEnd(file, chunks);
    isOwn = false;
    await (file.name.endsWith('.json') ? readAnyIds(chunks, ids) : readOwnIds(chunks, ids));
  });
  return ids;
}

/** Reads the ids of lines. Those of values in a line may be in any session, such as `1` of the first of its tasks. */
async function readOwnIds(chunks: AsyncIterable<Buffer>, ids: Set<string>): Promise<void> {
  const splitter = new LineSplitter(({ bytes }) => {
    for (const key of ID_KEYS) {
      const id = findOwnText(bytes, key);
      if (id !== undefined) ids.add(id);
    }
  });
  for await (const chunk of chunks) splitter.push(chunk);
  splitter.end();
}

async function readAnyIds(chunks: AsyncIterable<Buffer>, ids: Set<string>): Promise<void> {
  let before = '';
  for await (const chunk of chunks) {
    const text = before + chunk.toString('latin1');
    for (const [, id = ''] of text.matchAll(ANY_ID)) ids.add(id);
    before = text.slice(-OVERLAP);
  }
}
