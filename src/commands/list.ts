import { BY_PROJECT, BY_USER } from './configurable.ts';
import { ExitCode, UsageError } from '../errors.ts';
import { COLUMN_NAMES, DEFAULT_COLUMNS } from '../report/list/session-columns.ts';
import { ENTRY_FILTERS } from '../session/list-entries.ts';
import { TOTAL_KEYS } from '../session/totals.ts';
import { type Args, type Context, defineCommand } from './command.ts';
import { listEntries } from './list-entries.ts';
import { listSessions } from './list-sessions.ts';
import { listTotals } from './list-totals.ts';
import { formatOptions, runOptions, selectionOptions } from './options.ts';

const LIST = 'List:';

const SORT_KEYS = ['modified', 'created', 'size', 'messages', 'name', 'cost'] as const;

const options = {
  ...selectionOptions,
  ...runOptions,
  ...formatOptions,
  sort: {
    inConfig: BY_PROJECT,
    choices: SORT_KEYS,
    default: 'modified',
    group: LIST,
    describe: 'Order, largest first',
  },
  reverse: {
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: LIST,
    describe: 'The other way round',
  },
  limit: { inConfig: BY_PROJECT, type: 'number', group: LIST, describe: 'Show the first n only' },
  columns: {
    inConfig: BY_PROJECT,
    type: 'string',
    group: LIST,
    describe: `Columns of the table: ${COLUMN_NAMES.join(',')}`,
    defaultDescription: DEFAULT_COLUMNS.join(','),
  },
  paths: { type: 'boolean', default: false, group: LIST, describe: 'Only the paths, one a line' },
  usage: {
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: LIST,
    describe: 'Tokens and cost; forks counted once',
  },
  by: { choices: TOTAL_KEYS, group: LIST, describe: 'Totals in place of sessions' },
  lineage: { type: 'boolean', default: false, group: LIST, describe: 'Forks below their parents' },
  cache: {
    inConfig: BY_USER,
    type: 'boolean',
    default: true,
    group: LIST,
    describe: 'Read only what changed since the last listing; --no-cache reads everything',
  },
  entries: { type: 'boolean', default: false, group: LIST, describe: 'The tree of one session' },
  filter: {
    choices: ENTRY_FILTERS,
    default: 'default',
    group: LIST,
    describe: "Which entries, as in pi's /tree",
  },
} as const;

export type ListArgs = Args<typeof options>;

export const list = defineCommand({
  name: 'list',
  details:
    'Shows what the agent itself would list, for every project at once, and changes no session. ' +
    'What it has read is remembered in the cache directory ($XDG_CACHE_HOME, or ~/.cache), so that ' +
    'the next listing reads only what changed. Files that cannot be read are shown with their problem.',
  options,
  examples: [
    { command: 'coppice list --last 4', says: 'the four latest sessions of all projects' },
    { command: 'coppice list --project . --usage --columns session,cost', says: 'what they cost' },
    { command: 'coppice list --by model --newer-than 30d', says: 'tokens and cost per model' },
    { command: 'coppice list --larger-than 100MB --paths', says: 'paths, for another program' },
    { command: 'coppice list 0199a3f1 --entries', says: 'the tree of one session' },
  ],
  exitCodes: { [ExitCode.partial]: 'some files could not be read; the rest is listed' },
  run(args: ListArgs, context: Context) {
    if (args.filter !== 'default' && !args.entries) {
      throw new UsageError('--filter chooses entries: it goes with --entries');
    }
    if (args.entries) return listEntries(args, context);
    return args.by === undefined ? listSessions(args, context) : listTotals(args, args.by, context);
  },
});
