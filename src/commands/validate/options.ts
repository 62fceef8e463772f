import { FORMAT_NAMES } from '../../report/findings/formats/formats.ts';
import { DEFAULT_GRACE } from '../../session/model/in-use.ts';
import { allRules } from '../../session/agents/index.ts';
import { type Args, BY_PROJECT, BY_USER } from '../command.ts';
import {
  cacheOptions,
  formatOptions,
  ignoreOptions,
  runOptions,
  selectionOptions,
  stdinOptions,
} from '../shared/options.ts';
import type { Parts } from '../values.ts';
import { LEVELS } from '../../session/dialect/levels.ts';

const CHECKS = 'Checks:';

export const RULES: Parts = {
  noun: 'rule',
  names: allRules.map(({ id }) => id),
  values: LEVELS,
  listedBy: 'see --list-rules',
};

export const validateOptions = {
  ...selectionOptions,
  ...cacheOptions,
  ...ignoreOptions,
  stdin: { ...stdinOptions.stdin, excludes: [...stdinOptions.stdin.excludes, 'fix'] },
  'stdin-filename': stdinOptions['stdin-filename'],
  ...runOptions,
  quiet: {
    ...runOptions.quiet,
    describe: 'Report only errors, in every format; --max-warnings still counts warnings',
  },
  format: {
    inConfig: BY_PROJECT,
    choices: ['auto', ...FORMAT_NAMES] as const,
    default: 'auto',
    group: 'Output:',
    describe:
      'Print findings in this format; auto: github in a GitHub Actions job, otherwise pretty',
  },
  json: {
    ...formatOptions.json,
    excludes: ['auto', ...FORMAT_NAMES]
      .filter((name) => name !== 'json')
      .map((name) => `format=${name}`),
  },
  fields: formatOptions.fields,
  rule: {
    inConfig: { by: 'project', holds: 'pairs' },
    type: 'string',
    array: true,
    nargs: 1,
    parts: RULES,
    value: '<id>=<level>',
    group: CHECKS,
    describe: 'Set the level of a rule: <id>=off|info|warning|error (repeatable)',
  },
  'rule-for': {
    inConfig: { by: 'project', holds: 'rules-by-path' },
    type: 'string',
    array: true,
    nargs: 1,
    value: '<id>=<level>:<glob>',
    group: CHECKS,
    describe: 'Set the level for matching files: <id>=<level>:<glob> (repeatable)',
  },
  'max-warnings': {
    inConfig: BY_PROJECT,
    type: 'number',
    value: '<n>',
    group: CHECKS,
    describe: 'Exit 1 for more than <n> warnings',
  },
  'all-branches': {
    type: 'boolean',
    default: false,
    group: CHECKS,
    describe: 'Check the context of every branch, not only of the current path',
  },
  fix: {
    type: 'boolean',
    default: false,
    group: CHECKS,
    describe: 'Repair what can be repaired without loss; removed bytes go to <file>.rejected',
  },
  'fix-dry-run': {
    excludes: ['fix'],
    type: 'boolean',
    default: false,
    group: CHECKS,
    describe: 'Preview --fix; change nothing',
  },
  grace: {
    needs: ['fix', 'fix-dry-run'],
    inConfig: BY_USER,
    type: 'string',
    default: DEFAULT_GRACE,
    value: '<age>',
    group: CHECKS,
    describe: 'With --fix, skip sessions used within this period',
  },
  'output-file': {
    isPath: true,
    writesUnless: [],
    type: 'string',
    alias: 'o',
    value: '<file>',
    group: 'Output:',
    describe: 'Write the findings to <file>, and only a summary to standard output',
  },
  'list-rules': {
    type: 'boolean',
    default: false,
    group: CHECKS,
    excludes: [
      'fix',
      'fix-dry-run',
      'max-warnings',
      'output-file',
      ...Object.keys({ ...selectionOptions, ...cacheOptions }),
      ...FORMAT_NAMES.filter((name) => !/json/.test(name)).map((name) => `format=${name}`),
    ],
    describe: 'List every rule',
  },
} as const;

export type ValidateArgs = Args<typeof validateOptions>;
