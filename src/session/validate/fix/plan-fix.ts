import type { Dialect } from '../../dialect/dialect.ts';
import type { Rule } from '../../dialect/rule.ts';
import { foldSession, type FoldResult } from '../../read/recognize.ts';
import { getLevel } from '../check-fold.ts';
import type { ValidateOptions } from '../validate-session.ts';
import { type FixPlan, FixPlanner } from './fix-plan.ts';
import { describeSkipped, type Harmless, skipHarm } from './skip-harm.ts';
import { extendsPath, planLineChanges } from './plan-line-changes.ts';
import { keepsPath, planTakenEntries } from './plan-taken-entries.ts';
import type { Repairs, TakenEntries } from './repairs.ts';
import { sendsLess } from './sends-less.ts';

/** Repairs that add and remove no record: pi v1 refers to entries by counting them. */
const KEEPS_COUNT: ReadonlySet<string> = new Set(['file-bom', 'line-torn', 'line-unterminated']);

/** A plan, with the reasons why repairs are left out of it. */
type Planned = Pick<Harmless, 'folded' | 'reasons'>;

type PlanWith = (repairs: Repairs) => Promise<FoldResult<FixPlan>>;

/**
 * Plans the repair of a file, for the rules that are not off. A repair by which the agent would send less of
 * the conversation is left out.
 * @throws FileError if the file cannot be read.
 */
export async function planFix(path: string, options: ValidateOptions): Promise<Planned> {
  const isOn = (rule: Rule): boolean => rule.fixable && getLevel(rule, options.levels) !== 'off';
  const foldWith = (
    isFixed: (rule: Rule) => boolean,
    repairs: Repairs,
  ): Promise<FoldResult<FixPlan>> =>
    foldSession(
      path,
      (dialect, framing) =>
        new FixPlanner(path, dialect, framing, dialect.rules.filter(isFixed), options, repairs),
      options,
    );
  const planWith: PlanWith = (repairs) => foldWith(isOn, repairs);
  const lines = await skipHarm(planWith, {});
  const entries = await repairEntries(planWith, lines);
  const { folded, repairs, reasons } = await changeLines(planWith, lines, entries);
  if (folded.kind !== 'session' || !folded.result.movesReferences) return { folded, reasons };
  const { skippedLines } = repairs;
  const partial = await foldWith((rule) => isOn(rule) && KEEPS_COUNT.has(rule.id), {
    skippedLines,
  });
  const waits = 'a compaction counts lines: the rest can be repaired after coppice migrate';
  return { folded: partial, reasons: [waits, ...reasons] };
}

/** Takes out entries that the model must not see, where the path is otherwise kept. */
async function repairEntries(planWith: PlanWith, lines: Harmless): Promise<Harmless> {
  const { folded, repairs, reasons } = lines;
  if (folded.kind !== 'session') return lines;
  const { dialect, result: base } = folded;
  const candidates = await listTakenEntries(dialect, base);
  if (candidates.length > 0 && base.after.session.problem?.code === 'header-missing') {
    return { ...lines, reasons: [...reasons, 'a tool result is kept: the session has no header'] };
  }
  // A torn line that comes back as the last one may have less sent before it, whether entries go or not.
  const isLess = candidates.length > 0 && (await sendsLess(base, dialect));
  for (const takenEntries of candidates) {
    const more = { ...repairs, takenEntries };
    const planned = await planWith(more);
    if (planned.kind !== 'session' || !keepsPath(base, planned.result, takenEntries)) continue;
    if (!isLess && (await sendsLess(planned.result, dialect))) continue;
    return { folded: planned, repairs: more, reasons };
  }
  if (candidates.length === 0) return lines;
  const kept = 'a tool result is kept: without it, the session would continue elsewhere';
  return { ...lines, reasons: [...reasons, kept] };
}

/** Plans to take out entries that the model must not see: without a new leaf, or with one. */
async function listTakenEntries(dialect: Dialect, plan: FixPlan): Promise<readonly TakenEntries[]> {
  const keys = dialect.reduction?.keys;
  if (!keys || !plan.rules.some(({ takesOutEntries }) => takesOutEntries)) return [];
  const findings = await plan.after.conclude();
  const checked = await plan.after.relate();
  return [false, true].flatMap(
    (keepsLeaf) => planTakenEntries(plan, findings, checked, plan.rules, keys, keepsLeaf) ?? [],
  );
}

/**
 * Changes lines by what rules say of the whole session, where its path is kept; otherwise the plan is the
 * `chosen` one. Lines that were left may be repaired once others are changed.
 */
async function changeLines(
  planWith: PlanWith,
  { folded, repairs }: Harmless,
  chosen: Harmless,
): Promise<Harmless> {
  if (folded.kind !== 'session') return chosen;
  const { dialect, result: base } = folded;
  let first: FixPlan | undefined;
  for (const lineChanges of await planLineChanges(base, base.rules)) {
    const planned = await planWith({ ...repairs, lineChanges });
    if (planned.kind !== 'session') continue;
    first ??= planned.result;
    if (!extendsPath(base, planned.result) || (await sendsLess(planned.result, dialect))) continue;
    const skipped = describeSkipped(listSkipped(first, planned.result));
    const whole = repairs.skippedLines ? await skipHarm(planWith, { lineChanges }) : undefined;
    const { reasons } = whole ?? chosen;
    return { ...(whole ?? { folded: planned, repairs }), reasons: [...reasons, ...skipped] };
  }
  if (!first) return chosen;
  return { ...chosen, reasons: [...chosen.reasons, ...describeSkipped(listSkipped(first, base))] };
}

/** Lists the lines that one plan would change, and another does not. */
function listSkipped(wanted: FixPlan, { changedLines }: FixPlan): readonly number[] {
  const changed = new Set(changedLines.map(({ line }) => line));
  return wanted.changedLines.map(({ line }) => line).filter((line) => !changed.has(line));
}
