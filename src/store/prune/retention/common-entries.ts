import { basename, join } from 'node:path';
import { withoutSessionEnding } from '../../../session/model/session-names.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import { findSidecars } from '../../archive/member/manifest.ts';
import { readMember } from '../../archive/member/read-member.ts';

const ENTRY_ID = /"(?:uu)?id" ?: ?"([^"\\]{1,64})"/g;
/** An overlap of more bytes than an id with its name takes. */
const OVERLAP = 128;

/** Whether the id of a session is only the name that somebody has given its file: another one may have had it. */
export function isNamedByFile({ facts }: ArchivedSession): boolean {
  const { agent, id, path } = facts;
  const stem = withoutSessionEnding(basename(path));
  return id === stem && !findSidecars(agent).isMade(path, id);
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
  await readMember(member, async (_file, chunks) => {
    let before = '';
    for await (const chunk of chunks) {
      if (!isOwn) continue;
      const text = before + chunk.toString('latin1');
      for (const [, id = ''] of text.matchAll(ENTRY_ID)) ids.add(id);
      before = text.slice(-OVERLAP);
    }
    // The session file is the first.
    isOwn = false;
  });
  return ids;
}
