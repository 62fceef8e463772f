import { BY_USER } from './configurable.ts';
import { GROUP_KEYS } from '../session/policy/policy.ts';
import { changeOptions } from './actions.ts';
import type { Args, OptionSpecs } from './command.ts';
import { formatOptions, runOptions, selectionOptions } from './options.ts';

const SELECTION = 'Which sessions:';
const KEEP = 'Keep rules, any of which keeps:';
const BUDGET = 'Budgets, oldest first, after the keep rules:';
const WHERE = 'Where to:';

/** What prune selects by, beside what every command does. */
const ownSelectors = {
  empty: {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: SELECTION,
    describe: 'In which no user has said anything',
  },
  'missing-cwd': {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: SELECTION,
    describe: 'Whose working directory is gone',
  },
  'max-messages': {
    inConfig: BY_USER,
    type: 'number',
    group: SELECTION,
    describe: 'With at most so many messages',
  },
} as const satisfies OptionSpecs;

const keepOptions = {
  'keep-last': {
    inConfig: BY_USER,
    type: 'number',
    group: KEEP,
    describe: 'The n with the latest activity',
  },
  'keep-hourly': {
    inConfig: BY_USER,
    type: 'number',
    group: KEEP,
    describe: 'The newest of each of n hours',
  },
  'keep-daily': {
    inConfig: BY_USER,
    type: 'number',
    group: KEEP,
    describe: 'The newest of each of n days',
  },
  'keep-weekly': {
    inConfig: BY_USER,
    type: 'number',
    group: KEEP,
    describe: 'The newest of each of n ISO weeks',
  },
  'keep-monthly': {
    inConfig: BY_USER,
    type: 'number',
    group: KEEP,
    describe: 'The newest of each of n months',
  },
  'keep-yearly': {
    inConfig: BY_USER,
    type: 'number',
    group: KEEP,
    describe: 'The newest of each of n years',
  },
  'keep-within': {
    inConfig: BY_USER,
    type: 'string',
    group: KEEP,
    describe: 'Active within this age before the latest of its group',
  },
  'keep-named': {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: KEEP,
    describe: 'That have a name',
  },
  'keep-labeled': {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: KEEP,
    describe: 'That have a label',
  },
  'keep-id': {
    inConfig: BY_USER,
    type: 'string',
    array: true,
    nargs: 1,
    group: KEEP,
    describe: 'With this id or a unique prefix of it (repeatable)',
  },
  'group-by': {
    inConfig: BY_USER,
    choices: GROUP_KEYS,
    default: 'project',
    group: KEEP,
    describe: 'The rules apply to each of these by itself',
  },
} as const satisfies OptionSpecs;

const budgetOptions = {
  'max-total-size': {
    inConfig: BY_USER,
    type: 'string',
    group: BUDGET,
    describe: 'Only remove what is over this (5GB)',
  },
  'max-sessions': {
    inConfig: BY_USER,
    type: 'number',
    group: BUDGET,
    describe: 'Only remove what is over this',
  },
} as const satisfies OptionSpecs;

const whereOptions = {
  archive: {
    inConfig: { by: 'user', holds: 'path' },
    type: 'string',
    group: WHERE,
    describe: 'Into this directory, compressed, verified, instead of the trash',
  },
  delete: { type: 'boolean', default: false, group: WHERE, describe: 'For good, not to the trash' },
  list: { type: 'boolean', default: false, group: WHERE, describe: 'Show what --archive holds' },
  restore: {
    type: 'string',
    array: true,
    nargs: 1,
    group: WHERE,
    describe: 'Bring back from --archive: an id, a prefix of one, or all',
  },
  'plan-out': { type: 'string', group: WHERE, describe: 'Write what would go to a file, to edit' },
  plan: { type: 'string', group: WHERE, describe: 'Remove what such a file names, if unchanged' },
} as const satisfies OptionSpecs;

export const pruneOptions = {
  ...selectionOptions,
  ...ownSelectors,
  ...keepOptions,
  ...budgetOptions,
  'include-parents': {
    type: 'boolean',
    default: false,
    group: KEEP,
    describe: 'Also remove what a kept session was forked from',
  },
  'allow-empty': {
    type: 'boolean',
    default: false,
    group: KEEP,
    describe: 'Also remove the last session of a store',
  },
  ...changeOptions,
  grace: { ...changeOptions.grace, default: '1d' },
  ...whereOptions,
  ...runOptions,
  ...formatOptions,
} as const satisfies OptionSpecs;

export type PruneArgs = Args<typeof pruneOptions>;
