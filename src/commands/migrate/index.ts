import { ExitCode, UsageError } from '../../errors.ts';
import { changeOptions } from '../shared/report-actions.ts';
import { type Args, type Context, defineCommand, BY_USER } from '../command.ts';
import { conversionTargets } from '../../session/agents/index.ts';
import { runConversion } from './convert.ts';
import { runMigration } from './upgrade.ts';
import { formatOptions, runOptions, selectionOptions } from '../shared/options.ts';

const MIGRATE = 'Migrate:';

const options = {
  ...selectionOptions,
  ...runOptions,
  ...formatOptions,
  ...changeOptions,
  check: {
    excludes: ['apply', 'backup', 'grace'],
    type: 'boolean',
    default: false,
    group: MIGRATE,
    describe: 'Exit 1 if any session needs migration; change nothing',
  },
  out: {
    excludes: ['cwd', 'backup'],
    type: 'string',
    group: MIGRATE,
    describe: 'Write migrated copies below <dir>, laid out as the store; keep the sources',
  },
  backup: {
    inConfig: BY_USER,
    type: 'string',
    group: MIGRATE,
    describe: 'Keep each original as <file><suffix>, such as .v1',
  },
  to: {
    excludes: ['cwd', 'backup'],
    choices: conversionTargets,
    group: MIGRATE,
    describe: 'Convert sessions of other agents into new sessions of this agent; keep the sources',
  },
  cwd: {
    type: 'string',
    array: true,
    nargs: 1,
    group: MIGRATE,
    describe: 'Move the sessions of a moved project, as <old>=<new> (repeatable)',
  },
} as const;

export type MigrateArgs = Args<typeof options>;

export const migrate = defineCommand({
  name: 'migrate',
  details:
    'Upgrades versions 1 and 2 and the old JSON arrays to version 3, as the agent itself would, but ' +
    'changes no other byte: lines that cannot be parsed are kept, and each file is replaced in one ' +
    'step. Previews unless --apply. With --cwd, sessions move with their project, and parentSession ' +
    'of forks is updated. With --to, sessions of another agent become new sessions of this one, and ' +
    'the result names what could not be carried over.',
  options,
  examples: [
    { command: 'coppice migrate', says: 'preview what would be migrated' },
    { command: 'coppice migrate --apply', says: 'migrate every session of the default stores' },
    { command: 'coppice migrate --check', says: 'exit 1 if any session is outdated' },
    { command: 'coppice migrate --out /backup/v3 --apply', says: 'migrated copies' },
    {
      command: 'coppice migrate --cwd ~/src/api=~/work/api --apply',
      says: 'after moving a project',
    },
    { command: 'coppice migrate --to pi --apply', says: 'continue Neovate sessions in pi' },
  ],
  exitCodes: {
    [ExitCode.found]: '--check: some sessions need migration',
    [ExitCode.partial]: 'some sessions could not be migrated and are unchanged; the rest is done',
  },
  run(args: MigrateArgs, context: Context) {
    checkSuffix(args.backup);
    if (args.to === undefined) return runMigration(args, context);
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
