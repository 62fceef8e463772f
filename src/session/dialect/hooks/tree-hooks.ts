import type { JsonObject, JsonValue } from '../../jsonl/edit/json.ts';
import type { Usage } from '../../model/usage.ts';
import { Answer, callHook } from './answer.ts';

/** The branch that is about to be left; pi's `TreePreparation`. */
export interface TreePreparation {
  /** The entry that the session continues from; null: before the first. */
  readonly targetId: string | null;
  readonly oldLeafId: string | null;
  /** The deepest entry that both have on their paths. */
  readonly commonAncestorId: string | null;
  /** The entries from behind the common ancestor to the old leaf. */
  readonly entriesToSummarize: readonly JsonObject[];
  /** Whether a summary was asked for; without, one that a hook supplies is not used. */
  readonly userWantsSummary: boolean;
  readonly customInstructions: string | undefined;
}

/** The argument of a hook before a branch is left; pi's extensions know `session_before_tree`. */
export interface BeforeBranchSummary {
  /** Undefined for a session in memory. */
  readonly path: string | undefined;
  readonly preparation: TreePreparation;
  readonly signal: AbortSignal;
}

/**
 * The answer of a hook: cancel, use this summary, or other instructions. Without an answer, the run
 * continues.
 */
export interface BranchAnswer {
  readonly cancel?: boolean | undefined;
  readonly summary?:
    | {
        readonly summary: string;
        readonly details?: JsonValue | undefined;
        /** The usage in pi's form; of the cost, the total counts. */
        readonly usage?: object | undefined;
      }
    | undefined;
  /** Instructions for the summarizer that replace those that were given. */
  readonly customInstructions?: string | undefined;
}

type Maybe<T> = T | null | undefined | void;

export type BeforeBranchSummaryHook = (
  event: BeforeBranchSummary,
) => Maybe<BranchAnswer> | Promise<Maybe<BranchAnswer>>;

/** A summary of what is left behind. */
export interface LeftSummary {
  readonly text: string;
  readonly details: JsonValue | undefined;
  readonly usage: Usage | undefined;
  /** Supplied by a hook. */
  readonly fromHook: boolean;
}

export interface CheckedBranchAnswer {
  readonly cancelled: boolean;
  /** Undefined where none was supplied, or none was asked for. */
  readonly summary: LeftSummary | undefined;
  readonly instructions: string | undefined;
}

const NAME = 'beforeBranchSummary';

/**
 * Asks a hook, if there is one, before a branch is left.
 * @throws HookError for a hook that fails, and for an answer that cannot be used.
 */
export async function askBeforeBranchSummary(
  hook: BeforeBranchSummaryHook | undefined,
  event: BeforeBranchSummary,
): Promise<CheckedBranchAnswer> {
  const { customInstructions: instructions, userWantsSummary } = event.preparation;
  const given = hook && (await callHook(NAME, hook, event, event.signal));
  if (given === undefined) return { cancelled: false, summary: undefined, instructions };
  const answer = new Answer(NAME, given, ['cancel', 'summary', 'customInstructions']);
  const summary = answer.object('summary', ['summary', 'details', 'usage']);
  const supplied = summary && {
    text: summary.text('summary'),
    details: summary.json('details'),
    usage: summary.usage('usage'),
    fromHook: true,
  };
  return {
    cancelled: answer.flag('cancel'),
    summary: userWantsSummary ? supplied : undefined,
    instructions: answer.has('customInstructions')
      ? answer.text('customInstructions')
      : instructions,
  };
}
