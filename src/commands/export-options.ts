import { BY_PROJECT, BY_USER } from './configurable.ts';
import { FORMAT_NAMES } from '../export/formats.ts';
import type { Args, OptionSpecs } from './command.ts';
import { formatOptions, runOptions, selectionOptions } from './options.ts';

const EXPORT = 'Export:';
const SHARED = 'What is shared:';

export const exportOptions = {
  ...selectionOptions,
  ...runOptions,
  ...formatOptions,
  as: {
    inConfig: BY_PROJECT,
    choices: [...FORMAT_NAMES, 'parquet'] as const,
    default: 'md',
    group: EXPORT,
    describe: 'What to make of each session',
  },
  out: {
    inConfig: { by: 'user', holds: 'path' },
    type: 'string',
    group: EXPORT,
    describe: 'The directory to write to; without it, one session goes to standard output',
  },
  branch: {
    type: 'string',
    group: EXPORT,
    describe: 'The path to this entry, by id or label, in place of the current one',
  },
  'all-branches': {
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: EXPORT,
    describe: 'Every branch',
  },
  'full-history': {
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: EXPORT,
    describe: 'Also what compactions stand for',
  },
  'dry-run': {
    type: 'boolean',
    alias: 'n',
    default: false,
    group: EXPORT,
    describe: 'Say what would be written, and write nothing',
  },
  thinking: {
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: true,
    group: SHARED,
    describe: 'Thoughts of the model; --no-thinking leaves them out',
  },
  tools: {
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: true,
    group: SHARED,
    describe: 'Tool calls and results; --no-tools leaves them out',
  },
  images: {
    inConfig: BY_PROJECT,
    choices: ['inline', 'extract', 'drop'] as const,
    group: SHARED,
    describe: 'In the file, in files beside it, or a word in their place',
  },
  redact: {
    inConfig: BY_USER,
    type: 'boolean',
    group: SHARED,
    describe: 'Take out secrets; on for chat, atif and sts, where --no-redact leaves them in',
  },
  'secret-file': {
    inConfig: { by: 'user', holds: 'path' },
    type: 'string',
    group: SHARED,
    describe: 'A file of secrets to take out, one a line; implies --redact',
  },
} as const satisfies OptionSpecs;

export type ExportArgs = Args<typeof exportOptions>;
