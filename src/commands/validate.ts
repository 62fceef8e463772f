import { type Outcome, runBatch } from '../batch/run-batch.ts';
import { ExitCode, UsageError } from '../errors.ts';
import type { CheckedFile } from '../report/findings/format.ts';
import { FORMAT_NAMES } from '../report/findings/formats.ts';
import { allRules } from '../session/dialects.ts';
import { type Level, LEVELS } from '../session/rules/rule.ts';
import { type RuleLevels, validateSession, type Validation } from '../session/validate-session.ts';
import type { FoundFile } from '../store/discover.ts';
import { type Args, type Context, defineCommand } from './command.ts';
import { runOptions, selectionOptions } from './options.ts';
import { findChosenFiles, type FoundFiles } from './select-sessions.ts';
import { listRules, reportFindings } from './validate-report.ts';

const CHECKS = 'Checks:';

const options = {
  ...selectionOptions,
  ...runOptions,
  format: {
    choices: ['auto', ...FORMAT_NAMES] as const,
    default: 'auto',
    group: 'Output:',
    describe: 'auto: github in a GitHub Actions job, else pretty',
  },
  json: {
    type: 'boolean',
    default: false,
    group: 'Output:',
    describe: 'The same as --format json',
  },
  rule: {
    type: 'string',
    array: true,
    nargs: 1,
    group: CHECKS,
    describe: 'Another level for a rule: <id>=off|info|warning|error (repeatable)',
  },
  'max-warnings': { type: 'number', group: CHECKS, describe: 'Exit 1 beyond this many warnings' },
  'list-rules': { type: 'boolean', default: false, group: CHECKS, describe: 'Show every rule' },
} as const;

export type ValidateArgs = Args<typeof options>;

export const validate = defineCommand({
  name: 'validate',
  summary: 'Check every line and every relation of sessions',
  details:
    'Checks session files against what the agent can read. Errors are what the agent loses, hangs ' +
    'or fails on; warnings what it reads otherwise than was meant. docs/rules.md explains each rule.',
  options,
  examples: [
    { command: 'coppice validate', says: 'every session of the default stores' },
    { command: 'coppice validate test/fixtures --max-warnings 0', says: 'fixtures, in CI' },
    { command: 'coppice validate --format sarif > findings.sarif', says: 'for code scanning' },
    { command: 'coppice validate --rule entry-orphan=error', says: 'a rule at another level' },
  ],
  exitCodes: {
    [ExitCode.ok]: 'no errors, and no more warnings than allowed',
    [ExitCode.found]: 'errors, or more warnings than --max-warnings',
  },
  async run(args: ValidateArgs, context: Context) {
    const levels = parseLevels(args.rule ?? []);
    if (args['list-rules']) return listRules(levels, args, context);
    const found = await findChosenFiles(args, context);
    const startedAt = context.now();
    const files = await checkFiles(found, levels, args, context);
    return reportFindings(files, { startedAt, fixed: undefined }, args, context);
  },
});

function parseLevels(overrides: readonly string[]): RuleLevels {
  const known = new Set(allRules.map(({ id }) => id));
  return new Map(
    overrides.map((override): [string, Level] => {
      const [id = '', text] = override.split('=', 2);
      const level = LEVELS.find((one) => one === text);
      if (!known.has(id)) {
        throw new UsageError(`--rule ${override}: there is no rule ${id}. See --list-rules.`);
      }
      if (!level) throw new UsageError(`--rule ${override}: write ${id}=${LEVELS.join('|')}`);
      return [id, level];
    }),
  );
}

const NOT_A_SESSION = {
  code: 'not-a-session',
  message: 'is no session file of a known agent: not checked',
};

async function checkFiles(
  found: FoundFiles,
  levels: RuleLevels,
  args: ValidateArgs,
  context: Context,
): Promise<readonly CheckedFile[]> {
  const { signal } = context;
  const progress = context.terminal.startProgress('Checking', found.files.length);
  const outcomes = await runBatch(
    found.files,
    ({ path }) => validateSession(path, { levels, signal }),
    { jobs: args.jobs, signal, onDone: () => progress.advance() },
  );
  progress.stop();
  return [
    ...found.problems.map((one) => ({ ...one, findings: [] })),
    ...outcomes.flatMap((outcome) => toCheckedFile(outcome) ?? []),
  ];
}

/** Undefined for a file that nobody asked for by name, and that is no session. */
function toCheckedFile(
  outcome: Outcome<FoundFile, Validation | undefined>,
): CheckedFile | undefined {
  const { path, explicit } = outcome.item;
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    return { path, findings: [], problem: { code, message } };
  }
  if (outcome.value) return { path, findings: outcome.value.findings };
  return explicit ? { path, findings: [], problem: NOT_A_SESSION } : undefined;
}
