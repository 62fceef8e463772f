import { GROUP_KEYS } from '../../session/prune/policy.ts';
import { type OptionSpecs, BY_USER } from '../command.ts';
import { selectionOptions } from '../shared/options.ts';
import { toCount } from '../values.ts';

export const SELECTION = 'Selection:';
const KEEP =
  'Keep rules, for each project unless --group-by says otherwise (one that applies is enough):';
const BUDGET = 'Budgets (the oldest sessions are removed first):';
const PROTECTED = 'Protected sessions:';

/** The options with which prune does something else than to remove sessions of stores. */
export const MODES = [
  'restore',
  'list',
  'check',
  'rebuild-index',
  'in-archive',
  'orphans',
] as const;

/** The modes that cannot be combined with one. */
export function listOthers(mode: (typeof MODES)[number]): readonly string[] {
  return MODES.filter((one) => one !== mode);
}

/** The selectors that only prune has. */
export const ownSelectors = {
  empty: {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: SELECTION,
    describe: 'Select sessions without user content',
  },
  'missing-cwd': {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: SELECTION,
    describe: 'Select sessions whose working directory is gone',
  },
  'max-messages': {
    isRare: true,
    inConfig: BY_USER,
    type: 'number',
    value: '<n>',
    group: SELECTION,
    describe: 'Select sessions with at most <n> messages',
  },
} as const satisfies OptionSpecs;

/** -1 and `unlimited` stand for all, as in restic. */
const count = { type: 'string', value: '<n>', isCount: true, coerce: toCount } as const;

const within = { inConfig: BY_USER, type: 'string', value: '<age>' } as const;

export const keepOptions = {
  'keep-last': {
    inConfig: BY_USER,
    ...count,
    group: KEEP,
    describe: 'Keep the <n> most recently active sessions',
  },
  'keep-hourly': {
    isRare: true,
    inConfig: BY_USER,
    ...count,
    group: KEEP,
    describe: 'Keep the newest session of each of the last <n> hours that have one',
  },
  'keep-daily': {
    inConfig: BY_USER,
    ...count,
    group: KEEP,
    describe: 'Keep the newest session of each of the last <n> days that have one',
  },
  'keep-weekly': {
    inConfig: BY_USER,
    ...count,
    group: KEEP,
    describe: 'Keep the newest session of each of the last <n> weeks that have one',
  },
  'keep-monthly': {
    inConfig: BY_USER,
    ...count,
    group: KEEP,
    describe: 'Keep the newest session of each of the last <n> months that have one',
  },
  'keep-yearly': {
    inConfig: BY_USER,
    ...count,
    group: KEEP,
    describe: 'Keep the newest session of each of the last <n> years that have one',
  },
  'keep-within': {
    ...within,
    group: KEEP,
    describe: 'Keep sessions active within <age> of the latest in their group',
  },
  'keep-within-hourly': {
    isRare: true,
    ...within,
    group: KEEP,
    describe: 'Keep the newest session of each hour within this age',
  },
  'keep-within-daily': {
    isRare: true,
    ...within,
    group: KEEP,
    describe: 'Keep the newest session of each day within this age',
  },
  'keep-within-weekly': {
    isRare: true,
    ...within,
    group: KEEP,
    describe: 'Keep the newest session of each week within this age',
  },
  'keep-within-monthly': {
    isRare: true,
    ...within,
    group: KEEP,
    describe: 'Keep the newest session of each month within this age',
  },
  'keep-within-yearly': {
    isRare: true,
    ...within,
    group: KEEP,
    describe: 'Keep the newest session of each year within this age',
  },
  'keep-named': {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: KEEP,
    describe: 'Keep sessions that have a name',
  },
  'keep-labeled': {
    inConfig: BY_USER,
    type: 'boolean',
    default: false,
    group: KEEP,
    describe: 'Keep sessions that have a label',
  },
  'keep-id': {
    inConfig: { ...BY_USER, adds: true },
    type: 'string',
    array: true,
    nargs: 1,
    noTargetAfter: true,
    value: '<id>',
    group: KEEP,
    describe: 'Keep the session with this id or unique prefix (repeatable)',
  },
  'group-by': {
    inConfig: BY_USER,
    choices: GROUP_KEYS,
    default: 'project',
    group: KEEP,
    describe: 'Apply the keep rules to each project, each agent, or all together (none)',
  },
} as const satisfies OptionSpecs;

export const budgetOptions = {
  'max-total-size': {
    inConfig: BY_USER,
    type: 'string',
    value: '<size>',
    group: BUDGET,
    describe: 'Remove until the selected sessions take at most <size>, such as 5GB',
  },
  'max-sessions': {
    inConfig: BY_USER,
    type: 'number',
    value: '<n>',
    group: BUDGET,
    describe: 'Remove until at most <n> selected sessions are left',
  },
} as const satisfies OptionSpecs;

export const protectionOptions = {
  'include-parents': {
    type: 'boolean',
    default: false,
    group: PROTECTED,
    describe: 'Also remove the parents of kept forks',
  },
  flatten: {
    isRare: true,
    type: 'boolean',
    default: false,
    group: PROTECTED,
    excludes: ['plan', ...MODES],
    describe: 'As --include-parents, but first copy into each kept fork the lines that it needs',
  },
  'include-damaged': {
    type: 'boolean',
    default: false,
    group: PROTECTED,
    describe: 'Also remove sessions with damaged lines',
  },
  'include-pinned': {
    type: 'boolean',
    default: false,
    group: PROTECTED,
    describe: 'Also remove sessions pinned in their agent',
  },
  'allow-empty': {
    type: 'boolean',
    default: false,
    group: PROTECTED,
    describe: 'Also remove the last session of a store',
  },
} as const satisfies OptionSpecs;

const { store: _store, null: _null, ...commonSelectors } = selectionOptions;

/** Options that decide which sessions are removed: a plan has decided it, and an archive does not ask. */
export const POLICY: readonly string[] = [
  commonSelectors,
  ownSelectors,
  keepOptions,
  budgetOptions,
  protectionOptions,
].flatMap((options) => Object.keys(options));
