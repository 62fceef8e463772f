import type { ReadLinesOptions } from '../../session/jsonl/read/read-lines.ts';
import type { EntryUsage } from '../../session/model/usage.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';

/** A session, with all of its files if it has several. */
interface WithFiles {
  readonly path: string;
  readonly files?: readonly string[] | undefined;
}

/** Reads the usage of every entry, in all files of a session: those of all sessions take more memory than one. */
export async function readUsages(
  { path, files = [path] }: WithFiles,
  options: ReadLinesOptions,
): Promise<readonly EntryUsage[]> {
  const usages: EntryUsage[] = [];
  for (const file of files) {
    const summary = await summarizeSession(file, { usage: true, ...options });
    if ('path' in summary) for (const usage of summary.entryUsages ?? []) usages.push(usage);
  }
  return usages;
}
