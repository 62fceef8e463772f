import { ExitCode } from '../../errors.ts';
import { type Context, defineCommand } from '../command.ts';
import { runConversion } from './convert.ts';
import { migrateOptions } from './options.ts';
import { runRelocation } from './relocate.ts';
import { type MigrateRequest, toMigrateRequest } from './request.ts';
import { runUpgrade } from './upgrade.ts';

export const migrate = defineCommand({
  name: 'migrate',
  details:
    'Upgrades pi sessions of versions 1 and 2 to version 3, and Codex threads of version 0 to the format that ' +
    'it opens today, as the agent would. No other byte changes: lines that cannot be parsed are kept. The ' +
    'records of state in such threads, which hold nothing that was said, are left out. Each ' +
    'file is replaced in one step. Previews unless --apply. With --cwd, sessions move with ' +
    'their project, and their forks get the new path. With --to, converts sessions of other agents into ' +
    'new sessions of the named one; the result names what could not be carried over.',
  options: migrateOptions,
  examples: [
    { command: 'coppice migrate', says: 'preview what would be migrated' },
    { command: 'coppice migrate --apply', says: 'migrate every session of the default stores' },
    { command: 'coppice migrate --check', says: 'exit 1 if any session is outdated' },
    { command: 'coppice migrate --out /backup/v3 --apply', says: 'migrated copies' },
    {
      command: 'coppice migrate --cwd ~/src/api=~/work/api --apply',
      says: 'after moving a project',
    },
    { command: 'coppice migrate --to pi --apply', says: 'continue sessions of other agents in pi' },
  ],
  exitCodes: {
    [ExitCode.found]: '--check: some sessions need migration',
    [ExitCode.partial]:
      'some sessions could not be migrated, each with its reason; the rest is done',
  },
  toRequest: toMigrateRequest,
  run({ task, ...request }: MigrateRequest, context: Context) {
    switch (task.kind) {
      case 'upgrade':
        return runUpgrade({ ...request, task }, context);
      case 'relocate':
        return runRelocation({ ...request, task }, context);
      case 'convert':
        return runConversion({ ...request, task }, context);
    }
  },
});
