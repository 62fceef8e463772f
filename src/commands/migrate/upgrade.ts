import type { ExitCode } from '../../errors.ts';
import type { Context } from '../command.ts';
import { relocateSessions } from './relocate.ts';
import { reportMigration } from './report.ts';
import { findChosenFiles, findRoots } from '../shared/select.ts';
import type { MigrateArgs } from './options.ts';
import { MigrationRunner } from './runner.ts';

const WORDS = { verb: 'migrate', past: 'Migrated', how: 'add --apply' };

const RELOCATION_WORDS = { verb: 'move', past: 'Moved', how: 'add --apply' };

/** `coppice migrate`. */
export async function runMigration(args: MigrateArgs, context: Context): Promise<ExitCode> {
  const { files, problems } = await findChosenFiles(args, context);
  const runner = new MigrationRunner(args, context, await findRoots(args, context));
  const { results, problems: more } = args.cwd
    ? await relocateSessions(files, runner, args, context)
    : await runner.run(files.map((file) => ({ file })));
  const words = args.cwd ? RELOCATION_WORDS : WORDS;
  const run = { applied: runner.applies, results, problems: [...problems, ...more], words };
  return reportMigration(run, args, context);
}
