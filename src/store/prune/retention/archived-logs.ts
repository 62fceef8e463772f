import { basename } from 'node:path';
import { findDialect } from '../../../session/agents/index.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import { withoutCompression } from '../../../session/jsonl/zstd/is-compressed.ts';
import { withoutSessionEnding } from '../../../session/model/session-names.ts';
import { toOwnForm } from '../../../session/model/paths.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import type { Manifest } from '../../archive/member/manifest.ts';
import { readMember, readToEnd } from '../../archive/member/read-member.ts';
import { Pieces } from '../../files/read-pieces.ts';

/**
 * Lists the ids of other sessions that have lines in logs beside an archived one: a sub-agent that a fork has resumed goes
 * on in the file of the session that started it. A member that cannot be read has none: nothing can be restored from it.
 * `known`: the ids of all sessions.
 */
export async function listSharers(
  path: string,
  { agent, files: [own] }: Pick<Manifest, 'agent' | 'files'>,
  logs: readonly string[],
  known: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { orphans } = findDialect(agent)?.sidecars ?? {};
  if (!orphans || !own || logs.length === 0) return [];
  const found = new Set<string>();
  const names = new Set(logs);
  await orFileError(() =>
    readMember(path, async (file, chunks) => {
      if (!names.has(file.name)) return readToEnd(file, chunks);
      const pieces = new Pieces();
      for await (const chunk of chunks) {
        const ids = orphans.listIds(pieces.next(chunk.toString('latin1')));
        for (const id of ids) if (known.has(id)) found.add(id);
      }
    }),
  );
  found.delete(toLogId(own.name));
  return [...found];
}

/** Lists the ids by which logs name archived sessions. */
export function listLogIds(states: readonly ArchivedSession[]): ReadonlySet<string> {
  return new Set(states.map(({ facts }) => toLogId(toOwnForm(facts.path))));
}

/** The id by which logs name the session of a file. */
export function toLogId(name: string): string {
  return withoutSessionEnding(withoutCompression(basename(name))).toLowerCase();
}
