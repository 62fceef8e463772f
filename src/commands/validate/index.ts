import { resolve } from 'node:path';
import { ExitCode, UsageError } from '../../errors.ts';
import { FORMAT_NAMES } from '../../report/findings/formats/formats.ts';
import { allRules } from '../../session/agents/index.ts';
import { LEVELS } from '../../session/dialect/rule.ts';
import { findOutputFile, type OutputFile } from '../../store/output/output-file.ts';
import { type CheckedFiles, checkFiles } from './check.ts';
import { type Args, type Context, defineCommand, BY_PROJECT, BY_USER } from '../command.ts';
import { formatOptions, ignoreOptions, runOptions, selectionOptions } from '../shared/options.ts';
import { createLevelFinder, parseLevels, parsePathLevels } from './rule-levels.ts';
import { createNaming, stdinOptions } from '../shared/stdin.ts';
import { findChosenFiles, type FoundFiles } from '../shared/select.ts';
import { listRules, reportFindings } from './report.ts';
import type { Parts } from '../values.ts';

const CHECKS = 'Checks:';

const RULES: Parts = {
  noun: 'rule',
  names: allRules.map(({ id }) => id),
  values: LEVELS,
  listedBy: 'see --list-rules',
};

const options = {
  ...selectionOptions,
  ...ignoreOptions,
  stdin: { ...stdinOptions.stdin, excludes: [...stdinOptions.stdin.excludes, 'fix'] },
  'stdin-filename': stdinOptions['stdin-filename'],
  ...runOptions,
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
    excludes: FORMAT_NAMES.filter((name) => name !== 'json').map((name) => `format=${name}`),
  },
  fields: formatOptions.fields,
  rule: {
    inConfig: { by: 'project', holds: 'pairs' },
    type: 'string',
    array: true,
    nargs: 1,
    parts: RULES,
    group: CHECKS,
    describe: 'Set the level of a rule: <id>=off|info|warning|error (repeatable)',
  },
  'rule-for': {
    inConfig: { by: 'project', holds: 'rules-by-path' },
    type: 'string',
    array: true,
    nargs: 1,
    group: CHECKS,
    describe: 'Set it for files that match a glob: <id>=<level>:<glob> (repeatable)',
  },
  'max-warnings': {
    inConfig: BY_PROJECT,
    type: 'number',
    group: CHECKS,
    describe: 'Exit 1 for more than <n> warnings',
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
    default: '10min',
    group: CHECKS,
    describe: 'With --fix, skip sessions used within this period',
  },
  'output-file': {
    type: 'string',
    alias: 'o',
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
      ...Object.keys(selectionOptions),
      ...FORMAT_NAMES.filter((name) => !/json/.test(name)).map((name) => `format=${name}`),
    ],
    describe: 'List every rule',
  },
} as const;

export type ValidateArgs = Args<typeof options>;

export const validate = defineCommand({
  name: 'validate',
  details:
    'Checks session files against what the agent writes and reads. Error: no release writes this, or ' +
    'the agent fails on it or loses data. Warning: the agent reads it differently than intended. ' +
    'docs/rules.md explains each rule. Writes nothing without --fix.',
  options,
  examples: [
    { command: 'coppice validate', says: 'every session of the default stores' },
    { command: 'coppice validate test/fixtures --max-warnings 0', says: 'fixtures, in CI' },
    { command: 'coppice validate --format sarif -o findings.sarif', says: 'for code scanning' },
    { command: 'coppice validate --fix-dry-run', says: 'preview repairs' },
    { command: 'coppice validate --rule entry-orphan=error', says: 'change the level of a rule' },
  ],
  exitCodes: {
    [ExitCode.ok]: 'no errors, and no more warnings than allowed',
    [ExitCode.found]: 'errors, or more warnings than --max-warnings',
  },
  getSchema: (values) => (values['list-rules'] ? 'validate-rules' : 'validate'),
  async run(args: ValidateArgs, context: Context) {
    const levels = parseLevels([...listOffForInput(args), ...(args.rule ?? [])]);
    const pathLevels = parsePathLevels(args['rule-for'] ?? [], RULES, context);
    const [input] = args.stdin
      ? [createNaming(args, context)({ path: args.targets[0] ?? '' })]
      : [];
    const fileLevels = input
      ? { levels: createLevelFinder(levels, pathLevels)(input.path), pathLevels: [] }
      : { levels, pathLevels };
    const file = args['output-file'];
    if (args['list-rules']) return listRules(levels, args, context);
    const followsProject = !args.fix && !args['fix-dry-run'];
    const found = await findChosenFiles(args, context, { followsProject });
    const output = file === undefined ? undefined : await findOutput(file, found, context);
    const startedAt = context.now();
    const checked = rename(await checkFiles(found, fileLevels, args, context), args, context);
    return reportFindings(checked, { startedAt, output }, args, context);
  },
});

/** Before any file is checked, since a report must not take the place of one. */
async function findOutput(
  file: string,
  { files }: FoundFiles,
  { cwd }: Context,
): Promise<OutputFile> {
  const output = await findOutputFile(resolve(cwd, file));
  if (!files.some(({ path }) => path === output.path)) return output;
  throw new UsageError(`--output-file ${file}: is one of the files to check; name another file`);
}

/** Of a session whose file has no name, nothing can be said of its name. */
function listOffForInput(args: ValidateArgs): readonly string[] {
  if (!args.stdin || args['stdin-filename'] !== undefined) return [];
  const about = allRules.filter(({ id }) => id.startsWith('place-'));
  return about.map(({ id }) => `${id}=off`);
}

function rename(checked: CheckedFiles, args: ValidateArgs, context: Context): CheckedFiles {
  const name = createNaming(args, context);
  const files = checked.files.map((file) => ({
    ...name(file),
    findings: file.findings.map((finding) => name(finding)),
  }));
  return { ...checked, files, notes: checked.notes.map((note) => name(note)) };
}
