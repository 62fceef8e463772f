import type { ExitCode } from '../../errors.ts';
import type { Context } from '../command.ts';
import { relocateSessions } from './relocate.ts';
import { reportMigration } from './report.ts';
import { findChosenFiles } from '../shared/select/sessions.ts';
import { findRoots } from '../shared/select/files.ts';
import { restoreNames } from '../shared/select/left-aside.ts';
import type { MigrateRequest } from './request.ts';
import { MigrationRunner } from './runner.ts';

/** Sessions of an agent whose format has no versions are up to date, too. */
const UNCHANGED = { one: 'is up to date', many: 'are up to date' };

const WORDS = { verb: 'migrate', past: 'Migrated', how: 'add --apply', unchanged: UNCHANGED };

const RELOCATION_WORDS = { verb: 'move', past: 'Moved', how: 'add --apply' };

/** Runs `coppice migrate`. */
export async function runMigration(request: MigrateRequest, context: Context): Promise<ExitCode> {
  const { select, change, moves } = request;
  const chosen = await findChosenFiles(select, context);
  const runner = new MigrationRunner(request, context, await findRoots(select, context));
  const isMove = moves.length > 0;
  const { files, problems } = isMove ? chosen : await restoreNames(chosen, request, context);
  const { results, problems: more } = isMove
    ? await relocateSessions(files, runner, request, context)
    : await runner.run(files.map((file) => ({ file })));
  const words = isMove ? RELOCATION_WORDS : WORDS;
  const run = { applied: change.apply, results, problems: [...problems, ...more], words };
  const keepsSources = request.out !== undefined;
  return reportMigration({ ...run, keepsSources }, request, context);
}
