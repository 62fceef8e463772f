import { orSkip } from '../model/action.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { applyFix } from './fix/apply-fix.ts';
import type { FixPlan } from './fix/fix-plan.ts';
import { planFix } from './fix/plan-fix.ts';
import { type Rejected } from './fix/rejected.ts';
import type { Replaced } from '../jsonl/write/replace-file.ts';
import { toLookedAt } from '../read/summaries/looked-at.ts';
import { shorten } from './found.ts';
import { describeNoRepair } from './check-fold.ts';
import type { Finding, LookedAt } from '../dialect/rule.ts';
import { validateEmpty, type ValidateOptions, type Validation } from './validate-session.ts';
import { getRejectedPath } from '../model/sidecar.ts';

export interface FixOptions extends ValidateOptions {
  /** Plans and reports the same, and writes nothing. */
  readonly dryRun: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The outcome for one file. */
export interface FixOutcome {
  readonly path: string;
  /** `fix`: it is repaired, or would be. */
  readonly action: 'fix' | 'unchanged' | 'skip';
  /** The reasons why it was skipped, or was not repaired completely. */
  readonly reasons: readonly string[];
  /** The findings that the repair does away with, where they were before it. */
  readonly repaired: readonly Finding[];
  /** The findings in the file after the repair. */
  readonly validation: Validation;
  /** The records that are taken out of the file, in file order. */
  readonly rejected: readonly Rejected[];
  /** The path of the file that keeps them. */
  readonly rejectedPath: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Repairs what can be repaired without losing a byte, for the rules that are not off. What has to
 * be taken out is on the disk in `<file>.rejected` before the file is replaced. Repairing a repaired
 * file changes nothing. Undefined when the file is not a session.
 * @throws FileError if it cannot be read or written; it is then as it was.
 */
export async function fixSession(
  path: string,
  options: FixOptions,
): Promise<FixOutcome | undefined> {
  // A plan needs every finding.
  const planned = { ...options, mostOfRule: Infinity };
  const { folded, reasons: unrepaired } = await planFix(path, planned);
  const reasons = [...unrepaired];
  if (folded.kind === 'foreign') return undefined;
  if (folded.kind === 'empty') {
    return toUnchanged(path, folded.stamp.size, validateEmpty(path, options.levels), []);
  }
  const { dialect, result: plan } = folded;
  options.sources?.memory.forget(path);
  const files = toLookedAt(options.sources);
  const obstacle = plan.isChanged ? await findObstacle(dialect, plan, files) : undefined;
  const toUnfixed = async (why: readonly string[]): Promise<FixOutcome> => {
    const isPartial = unrepaired.length > 0 && !plan.isChanged;
    const validation = await toValidation(dialect, plan.before, isPartial);
    return toUnchanged(path, plan.before.session.stamp.size, validation, [...reasons, ...why]);
  };
  if (obstacle !== undefined || !plan.isChanged)
    return toUnfixed(obstacle === undefined ? [] : [obstacle]);
  const fix = async (): Promise<FixOutcome> => {
    const { bytesAfter, notices } = await applyPlan(path, plan, options);
    const fixed = await toFixed(path, dialect, plan, unrepaired.length > 0);
    return { ...fixed, reasons: [...reasons, ...notices], bytesAfter };
  };
  return orSkip(fix, (reason) => toUnfixed([reason]));
}

async function findObstacle(
  dialect: Dialect,
  { before, after, hasOversized }: FixPlan,
  files: LookedAt,
): Promise<string | undefined> {
  const version = Math.max(before.session.formatVersion, after.session.formatVersion);
  if (version > dialect.currentVersion) return `is of version ${version}, which is never changed`;
  if (hasOversized) return 'has a line too long to be copied';
  return describeNoRepair(dialect, before.session, files);
}

/** The size of the file afterwards, in bytes. */
async function applyPlan(
  path: string,
  plan: FixPlan,
  options: FixOptions,
): Promise<Pick<Replaced, 'bytesAfter' | 'notices'>> {
  if (options.dryRun) return { bytesAfter: plan.bytesAfter, notices: [] };
  const { now, signal } = options;
  const { stamp } = plan.before.session;
  const { rules, repairs } = plan;
  return applyFix(path, { rules, repairs, stamp, now, signal });
}

async function toFixed(
  path: string,
  dialect: Dialect,
  plan: FixPlan,
  isPartial: boolean,
): Promise<Omit<FixOutcome, 'reasons'>> {
  const findings = await plan.before.conclude();
  return {
    path,
    action: 'fix',
    repaired: findings.filter(({ line, rule }) => plan.isRepaired(line, rule)),
    validation: await toValidation(dialect, plan.after, isPartial),
    rejected: plan.rejected,
    rejectedPath: getRejectedPath(path),
    bytesBefore: plan.before.session.stamp.size,
    bytesAfter: plan.bytesAfter,
  };
}

function toUnchanged(
  path: string,
  size: number,
  validation: Validation,
  reasons: readonly string[],
): FixOutcome {
  return {
    path,
    action: reasons.length > 0 ? 'skip' : 'unchanged',
    reasons,
    repaired: [],
    validation,
    rejected: [],
    rejectedPath: getRejectedPath(path),
    bytesBefore: size,
    bytesAfter: size,
  };
}

/** `isPartial`: repairs were left out of the plan, so that none of what is still found is repaired. */
async function toValidation(
  dialect: Dialect,
  checked: FixPlan['after'],
  isPartial: boolean,
): Promise<Validation> {
  const found = shorten(await checked.conclude());
  const findings = isPartial ? found.map((finding) => ({ ...finding, fixable: false })) : found;
  return { dialect, entryCount: checked.session.entries.length, findings };
}
