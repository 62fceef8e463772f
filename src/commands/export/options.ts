import { IMAGE_MODES } from '../../export/formats/format.ts';
import { FORMAT_NAMES } from '../../export/formats/formats.ts';
import { type Args, type OptionSpecs, BY_PROJECT, BY_USER } from '../command.ts';
import {
  cacheOptions,
  formatOptions,
  runOptions,
  selectionOptions,
  stdinOptions,
} from '../shared/options.ts';

const EXPORT = 'Export:';
const SHARED = 'Content:';

export const exportOptions = {
  ...selectionOptions,
  ...cacheOptions,
  stdin: {
    ...stdinOptions.stdin,
    excludes: [...stdinOptions.stdin.excludes, 'out', 'as=archive'],
    overridesConfig: ['out'],
  },
  'stdin-filename': stdinOptions['stdin-filename'],
  ...runOptions,
  ...formatOptions,
  // A report would come between the documents.
  format: { ...formatOptions.format, needs: ['out'], excludes: ['out=-'] },
  json: {
    ...formatOptions.json,
    needs: ['out'],
    excludes: [...formatOptions.json.excludes, 'out=-'],
  },
  as: {
    // A project must not have sessions written whole where its user expects a document.
    inConfig: { ...BY_PROJECT, exceptToProjects: ['archive'] },
    choices: [...FORMAT_NAMES, 'parquet', 'archive'] as const,
    default: 'md',
    group: EXPORT,
    describe: 'Write this format',
  },
  out: {
    inConfig: BY_USER,
    isPath: true,
    writesUnless: [],
    isDirectory: true,
    type: 'string',
    value: '<dir>',
    group: EXPORT,
    describe: 'Write to <dir>; without it, or with -, to standard output',
  },
  branch: {
    excludes: ['all-branches', 'as=parquet', 'as=archive'],
    overridesConfig: ['all-branches'],
    type: 'string',
    value: '<entry>',
    group: EXPORT,
    describe: 'Export the path to <entry>, an id or a label, instead of the current path',
  },
  'all-branches': {
    excludes: ['as=html', 'as=parquet', 'as=archive'],
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: EXPORT,
    describe: 'Export every branch',
  },
  'full-history': {
    excludes: ['as=html', 'as=jsonl', 'as=context', 'as=parquet', 'as=archive'],
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: EXPORT,
    describe: 'Include the messages that compactions stand for',
  },
  harness: {
    excludes: ['as=jsonl', 'as=context', 'as=parquet', 'as=archive'],
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: false,
    group: EXPORT,
    describe: 'Include text that the agent itself gives to the model, for agents that mark it',
  },
  'dry-run': {
    type: 'boolean',
    alias: 'n',
    default: false,
    group: EXPORT,
    describe: 'Preview; write nothing',
  },
  thinking: {
    excludes: ['as=parquet', 'as=archive'],
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: true,
    group: SHARED,
    describe: 'Include the thinking of the model; --no-thinking leaves it out',
  },
  tools: {
    excludes: ['as=parquet', 'as=archive'],
    inConfig: BY_PROJECT,
    type: 'boolean',
    default: true,
    group: SHARED,
    describe: 'Include tool calls and results; --no-tools leaves them out',
  },
  images: {
    excludes: ['as=parquet', 'as=archive'],
    inConfig: BY_PROJECT,
    choices: IMAGE_MODES,
    group: SHARED,
    describe: 'Embed images, write them to files beside the document, or replace them with a note',
  },
  redact: {
    inConfig: BY_USER,
    type: 'boolean',
    group: SHARED,
    describe: 'Redact secrets; on for chat, atif and sts, where --no-redact keeps them',
  },
  'secret-file': {
    excludes: ['redact=false', 'as=archive'],
    // It implies `--redact`, whatever a file says.
    overridesConfig: ['redact'],
    inConfig: BY_USER,
    isPath: true,
    type: 'string',
    value: '<file>',
    insteadOfTwice: 'write all secrets into one file',
    group: SHARED,
    describe: 'Also redact the secrets in <file>, one per line; implies --redact',
  },
} as const satisfies OptionSpecs;

export type ExportArgs = Args<typeof exportOptions>;
