import { BY_USER } from './configurable.ts';
import { ExitCode, UsageError } from '../errors.ts';
import { changeOptions } from './actions.ts';
import { type Args, type Context, defineCommand } from './command.ts';
import { conversionTargets } from '../session/dialects.ts';
import { runConversion } from './migrate-convert.ts';
import { runMigration } from './migrate-run.ts';
import { formatOptions, runOptions, selectionOptions } from './options.ts';

const MIGRATE = 'Migrate:';

const options = {
  ...selectionOptions,
  ...runOptions,
  ...formatOptions,
  ...changeOptions,
  check: {
    type: 'boolean',
    default: false,
    group: MIGRATE,
    describe: 'Exit 1 if there is anything to do; change nothing',
  },
  out: {
    type: 'string',
    group: MIGRATE,
    describe: 'Write below this directory, laid out like the store; leave the sources',
  },
  backup: {
    inConfig: BY_USER,
    type: 'string',
    group: MIGRATE,
    describe: 'Keep each old file under its name with this behind it, such as .v1',
  },
  to: {
    choices: conversionTargets,
    group: MIGRATE,
    describe: 'Only sessions of other agents, into new ones of this agent; leave the sources',
  },
  cwd: {
    type: 'string',
    array: true,
    nargs: 1,
    group: MIGRATE,
    describe: 'Only sessions of a project that moved, as <old>=<new> (repeatable)',
  },
} as const;

export type MigrateArgs = Args<typeof options>;

export const migrate = defineCommand({
  name: 'migrate',
  details:
    'Versions 1 and 2 and the old JSON arrays become version 3, as the agent itself would make ' +
    'them, but without touching any other byte: lines that cannot be parsed stay, and each file ' +
    'is replaced in one step. Shows what it would do; --apply does it. With --cwd, sessions move ' +
    'along with their project, and forks are told where their parents went. With --to, sessions of ' +
    'another agent become new ones of this, and what could not be carried over is named.',
  options,
  examples: [
    { command: 'coppice migrate', says: 'show what is old' },
    { command: 'coppice migrate --apply', says: 'migrate every session of the default stores' },
    { command: 'coppice migrate --check', says: 'for scripts: exit 1 if any session is old' },
    { command: 'coppice migrate --out /backup/v3 --apply', says: 'migrated copies' },
    {
      command: 'coppice migrate --cwd ~/src/api=~/work/api --apply',
      says: 'the project has moved',
    },
    { command: 'coppice migrate --to pi --apply', says: 'go on in pi with sessions of Neovate' },
  ],
  exitCodes: {
    [ExitCode.found]: '--check: there is something to do',
    [ExitCode.partial]: 'some sessions could not be migrated and are as they were',
  },
  run(args: MigrateArgs, context: Context) {
    if (args.check && args.apply)
      throw new UsageError('--check changes nothing: leave --apply out');
    if (args.out !== undefined && args.cwd) {
      throw new UsageError('--out leaves the sessions where they are, --cwd moves them');
    }
    if (args.out !== undefined && args.backup !== undefined) {
      throw new UsageError('--backup is not needed: --out leaves the sources alone');
    }
    checkSuffix(args.backup);
    if (args.to === undefined) return runMigration(args, context);
    if (args.cwd || args.backup !== undefined) {
      throw new UsageError('--to makes new sessions: --cwd and --backup are for old ones');
    }
    return runConversion(args, args.to, context);
  },
});

/** What ends in `.jsonl` would be listed as a second session. */
function checkSuffix(suffix: string | undefined): void {
  if (suffix === undefined) return;
  if (suffix === '' || /[/\\]/.test(suffix) || /\.jsonl?$/.test(suffix)) {
    throw new UsageError(
      `--backup ${suffix}: is no suffix like .v1; it must not end in .jsonl or hold a slash`,
    );
  }
}
