import { toShortHash } from '../../../export/short-hash.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import type { ListedFiles } from '../../shared/select/sessions.ts';
import { describeBelow, findShared, listCopied } from '../shared-usage.ts';
import type { ExportItem } from '../task.ts';

/** A session to export into a folder, with what its record needs. */
export interface FolderItem extends ExportItem {
  /** The shown facts that other files and databases decide: its export is made again when they change. */
  readonly shown: readonly unknown[];
  /** A hash of what its agent calls it and of its beginning, the same wherever its file is. */
  readonly session: string;
}

/** Makes the items of a run, in the order of its files. */
export function toFolderItems({ files, sessions, everywhere }: ListedFiles): readonly FolderItem[] {
  const inherited = findShared(everywhere);
  const byPath = new Map(sessions.map((session) => [session.path, session]));
  return files.flatMap((file) => {
    const session = byPath.get(file.path);
    if (!session) return [];
    return [{ ...file, ...toFacts(session, listCopied(inherited, file.path)) }];
  });
}

function toFacts(summary: SessionSummary, inherited: readonly number[]) {
  const { agent, id, created, name, cwd, archived, expires, files, subagents } = summary;
  const shown = [name, cwd, archived, expires, inherited, describeBelow(summary)];
  return { shown, session: toShortHash(`${agent} ${id} ${created}`), files, subagents, inherited };
}
