import {
  cacheOptions,
  formatOptions,
  ignoreOptions,
  runOptions,
  selectionOptions,
  stdinOptions,
} from '../shared/options.ts';
import { COLUMN_NAMES, DEFAULT_COLUMNS } from '../../report/list/session-columns.ts';
import { ENTRY_FILTERS } from '../../session/read/read-entries.ts';
import { TOTAL_KEYS } from '../../session/read/summaries/totals.ts';
import { type Args, BY_PROJECT } from '../command.ts';

const LIST = 'List:';

const SORT_KEYS = ['modified', 'created', 'size', 'messages', 'name', 'cost'] as const;

export const listOptions = {
  ...selectionOptions,
  ...ignoreOptions,
  ...stdinOptions,
  ...runOptions,
  ...formatOptions,
  sort: {
    excludes: ['by', 'entries', 'info'],
    inConfig: BY_PROJECT,
    choices: SORT_KEYS,
    default: 'modified',
    group: LIST,
    describe: 'Sort order; largest or latest first, names from A to Z',
  },
  reverse: {
    excludes: ['entries', 'info'],
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: LIST,
    describe: 'Reverse the order',
  },
  limit: {
    inConfig: BY_PROJECT,
    type: 'number',
    value: '<n>',
    group: LIST,
    describe: 'Show only the first <n>',
  },
  columns: {
    excludes: ['by', 'entries', 'info', 'paths', 'json', 'format=json', 'format=ndjson'],
    inConfig: BY_PROJECT,
    type: 'string',
    parts: { noun: 'column', names: COLUMN_NAMES },
    value: '<list>',
    group: LIST,
    describe: `Show these columns: ${COLUMN_NAMES.join(', ')}`,
    defaultDescription: DEFAULT_COLUMNS.join(', '),
  },
  paths: {
    excludes: ['by', 'entries', 'info', 'json', 'format=json', 'format=ndjson'],
    type: 'boolean',
    default: false,
    group: LIST,
    describe: 'Print only paths, one per line',
  },
  usage: {
    excludes: ['by', 'entries', 'info', 'paths'],
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: LIST,
    describe: 'Show tokens and cost; usage that a fork copied counts once',
  },
  by: {
    excludes: ['entries', 'info'],
    choices: TOTAL_KEYS,
    group: LIST,
    describe: 'Show totals by one of these, not sessions',
  },
  lineage: {
    excludes: ['by', 'entries', 'info'],
    type: 'boolean',
    default: false,
    group: LIST,
    describe: 'Show forks below their parents',
  },
  cache: { ...cacheOptions.cache, excludes: ['entries', 'info'] },
  entries: {
    type: 'boolean',
    default: false,
    group: LIST,
    describe: 'Show the entry tree of one session',
  },
  info: {
    excludes: ['entries', 'limit'],
    type: 'boolean',
    default: false,
    group: LIST,
    describe: 'Show the facts of one session, and what its bytes hold',
  },
  filter: {
    needs: ['entries'],
    choices: ENTRY_FILTERS,
    default: 'default',
    group: LIST,
    describe:
      "With --entries, show these entries, as pi's /tree does; JSON lists all entries, and marks these",
  },
} as const;

export type ListArgs = Args<typeof listOptions>;
