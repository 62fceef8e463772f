import {
  cacheOptions,
  changeOptions,
  formatOptions,
  runOptions,
  selectionOptions,
} from '../shared/options.ts';
import { type Args, BY_USER } from '../command.ts';
import { conversionTargets } from '../../session/agents/index.ts';

const MIGRATE = 'Migrate:';

export const migrateOptions = {
  ...selectionOptions,
  ...cacheOptions,
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
    isPath: true,
    writesUnless: [],
    isDirectory: true,
    excludes: ['cwd', 'backup'],
    type: 'string',
    value: '<dir>',
    group: MIGRATE,
    describe:
      'Write migrated copies below <dir>, in the same layout as the store; keep the sources',
  },
  backup: {
    inConfig: BY_USER,
    type: 'string',
    value: '<suffix>',
    group: MIGRATE,
    describe: 'Keep each original as <file><suffix>, such as .v1',
  },
  to: {
    excludes: ['cwd', 'backup'],
    choices: conversionTargets,
    group: MIGRATE,
    describe: 'Convert sessions of other agents into new sessions of this agent; keep the sources',
  },
  'assume-cwd': {
    isPath: true,
    excludes: ['cwd', 'to'],
    type: 'string',
    value: '<dir>',
    group: MIGRATE,
    describe: 'Use <dir> as the working directory of old sessions that do not record theirs',
  },
  cwd: {
    type: 'string',
    array: true,
    nargs: 1,
    value: '<old>=<new>',
    group: MIGRATE,
    describe: 'Move the sessions of a moved project, as <old>=<new> (repeatable)',
  },
} as const;

export type MigrateArgs = Args<typeof migrateOptions>;
