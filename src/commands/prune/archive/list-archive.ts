import type { JsonReport } from '../../../report/text/json.ts';
import { join } from 'node:path';
import type { ExitCode } from '../../../errors.ts';
import {
  type ArchivedResult,
  createArchiveColumns,
  formatArchiveFooter,
} from '../../../report/prune/archive-columns.ts';
import {
  type ArchiveContents,
  type ArchivedSession,
  readArchive,
} from '../../../store/archive/index/archive-index.ts';
import { toSessionKey } from '../../../store/archive/member/manifest.ts';
import { fitsArchived } from '../../../store/archive/fits-archived.ts';
import type { Context } from '../../command.ts';
import type { ArchiveDocument } from '../../shared/output/documents.ts';
import { reportProblems, writeMachineReport, writeTable } from '../../shared/output/output.ts';
import type { ArchiveTask, PruneRequest } from '../request.ts';
import { toProblem } from '../../../store/select/found-file.ts';

/** Runs `coppice prune --archive <dir> --list`. */
export async function listArchive(
  request: PruneRequest<ArchiveTask>,
  context: Context,
): Promise<ExitCode> {
  const { selection } = request.select;
  const { sessions, problems } = await readArchive(request.task.archive);
  const fitting = sessions.filter(({ facts }) => fitsArchived(facts, selection));
  return reportArchive({ sessions: fitting, problems }, request, context, countSessions(sessions));
}

/** Shows what is in an archive. `total`: the number of its sessions, where not all are shown. */
export async function reportArchive(
  { sessions, problems }: ArchiveContents,
  { output, task: { archive: directory } }: PruneRequest<ArchiveTask>,
  context: Context,
  total = countSessions(sessions),
): Promise<ExitCode> {
  const results = sessions
    .map((session) => toArchivedResult(directory, session))
    .toSorted((a, b) => (a.lastActive < b.lastActive ? 1 : -1));
  const summary = { sessions: countSessions(sessions), states: results.length };
  const damaged = problems.map(toProblem);
  const report: JsonReport<ArchiveDocument> = {
    command: 'prune',
    results: [...results, ...damaged],
    summary,
  };
  if (!(await writeMachineReport(report, output, context))) {
    const columns = createArchiveColumns(context.now(), context.home);
    await writeTable(results, columns, output, context);
    if (!output.quiet)
      await context.terminal.out.write(formatArchiveFooter(summary, total, results));
  }
  return reportProblems(damaged, context);
}

/** Counts sessions, of which an archive may have several states. */
function countSessions(states: readonly ArchivedSession[]): number {
  return new Set(states.map(({ facts }) => toSessionKey(facts))).size;
}

function toArchivedResult(directory: string, session: ArchivedSession): ArchivedResult {
  const { facts, member, kind, archivedAt, bytes: archivedBytes } = session;
  const { id, agent, cwd, title, lastActive, path, bytes } = facts;
  return {
    id,
    agent,
    cwd,
    title,
    lastActive,
    path,
    archivedAt: new Date(archivedAt).toISOString(),
    archived: join(directory, member),
    bytes,
    archivedBytes,
    isOnlyCopy: kind !== 'copied',
  };
}
