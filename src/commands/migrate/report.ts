import { ExitCode } from '../../errors.ts';
import { toPlainLine } from '../../report/text/escape.ts';
import { formatPath } from '../../report/text/paths.ts';
import { createMigrationColumns } from '../../report/migrate/columns.ts';
import { isChange } from '../../session/model/action.ts';
import {
  type ActionReport,
  hidesUnchanged,
  reportActions,
} from '../shared/output/report-actions.ts';
import type { Context } from '../command.ts';
import type { MigrationResult } from '../../session/migrate/types.ts';
import type { MigrateRequest } from './request.ts';

type MigrationRun = Omit<
  ActionReport<'migrate', MigrationResult>,
  'command' | 'columns' | 'isShown' | 'countKept'
> & {
  /** Whether the new files are copies, and the old ones are as they were. */
  readonly keepsSources?: boolean;
  /** The paths of the sessions that were named. */
  readonly explicit: ReadonlySet<string>;
};

/** Reports the outcome of each session, and returns the exit code that `--check` asks for. */
export async function reportMigration(
  { explicit, keepsSources = false, ...run }: MigrationRun,
  { output, check }: Pick<MigrateRequest, 'output' | 'check'>,
  context: Context,
): Promise<ExitCode> {
  const isShown = hidesUnchanged(explicit);
  const columns = createMigrationColumns(run.results, context.home);
  const words = check ? { ...run.words, how: 'run it with --apply instead of --check' } : run.words;
  const countKept = ({ backupPath, bytesBefore }: MigrationResult) =>
    keepsSources || backupPath !== null ? bytesBefore : 0;
  const report = { command: 'migrate' as const, ...run, words, columns, isShown, countKept };
  const exitCode = await reportActions(report, output, context);
  if (run.applied || !output.quiet) await reportLines(run.results, context);
  const isDue = check && run.results.some(isChange);
  return exitCode === ExitCode.ok && isDue ? ExitCode.found : exitCode;
}

/** Reports parts that could not be carried over, or that are damaged and were kept. The run does not fail. */
async function reportLines(results: readonly MigrationResult[], context: Context): Promise<void> {
  for (const { path, problems } of results) {
    const where = formatPath(path, context.home);
    for (const { line, message } of problems) {
      await context.terminal.err.write(`coppice: ${where}:${line}: ${toPlainLine(message)}\n`);
    }
  }
}
