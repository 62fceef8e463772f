import { type Task, startClock } from '../../batch/task.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import { fixSession } from '../../session/validate/fix-session.ts';
import { isNoSession, toNoSessionError } from '../../session/read/no-session.ts';
import { FileError } from '../../errors.ts';
import type { Problem } from '../../session/model/summary.ts';
import type { FoundFile } from '../../store/select/found-file.ts';
import type { Finding } from '../../session/dialect/rule.ts';
import { summarizeSession } from '../../session/read/summaries/summarize-session.ts';
import { type CheckOptions, validateSession } from '../../session/validate/validate-session.ts';
import { openRunSources } from '../../store/database/read-records.ts';
import { findRefusal } from '../../store/sessions/find-use.ts';
import { holdSession } from '../../store/lock/hold-session.ts';
import { describeError, LINKED_TO_CHANGE } from '../../session/model/action.ts';
import { createLevelFinder, type PathLevels } from './rule-levels.ts';
import type { RuleLevels } from '../../session/dialect/levels.ts';

export interface CheckSetup {
  readonly levels: RuleLevels;
  readonly pathLevels: readonly PathLevels[];
  readonly allBranches: boolean;
  readonly world: AgentWorld;
  /** Undefined: only check. */
  readonly fix: FixSetup | undefined;
}

export interface FixSetup {
  readonly dryRun: boolean;
  /** Milliseconds, as `now`. */
  readonly grace: number;
  readonly now: number;
}

/** The outcome of checking one file. */
export interface Checked {
  /** The findings after any repair. */
  readonly findings: readonly Finding[];
  /** Those before it that the repair removes. */
  readonly repaired: readonly Finding[];
  /** The reasons why a repair was skipped or is not complete. */
  readonly unrepaired: readonly string[];
  /** The reason why a repair has failed: the file is as it was. */
  readonly failure?: Problem;
}

type FindOptions = (path: string) => CheckOptions;

type Check = (file: FoundFile) => Promise<Checked>;

/** Checks session files, and repairs them first if asked. */
export const task: Task<CheckSetup, FoundFile, Checked> = {
  name: 'check',
  atOnce: 1,
  start({ levels, pathLevels, allBranches, world, fix }, signal) {
    const findLevels = createLevelFinder(levels, pathLevels);
    const sources = openRunSources(world.env);
    const findOptions = (path: string): CheckOptions => ({
      levels: findLevels(path),
      allBranches,
      sources,
    });
    const check = createCheck(findOptions, signal);
    return fix ? createFix(check, findOptions, { ...fix, world }, signal) : check;
  },
};

function createCheck(findOptions: FindOptions, signal: AbortSignal): Check {
  return async ({ path }) => {
    const validation = await validateSession(path, { ...findOptions(path), signal });
    if (!validation) throw toNoSessionError(path, 'foreign');
    return { findings: validation.findings, repaired: [], unrepaired: [] };
  };
}

function createFix(
  check: Check,
  findOptions: FindOptions,
  fix: FixSetup & Pick<CheckSetup, 'world'>,
  signal: AbortSignal,
): Check {
  const { dryRun, grace, world } = fix;
  const now = startClock(fix.now);
  const keep = async (file: FoundFile, reason: string): Promise<Checked> => {
    const checked = await check(file);
    const isFixable = checked.findings.some(({ fixable }) => fixable);
    return { ...checked, unrepaired: isFixable ? [`not repaired: ${reason}`] : [] };
  };
  return async (file) => {
    const { path, linked } = file;
    if (linked) return keep(file, LINKED_TO_CHANGE);
    const summary = await summarizeSession(path, { usage: false, signal });
    const use = 'path' in summary ? findRefusal(summary, { grace, now: now(), world }) : undefined;
    if (use !== undefined) return keep(file, use);
    const fixOpened = () => fixSession(path, { ...findOptions(path), dryRun, now, signal });
    const isHeld = !dryRun && 'path' in summary;
    const repair = async (): Promise<Checked> => {
      const outcome = await (isHeld ? holdSession(summary.agent, path, fixOpened) : fixOpened());
      if (!outcome) throw toNoSessionError(path, 'foreign');
      const { validation, repaired, reasons } = outcome;
      return { findings: validation.findings, repaired, unrepaired: reasons };
    };
    return orFailure(repair, path, () => check(file));
  };
}

/**
 * Repairs a file; after an error, checks it as it is.
 * @throws FileError where it cannot be read.
 */
async function orFailure(
  repair: () => Promise<Checked>,
  path: string,
  check: () => Promise<Checked>,
): Promise<Checked> {
  try {
    return await repair();
  } catch (error) {
    if (!(error instanceof FileError) || isNoSession(error)) throw error;
    const checked = await check();
    const message = `not repaired: ${describeError(error, path)}`;
    return { ...checked, failure: { code: error.code, message } };
  }
}
