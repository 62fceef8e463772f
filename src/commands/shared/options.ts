import { availableParallelism } from 'node:os';
import { SOURCES, STATES } from '../../session/model/summary.ts';
import { agents } from '../../session/model/agent.ts';
import { DEFAULT_GRACE } from '../../session/model/in-use.ts';
import { type OptionSpecs, BY_PROJECT, BY_USER } from '../command.ts';
import { AT_ONCE } from '../values.ts';

const SELECTION = 'Selection:';

const ONE_GLOB = 'write one glob, {a,b} or !{a,b}';

const OUTPUT = 'Output:';

const CONFIG = 'Configuration (docs/configuration.md):';

/** Common to every command that works on many sessions. */
export const selectionOptions = {
  store: {
    inConfig: BY_USER,
    isPath: true,
    type: 'string',
    array: true,
    nargs: 1,
    value: '<dir>',
    group: SELECTION,
    describe: 'Search <dir> instead of the default stores (repeatable)',
  },
  agent: {
    inConfig: BY_USER,
    choices: agents,
    group: SELECTION,
    describe: 'Select sessions of this agent',
  },
  project: {
    inConfig: BY_USER,
    isPath: true,
    type: 'string',
    value: '<dir>',
    group: SELECTION,
    describe: 'Select sessions whose working directory is <dir> or inside it',
  },
  'older-than': {
    inConfig: BY_USER,
    type: 'string',
    value: '<age>',
    group: SELECTION,
    describe: 'Select sessions last active more than an age ago, or before a date',
  },
  'newer-than': {
    inConfig: BY_USER,
    type: 'string',
    value: '<age>',
    group: SELECTION,
    describe: 'Select sessions last active after an age or a date',
  },
  'started-before': {
    inConfig: BY_USER,
    type: 'string',
    value: '<date>',
    group: SELECTION,
    describe: 'Select sessions started before a date or an age',
  },
  'started-after': {
    inConfig: BY_USER,
    type: 'string',
    value: '<date>',
    group: SELECTION,
    describe: 'Select sessions started after a date or an age',
  },
  'larger-than': {
    inConfig: BY_USER,
    type: 'string',
    value: '<size>',
    group: SELECTION,
    describe: 'Select sessions whose file is larger than a size, such as 10MB',
  },
  'smaller-than': {
    inConfig: BY_USER,
    type: 'string',
    value: '<size>',
    group: SELECTION,
    describe: 'Select sessions whose file is smaller than a size',
  },
  named: {
    inConfig: BY_USER,
    insteadOfTwice: ONE_GLOB,
    type: 'string',
    value: '<glob>',
    group: SELECTION,
    describe: 'Select sessions whose name matches a glob',
  },
  model: {
    inConfig: BY_USER,
    insteadOfTwice: ONE_GLOB,
    type: 'string',
    value: '<glob>',
    group: SELECTION,
    describe: 'Select sessions that used a model matching a glob',
  },
  'format-version': {
    inConfig: BY_USER,
    type: 'number',
    value: '<n>',
    group: SELECTION,
    describe: 'Select sessions of format version <n>',
  },
  source: {
    inConfig: BY_USER,
    choices: SOURCES,
    group: SELECTION,
    describe: 'Select sessions by who started them: a person, a program or a session',
  },
  state: {
    inConfig: BY_USER,
    choices: STATES,
    group: SELECTION,
    describe: 'Select active sessions, or those that were archived in their agent',
  },
  expiring: {
    inConfig: BY_USER,
    type: 'string',
    value: '<age>',
    group: SELECTION,
    describe: 'Select sessions that their agent may delete within this period, such as 7d',
  },
  last: {
    inConfig: BY_USER,
    type: 'number',
    value: '<n>',
    group: SELECTION,
    describe: 'Select the <n> most recently active of all that match',
  },
  shard: {
    type: 'string',
    value: '<i>/<n>',
    group: SELECTION,
    describe:
      'Select the <i>-th of <n> disjoint parts, such as 1/4; auto: the part that the job engine assigns',
  },
  null: {
    type: 'boolean',
    alias: '0',
    default: false,
    group: SELECTION,
    describe: 'End targets on standard input, and printed paths, with NUL instead of LF',
  },
} as const satisfies OptionSpecs;

/** Options of commands that may select by the index of an earlier run. */
export const cacheOptions = {
  cache: {
    inConfig: BY_USER,
    type: 'boolean',
    default: true,
    group: SELECTION,
    describe: 'Read only files that changed since an earlier run; --no-cache reads every file',
  },
} as const satisfies OptionSpecs;

/**
 * Options of commands that only read: nothing that is removed or copied may depend on a project's
 * file.
 */
export const ignoreOptions = {
  ignore: {
    inConfig: { by: 'project', holds: 'globs' },
    type: 'string',
    array: true,
    nargs: 1,
    value: '<glob>',
    group: SELECTION,
    describe: 'Ignore files whose path matches <glob>, such as **/broken/** (repeatable)',
  },
} as const satisfies OptionSpecs;

/** Common to every command, whatever it prints. */
export const runOptions = {
  jobs: {
    inConfig: BY_PROJECT,
    type: 'number',
    range: AT_ONCE,
    alias: 'j',
    default: Math.min(availableParallelism(), AT_ONCE.max),
    defaultDescription: 'the cores available',
    value: '<n>',
    group: OUTPUT,
    describe: 'Work on up to <n> files at once',
  },
  quiet: {
    inConfig: BY_PROJECT,
    type: 'boolean',
    alias: 'q',
    default: false,
    group: OUTPUT,
    describe: 'Print only results and errors: no progress, previews, summaries or hints',
  },
  color: {
    inConfig: BY_PROJECT,
    type: 'boolean',
    group: OUTPUT,
    describe: 'Use colors (default: on a terminal, unless NO_COLOR is set)',
  },
} as const satisfies OptionSpecs;

export const formatOptions = {
  format: {
    inConfig: BY_PROJECT,
    choices: ['table', 'json', 'ndjson'] as const,
    default: 'table',
    group: OUTPUT,
    describe: 'Print a table, one JSON document, or one JSON result per line',
  },
  json: {
    type: 'boolean',
    default: false,
    group: OUTPUT,
    excludes: ['format=table', 'format=ndjson'],
    describe: 'Same as --format json',
  },
  fields: {
    type: 'string',
    value: '<list>',
    group: OUTPUT,
    needs: ['json', 'format=json', 'format=ndjson'],
    describe: 'With --format json or ndjson, print only these fields of each result: a,b,c',
  },
} as const satisfies OptionSpecs;

const CHANGES = 'Changes:';

/** Common to the commands that change or remove files: they show a preview unless `--apply` is set. */
export const changeOptions = {
  apply: {
    type: 'boolean',
    default: false,
    group: CHANGES,
    describe: 'Apply the changes (default: preview)',
  },
  'dry-run': {
    type: 'boolean',
    alias: 'n',
    default: false,
    group: CHANGES,
    describe: 'Preview, even with --apply',
  },
  grace: {
    inConfig: BY_USER,
    type: 'string',
    default: DEFAULT_GRACE,
    value: '<age>',
    group: CHANGES,
    describe: 'Skip sessions used within this period',
  },
} as const satisfies OptionSpecs;

const INPUT = 'Standard input:';

/** Options of commands that can read one session from standard input. */
export const stdinOptions = {
  stdin: {
    type: 'boolean',
    default: false,
    group: INPUT,
    excludes: Object.keys(selectionOptions),
    describe: 'Read one session from standard input instead of a file',
  },
  'stdin-filename': {
    isPath: true,
    type: 'string',
    value: '<file>',
    group: INPUT,
    needs: ['stdin'],
    describe: 'Treat the session of --stdin as <file>, in messages and where its name matters',
  },
} as const satisfies OptionSpecs;

/** Options of every command, about the command line itself. */
export const configOptions = {
  config: {
    isPath: true,
    type: 'string',
    value: '<file>',
    group: CONFIG,
    requiresArg: true,
    describe: 'Read option defaults from <file> only; --no-config reads none',
  },
  'print-config': {
    type: 'boolean',
    default: false,
    group: CONFIG,
    describe: 'Print the options that apply and where each is from; do nothing else',
  },
} as const satisfies OptionSpecs;
