import { join } from 'node:path';
import { ExitCode, type FileError } from '../../../errors.ts';
import {
  type CheckedResult,
  createCheckColumns,
  formatCheckFooter,
} from '../../../report/prune/check-columns.ts';
import type { JsonReport } from '../../../report/text/json.ts';
import { checkMember, listParts } from '../../../store/archive/check-archive.ts';
import { rebuildIndex } from '../../../store/archive/index/rebuild-index.ts';
import type { Context } from '../../command.ts';
import type { CheckDocument } from '../../shared/output/documents.ts';
import { writeMachineReport, writeTable } from '../../shared/output/output.ts';
import { runSessions } from '../../shared/run-sessions.ts';
import { reportArchive } from './list-archive.ts';
import type { ArchiveTask, PruneRequest } from '../request.ts';

/** Runs `coppice prune --archive <dir> --check`: reads everything back, and writes nothing. */
export async function checkArchive(
  { select, output, task: { archive: directory } }: PruneRequest<ArchiveTask>,
  context: Context,
): Promise<ExitCode> {
  const { members, recorded, problems } = await listParts(directory);
  const check = async (member: string): Promise<CheckedResult | undefined> => {
    const sound = await checkMember(directory, member, recorded);
    if (!sound) return undefined;
    const { id, agent, title, path } = sound.facts;
    const archived = join(directory, member);
    return { archived, state: 'sound', problem: null, id, agent, title, path, bytes: sound.bytes };
  };
  const run = { label: 'Checking', jobs: select.jobs, context };
  const outcomes = await runSessions(members, check, run);
  const results = [
    ...outcomes.flatMap((outcome) => {
      if (outcome.ok) return outcome.value ?? [];
      return toDamaged(outcome.error, join(directory, outcome.item));
    }),
    ...problems.map((problem) => toDamaged(problem, problem.path)),
  ];
  const damaged = results.filter(({ state }) => state === 'damaged');
  const bytes = results.reduce((sum, one) => sum + one.bytes, 0);
  const summary = { checked: members.length, damaged: damaged.length, bytes };
  const report: JsonReport<CheckDocument> = { command: 'prune', results, summary };
  if (!(await writeMachineReport(report, output, context))) {
    await writeTable(damaged, createCheckColumns(context.home), output, context);
    if (!output.quiet) await context.terminal.out.write(formatCheckFooter(summary));
  }
  return damaged.length > 0 ? ExitCode.found : ExitCode.ok;
}

function toDamaged({ message }: FileError, archived: string): CheckedResult {
  const unknown = { id: null, agent: null, title: null, path: null };
  return { archived, state: 'damaged', problem: message, ...unknown, bytes: 0 };
}

/**
 * Runs `coppice prune --archive <dir> --rebuild-index`; the new index names the members that are
 * listed.
 */
export async function rebuildArchiveIndex(
  request: PruneRequest<ArchiveTask>,
  context: Context,
): Promise<ExitCode> {
  return reportArchive(await rebuildIndex(request.task.archive), request, context);
}
