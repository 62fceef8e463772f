import { resolve } from 'node:path';
import { ExitCode, UsageError } from '../../errors.ts';
import { allRules } from '../../session/agents/index.ts';
import { findOutputFile, type OutputFile } from '../../store/output/output-file.ts';
import { type CheckedFiles, checkFiles } from './check.ts';
import { type Context, defineCommand } from '../command.ts';
import { createLevelFinder, parseLevels, parsePathLevels } from './rule-levels.ts';
import { createNaming } from '../shared/stdin.ts';
import { findChosenFiles, type FoundFiles } from '../shared/select.ts';
import { listRules, reportFindings } from './report.ts';
import { RULES, validateOptions, type ValidateArgs } from './options.ts';

export const validate = defineCommand({
  name: 'validate',
  details:
    'Checks session files against what the agent writes and reads. Error: no release writes this, or ' +
    'the agent fails on it or loses data. Warning: the agent reads it differently than intended. ' +
    'docs/rules.md explains each rule. Writes nothing without --fix.',
  options: validateOptions,
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
    const allBranches = args['all-branches'];
    const fileLevels = input
      ? { levels: createLevelFinder(levels, pathLevels)(input.path), pathLevels: [], allBranches }
      : { levels, pathLevels, allBranches };
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
