import { FileError } from '../../errors.ts';
import { toUnchangedResult } from '../../session/migrate/types.ts';
import { isInside, type PathMove } from '../../session/model/paths.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { toNoSessionError } from '../../session/read/no-session.ts';
import { findProblems, type FoundFile } from '../../store/select/found-file.ts';
import { createCompleter } from '../../store/sessions/surroundings.ts';
import type { Context } from '../command.ts';
import type { SelectionRequest } from '../shared/requests.ts';
import { readSummaries } from '../shared/summaries.ts';
import type { Migrated } from './runner.ts';

/**
 * Reports those of the files that are sessions of a moved project and cannot follow it, and those that were named and
 * are no sessions. What cannot be read was reported where it was read first.
 */
export async function reportUnmovable(
  files: readonly FoundFile[],
  { moves, select }: { readonly moves: readonly PathMove[]; readonly select: SelectionRequest },
  context: Context,
): Promise<Migrated> {
  // A move writes nothing into the cache of listings.
  const options = { usage: false, jobs: select.jobs, shortens: true };
  const read = await readSummaries(
    files.map(({ path }) => path),
    options,
    context,
  );
  const complete = createCompleter({ env: context.env });
  const results: Migrated['results'][number][] = [];
  const problems: Migrated['problems'][number][] = [];
  for (const file of files) {
    const found = read.get(file.path);
    if (!found || found instanceof FileError) continue;
    if ('kind' in found) {
      problems.push(...findProblems(file, toNoSessionError(file.path, found.kind)));
      continue;
    }
    const { cwd } = await complete(found);
    if (moves.some(({ from }) => isInside(cwd, from))) results.push(toLeft(found, file));
  }
  return { results, problems };
}

function toLeft(summary: SessionSummary, { explicit }: FoundFile): Migrated['results'][number] {
  const { agent, problem } = summary;
  const reason =
    problem?.message ??
    `sessions of ${agent} do not name their directory; use coppice fork --whole --cwd`;
  const action = explicit && !problem ? 'fail' : 'skip';
  return toUnchangedResult(summary, { action, reasons: [reason] });
}
