import type { FoldResult } from '../../read/recognize.ts';
import type { Entry } from '../../model/entry.ts';
import type { Session } from '../../model/session.ts';
import { getCurrentPath, treeOf } from '../../model/tree/tree.ts';
import type { FixPlan } from './fix-plan.ts';
import type { Repairs } from './repairs.ts';
import { sendsLess } from './sends-less.ts';

/** A plan by which the agent sends all that it sends now. */
export interface Harmless {
  readonly folded: FoldResult<FixPlan>;
  /** The repairs beside those of single lines, and the lines that are left. */
  readonly repairs: Repairs;
  /** The reasons why repairs are left out. */
  readonly reasons: readonly string[];
}

/** The number of lines that are looked for; if there are more, none is removed. */
const MAX_FOUND = 8;

/**
 * Leaves out of a plan the repairs of lines by which the agent would send less: where lines name the leaf, one
 * that cannot be read today may name another, or begin the conversation again. Elsewhere the session continues
 * at its last line, which a repair gives back, unless its parent is torn.
 */
export async function skipHarm(
  planWith: (repairs: Repairs) => Promise<FoldResult<FixPlan>>,
  repairs: Repairs,
): Promise<Harmless> {
  const found: number[] = [];
  let remaining = repairs;
  let folded = await planWith(remaining);
  while (await isHarmful(folded)) {
    const lines = listChanged(folded);
    const skip = (more: FixPlan['changedLines']): Repairs => {
      const skipped = [...(remaining.skippedLines ?? []), ...more.map(({ offset }) => offset)];
      return { ...remaining, skippedLines: new Set(skipped) };
    };
    // Repairing the first `low` lines does no harm, and repairing the first `high` does.
    let low = 0;
    let high = lines.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if (await isHarmful(await planWith(skip(lines.slice(middle))))) high = middle;
      else low = middle;
    }
    const more = lines.slice(low, found.length < MAX_FOUND ? high : undefined);
    found.push(...more.map(({ line }) => line));
    remaining = skip(more);
    folded = await planWith(remaining);
  }
  return { folded, repairs: remaining, reasons: describeSkipped(found) };
}

async function isHarmful(folded: FoldResult<FixPlan>): Promise<boolean> {
  if (folded.kind !== 'session') return false;
  const { dialect, result } = folded;
  // A file with a line that is too long is not repaired.
  if (!result.isChanged || result.hasOversized || result.changedLines.length === 0) return false;
  const mayHarm = dialect.context.namesLeaf || losesParent(result);
  return mayHarm && sendsLess(result, dialect);
}

/**
 * Returns whether a repair cuts off the current path while it leaves out what cannot be read: its parent may be there.
 * A path that is cut off already may only be cut at another entry by what is left out before that.
 */
function losesParent({ before, after, rejected, toSpanBefore }: FixPlan): boolean {
  const cut = findCut(after.session);
  if (!cut || rejected.length === 0) return false;
  const now = findCut(before.session);
  if (!now || now.id === cut.id) return !now;
  const { offset } = toSpanBefore(cut);
  return rejected.some(({ byteOffset }) => byteOffset < offset);
}

/** Finds the entry with which the current path of a session begins, if its parent is not in the file. */
function findCut(session: Session): Entry | undefined {
  const [root] = getCurrentPath(treeOf(session));
  return typeof root?.parentId === 'string' ? root : undefined;
}

function listChanged(folded: FoldResult<FixPlan>): FixPlan['changedLines'] {
  return folded.kind === 'session' ? folded.result.changedLines : [];
}

const MAX_NAMED = 8;

/** Reports lines that are not repaired because the model would be sent less. */
export function describeSkipped(lines: readonly number[]): string[] {
  if (lines.length === 0) return [];
  const named = lines.toSorted((a, b) => a - b).slice(0, MAX_NAMED);
  const more = lines.length - named.length;
  const numbers = `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const subject = lines.length === 1 ? `line ${numbers} is` : `lines ${numbers} are`;
  return [`${subject} left unrepaired: with the repair, less of the conversation would be sent`];
}
