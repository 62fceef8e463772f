import { listExplicit } from '../../store/select/found-file.ts';
import type { ExitCode } from '../../errors.ts';
import type { Context } from '../command.ts';
import { reportMigration } from './report.ts';
import { findChosenFiles } from '../shared/select/sessions.ts';
import { findRoots } from '../shared/select/files.ts';
import { restoreNames } from '../shared/select/left-aside.ts';
import type { MigrateRequest, UpgradeTask } from './request.ts';
import { MigrationRunner } from './runner.ts';

/** Sessions of an agent whose format has no versions are up to date, too. */
const UNCHANGED = { one: 'is up to date', many: 'are up to date' };

const WORDS = { verb: 'migrate', past: 'Migrated', how: 'add --apply', unchanged: UNCHANGED };

/** Runs `coppice migrate` without --cwd and --to. */
export async function runUpgrade(
  request: MigrateRequest<UpgradeTask>,
  context: Context,
): Promise<ExitCode> {
  const { select, change, task } = request;
  const chosen = await findChosenFiles(select, context, { which: 'every' });
  const runner = new MigrationRunner(request, context, await findRoots(select, context));
  const { files, problems } = await restoreNames(chosen, request, context);
  const done = await runner.run(files.map((file) => ({ file })));
  const run = {
    applied: change.apply,
    results: done.results,
    problems: [...problems, ...done.problems],
    words: WORDS,
    explicit: listExplicit(files),
    keepsSources: task.out !== undefined,
  };
  return reportMigration(run, request, context);
}
