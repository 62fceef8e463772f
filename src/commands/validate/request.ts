import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { type FormatName, resolveFormat } from '../../report/findings/formats/formats.ts';
import { allRules } from '../../session/agents/index.ts';
import { parseAge } from '../../store/select/age.ts';
import { type Context, toAgentWorld } from '../command.ts';
import {
  type OutputRequest,
  type SelectionRequest,
  toSelectionRequest,
} from '../shared/requests.ts';
import { createNaming } from '../shared/stdin.ts';
import { splitNames } from '../values.ts';
import { RULES, type ValidateArgs } from './options.ts';
import { createLevelFinder, parseLevels, parsePathLevels } from './rule-levels.ts';
import type { CheckSetup } from './task.ts';

/** The form in which to print findings, and the findings that fail the run. */
export interface FindingsRequest extends Omit<OutputRequest, 'format'> {
  readonly format: FormatName;
  /** Absolute; undefined: standard output. */
  readonly file: string | undefined;
  readonly maxWarnings: number;
}

export interface FixRequest {
  readonly dryRun: boolean;
  /** Sessions used within this many milliseconds are in use. */
  readonly grace: number;
}

export interface ValidateRequest {
  readonly select: SelectionRequest;
  readonly output: FindingsRequest;
  /** The levels of rules, for every file and for some. */
  readonly levels: Omit<CheckSetup, 'fix'>;
  /** Undefined: nothing is repaired. */
  readonly fix: FixRequest | undefined;
  /** Only lists the rules. */
  readonly listsRules: boolean;
}

/** Turns the options into a request. @throws UsageError */
export function toValidateRequest(args: ValidateArgs, context: Context): ValidateRequest {
  if (args['list-rules'] && args.targets.length > 0)
    throw new UsageError('--list-rules: cannot be combined with targets');
  const select = toSelectionRequest(args, context);
  const dryRun = args['fix-dry-run'];
  const isFix = args.fix || dryRun;
  return {
    select,
    output: toFindingsRequest(args, context),
    levels: toLevels(args, select, context),
    fix: isFix ? { dryRun, grace: parseAge(args.grace, '--grace', context.now()) } : undefined,
    listsRules: args['list-rules'],
  };
}

function toFindingsRequest(args: ValidateArgs, { cwd, env }: Context): FindingsRequest {
  const { json, format, fields, quiet, color } = args;
  const file = args['output-file'];
  return {
    format: json ? 'json' : resolveFormat(format, env),
    fields: fields === undefined ? undefined : splitNames(fields),
    quiet,
    color,
    file: file === undefined || file === '-' ? undefined : resolve(cwd, file),
    maxWarnings: args['max-warnings'] ?? Infinity,
  };
}

function toLevels(
  args: ValidateArgs,
  select: SelectionRequest,
  context: Context,
): ValidateRequest['levels'] {
  const { input } = select;
  const isUnnamed = input !== undefined && input.name === undefined;
  const levels = parseLevels([...(isUnnamed ? ABOUT_NAMES : []), ...(args.rule ?? [])]);
  const pathLevels = parsePathLevels(args['rule-for'] ?? [], RULES, context);
  const allBranches = args['all-branches'];
  const world = toAgentWorld(context);
  if (!input) return { levels, pathLevels, allBranches, world };
  const { path } = createNaming(select)(input);
  const own = createLevelFinder(levels, pathLevels)(path);
  return { levels: own, pathLevels: [], allBranches, world };
}

/** Rules that do not check a session whose file has no name. */
const ABOUT_NAMES: readonly string[] = allRules
  .filter(({ isAboutPath }) => isAboutPath)
  .map(({ id }) => `${id}=off`);
