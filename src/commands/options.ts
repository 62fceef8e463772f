import { availableParallelism } from 'node:os';
import { agents } from '../session/agents.ts';
import { BY_PROJECT, BY_USER } from './configurable.ts';
import type { OptionSpecs } from './command.ts';

const SELECTION = 'Which sessions:';
const OUTPUT = 'Output:';
const CONFIG = 'Configuration (docs/configuration.md):';

/** Common to every command that works on many sessions. */
export const selectionOptions = {
  store: {
    inConfig: { by: 'user', holds: 'path' },
    type: 'string',
    array: true,
    nargs: 1,
    group: SELECTION,
    describe: 'Search this directory instead of the default stores (repeatable)',
  },
  agent: {
    inConfig: BY_USER,
    choices: agents,
    group: SELECTION,
    describe: "Only this agent's sessions",
  },
  project: {
    inConfig: { by: 'user', holds: 'path' },
    type: 'string',
    group: SELECTION,
    describe: 'Whose working directory is this one or below it',
  },
  'older-than': {
    inConfig: BY_USER,
    type: 'string',
    group: SELECTION,
    describe: 'Last active before: an age or a date',
  },
  'newer-than': {
    inConfig: BY_USER,
    type: 'string',
    group: SELECTION,
    describe: 'Last active after: an age or a date',
  },
  'started-before': {
    inConfig: BY_USER,
    type: 'string',
    group: SELECTION,
    describe: 'Started before: a date or an age',
  },
  'started-after': {
    inConfig: BY_USER,
    type: 'string',
    group: SELECTION,
    describe: 'Started after: a date or an age',
  },
  'larger-than': {
    inConfig: BY_USER,
    type: 'string',
    group: SELECTION,
    describe: 'Larger than this file size (10MB)',
  },
  'smaller-than': {
    inConfig: BY_USER,
    type: 'string',
    group: SELECTION,
    describe: 'Smaller than this file size',
  },
  named: {
    inConfig: BY_USER,
    type: 'string',
    group: SELECTION,
    describe: 'Whose name fits this glob',
  },
  model: {
    inConfig: BY_USER,
    type: 'string',
    group: SELECTION,
    describe: 'That used a model fitting this glob',
  },
  'format-version': {
    inConfig: BY_USER,
    type: 'number',
    group: SELECTION,
    describe: 'Of this format version',
  },
  last: {
    inConfig: BY_USER,
    type: 'number',
    group: SELECTION,
    describe: 'Of what remains, the n with the latest activity',
  },
  shard: { type: 'string', group: SELECTION, describe: 'The i-th of n disjoint parts, as i/n' },
  null: {
    type: 'boolean',
    alias: '0',
    default: false,
    group: SELECTION,
    describe: 'NUL instead of LF between the targets read by `-`, and between --paths',
  },
} as const satisfies OptionSpecs;

/** Common to every command, whatever it prints. */
export const runOptions = {
  jobs: {
    inConfig: BY_PROJECT,
    type: 'number',
    alias: 'j',
    default: availableParallelism(),
    defaultDescription: 'the cores available',
    group: OUTPUT,
    describe: 'How many files to work on at once',
  },
  quiet: {
    inConfig: BY_PROJECT,
    type: 'boolean',
    alias: 'q',
    default: false,
    group: OUTPUT,
    describe: 'Say only what went wrong',
  },
  color: {
    inConfig: BY_PROJECT,
    type: 'boolean',
    group: OUTPUT,
    describe: 'Colours; by default on a terminal, unless NO_COLOR is set',
  },
} as const satisfies OptionSpecs;

export const formatOptions = {
  format: {
    inConfig: BY_PROJECT,
    choices: ['table', 'json', 'ndjson'] as const,
    default: 'table',
    group: OUTPUT,
    describe: 'For people, one JSON document, or one JSON result a line',
  },
  json: { type: 'boolean', default: false, group: OUTPUT, describe: 'The same as --format json' },
} as const satisfies OptionSpecs;

/** Of every command, and about the command line itself. */
export const configOptions = {
  config: {
    type: 'string',
    group: CONFIG,
    requiresArg: true,
    describe: 'Take defaults from this file only; --no-config: from none',
  },
  'print-config': {
    type: 'boolean',
    default: false,
    group: CONFIG,
    describe: 'Show what applies and where it is from, and do nothing',
  },
} as const satisfies OptionSpecs;
