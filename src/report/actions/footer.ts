import type { Action, ActionSummary } from '../../session/model/action.ts';
import { formatCount, formatCounted, formatSize } from '../text/numbers.ts';

export interface FooterWords {
  /** The verb of a preview, such as `migrate` in `Would migrate …`. */
  readonly verb: string;
  /** The verb of a report, such as `Migrated`. */
  readonly past: string;
  /** The words to add to the command line to apply the preview. */
  readonly how: string;
  /** The noun to count; by default, sessions. */
  readonly noun?: string;
  /** The words for sessions that are not in the table: for one, and for several. */
  readonly unchanged?: { readonly one: string; readonly many: string };
  /** A further change, counted apart, with its words: in a preview, and once it is made. */
  readonly also?: { readonly action: Action; readonly preview: string; readonly done: string };
  /** Words the outcome for the bytes: ` and freed 2 GB`; in a preview, ` and free 2 GB`. */
  readonly freed?: (size: string) => string;
  readonly wouldFree?: (size: string) => string;
}

/**
 * One or two lines below the table: what was or would be done, and how to do it. `changes`: the results that change
 * something; `stopped`: those that a stopped run did not reach.
 */
export function formatActionFooter(
  { applied, sessions, actions, bytesReclaimed }: ActionSummary,
  { changes, stopped = 0 }: { readonly changes: number; readonly stopped?: number },
  { verb, past, how, noun = 'session', unchanged, also, ...words }: FooterWords,
): string {
  const further = (also && actions[also.action]) ?? 0;
  const of = `${formatCount(changes - further)} of ${formatCounted(sessions, noun)}`;
  const size = formatSize(bytesReclaimed);
  const ofSize = applied ? words.freed : words.wouldFree;
  const usual = ` and ${applied ? 'freed' : 'free'} ${size}`;
  const freed = bytesReclaimed > 0 ? (ofSize?.(size) ?? usual) : '';
  const failed = actions.fail ? ` ${formatCount(actions.fail)} failed.` : '';
  const reached = (actions.skip ?? 0) - stopped;
  const skipped = reached > 0 ? ` ${formatCount(reached)} skipped.` : '';
  const missed = stopped > 0 ? ` Stopped: ${formatCount(stopped)} not reached.` : '';
  const { unchanged: rest = 0 } = actions;
  const isTrue = rest === 1 ? unchanged?.one : unchanged?.many;
  const same = isTrue !== undefined && rest > 0 ? ` ${formatCount(rest)} ${isTrue}.` : '';
  const made =
    also && further > 0 ? ` ${formatCount(further)} ${applied ? also.done : also.preview}.` : '';
  const others = `${made}${same}${skipped}${failed}${missed}`;
  if (applied) return `${past} ${of}${freed}.${others}\n`;
  const preview = `Would ${verb} ${of}${freed}.${others} Nothing was changed.\n`;
  return changes > 0 ? `${preview}To apply: ${how}.\n` : preview;
}
