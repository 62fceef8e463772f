import { REMOVAL_GRACE } from '../../session/model/in-use.ts';
import { GROUP_KEYS } from '../../session/prune/policy.ts';
import { type Args, type OptionSpecs, BY_USER } from '../command.ts';
import {
  cacheOptions,
  changeOptions,
  formatOptions,
  runOptions,
  selectionOptions,
} from '../shared/options.ts';
import { toCount } from '../values.ts';

const SELECTION = 'Selection:';
const KEEP =
  'Keep rules, for each project unless --group-by says otherwise (one that applies is enough):';
const BUDGET = 'Budgets (the oldest sessions are removed first):';
const PROTECTED = 'Protected sessions:';
const WHERE = 'Destination:';
const PLAN = 'Plans:';
const ARCHIVES = 'Archives (docs/prune.md):';

/** The options with which prune does something else than to remove sessions of stores. */
export const MODES = [
  'restore',
  'list',
  'check',
  'rebuild-index',
  'in-archive',
  'orphans',
] as const;

function listOthers(mode: (typeof MODES)[number]): readonly string[] {
  return MODES.filter((one) => one !== mode);
}

/** The selectors that only prune has. */
const ownSelectors = {
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

const keepOptions = {
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

const budgetOptions = {
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

const protectionOptions = {
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
const POLICY: readonly string[] = [
  commonSelectors,
  ownSelectors,
  keepOptions,
  budgetOptions,
  protectionOptions,
].flatMap((options) => Object.keys(options));

/** Options without a meaning when an archive is only read. */
const NOT_READING: readonly string[] = ['plan', 'plan-out', 'apply', 'dry-run', 'store', ...POLICY];

/** Keep rules that need facts which an archive does not record. */
const UNKNOWN_THERE: ReadonlySet<string> = new Set(['keep-named', 'keep-labeled']);

const KEEP_IN_ARCHIVE: ReadonlySet<string> = new Set(
  [...Object.keys(keepOptions), 'allow-empty'].filter((name) => !UNKNOWN_THERE.has(name)),
);

const retentionOptions = {
  'in-archive': {
    isPath: true,
    type: 'string',
    value: '<dir>',
    group: ARCHIVES,
    describe: 'Apply keep rules to the archive <dir>; --apply deletes permanently',
    excludes: [
      'archive',
      'delete',
      ...listOthers('in-archive'),
      'as-of',
      'plan',
      'plan-out',
      'store',
      'grace',
      ...POLICY.filter((name) => !KEEP_IN_ARCHIVE.has(name)),
    ],
    overridesConfig: ['archive', 'store', 'grace', ...POLICY],
  },
  'keep-states': {
    isRare: true,
    type: 'number',
    range: { min: 1, max: 1_000_000 },
    value: '<n>',
    group: ARCHIVES,
    describe: 'Keep the last <n> states of each session with --in-archive',
    needs: ['in-archive'],
  },
} as const satisfies OptionSpecs;

const orphanOptions = {
  orphans: {
    type: 'boolean',
    default: false,
    group: SELECTION,
    describe: 'Remove sidecars whose session is gone, and nothing else',
    excludes: ['archive', ...listOthers('orphans'), 'as-of', 'plan', 'plan-out', ...POLICY],
  },
} as const satisfies OptionSpecs;

const historyOptions = {
  history: {
    isRare: true,
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'Also remove the prompts of removed sessions from the prompt history of Claude Code',
    excludes: ['plan-out', ...MODES],
  },
} as const satisfies OptionSpecs;

const whereOptions = {
  archive: {
    inConfig: BY_USER,
    isPath: true,
    writesUnless: ['delete', ...MODES],
    isDirectory: true,
    type: 'string',
    value: '<dir>',
    group: WHERE,
    describe: 'Move sessions to the archive <dir>, with verified copies',
  },
  delete: {
    type: 'boolean',
    default: false,
    group: WHERE,
    describe: 'Delete sessions permanently instead of moving them to the trash',
    excludes: ['archive'],
  },
  list: {
    type: 'boolean',
    default: false,
    group: ARCHIVES,
    describe: 'List the sessions in --archive',
    needs: ['archive'],
    excludes: [...listOthers('list'), ...NOT_READING],
  },
  check: {
    type: 'boolean',
    default: false,
    group: ARCHIVES,
    describe: 'Read everything in --archive back and verify each hash; exit 1 for damage',
    needs: ['archive'],
    excludes: [...listOthers('check'), ...NOT_READING],
  },
  'rebuild-index': {
    isRare: true,
    type: 'boolean',
    default: false,
    group: ARCHIVES,
    describe: 'Rebuild the index of --archive from its members',
    needs: ['archive'],
    excludes: [...listOthers('rebuild-index'), ...NOT_READING],
  },
  restore: {
    type: 'string',
    array: true,
    nargs: 1,
    value: '<id>',
    group: ARCHIVES,
    describe: 'Restore <id>, a prefix or all, without --apply (repeatable)',
    excludes: [...listOthers('restore'), 'plan', 'plan-out', ...POLICY],
  },
  'as-of': {
    isRare: true,
    type: 'string',
    value: '<date>',
    group: ARCHIVES,
    describe: 'Restore the state that was archived last before a date or an age',
    needs: ['restore'],
  },
  'plan-out': {
    isPath: true,
    writesUnless: [],
    type: 'string',
    value: '<file>',
    group: PLAN,
    describe: 'Write the plan to <file>, for review',
    excludes: ['apply', 'plan'],
  },
  plan: {
    isPath: true,
    type: 'string',
    value: '<file>',
    group: PLAN,
    describe: 'Remove the sessions that the plan in <file> names, if unchanged',
    // A shard of a plan is a part of what is to be removed, not of what is planned.
    excludes: ['store', 'grace', ...POLICY.filter((name) => name !== 'shard')],
  },
} as const satisfies OptionSpecs;

export const pruneOptions = {
  ...selectionOptions,
  ...cacheOptions,
  ...ownSelectors,
  ...keepOptions,
  ...budgetOptions,
  ...protectionOptions,
  ...orphanOptions,
  ...historyOptions,
  ...changeOptions,
  grace: { ...changeOptions.grace, default: REMOVAL_GRACE },
  ...whereOptions,
  ...retentionOptions,
  ...runOptions,
  ...formatOptions,
} as const satisfies OptionSpecs;

export type PruneArgs = Args<typeof pruneOptions>;
