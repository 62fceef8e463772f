import type { Preparation } from '../compaction.ts';
import type { JsonObject, JsonValue } from '../../jsonl/edit/json.ts';
import type { Agent } from '../../model/agent.ts';
import type { Usage } from '../../model/usage.ts';
import { Answer, callHook, HookError } from './answer.ts';

/** The reason for a compaction; `manual`: requested, whether due or not. */
export type CompactionReason = 'manual' | 'threshold';

/** The argument of a hook before a compaction; pi's extensions know it as `session_before_compact`. */
export interface BeforeCompaction {
  readonly path: string;
  readonly agent: Agent;
  readonly preparation: Preparation;
  /** The path from the root to the current leaf, as stored. */
  readonly branchEntries: readonly JsonObject[];
  readonly customInstructions: string | undefined;
  readonly reason: CompactionReason;
  /** Whether an answer of the agent is asked for again afterwards: never, here. */
  readonly willRetry: false;
  readonly signal: AbortSignal;
}

/** A compaction that a hook supplies; what it leaves out is as the preparation has it. */
export interface HookCompaction {
  readonly summary: string;
  /** An id on the path; null keeps nothing beside the summary. */
  readonly firstKeptEntryId?: string | null | undefined;
  readonly tokensBefore?: number | undefined;
  /** Stored instead of the file lists. */
  readonly details?: JsonValue | undefined;
  /** The usage in pi's form; of the cost, the total counts. */
  readonly usage?: object | undefined;
}

/** The answer of a hook: cancel, or use this compaction. Without an answer, the run continues as usual. */
export interface CompactionAnswer {
  readonly cancel?: boolean | undefined;
  readonly compaction?: HookCompaction | undefined;
}

type Maybe<T> = T | null | undefined | void;

export type BeforeCompactionHook = (
  event: BeforeCompaction,
) => Maybe<CompactionAnswer> | Promise<Maybe<CompactionAnswer>>;

/** The argument of a hook once a compaction is in the file; pi's `session_compact`. */
export interface AfterCompaction {
  readonly path: string;
  readonly agent: Agent;
  /** The appended entry. */
  readonly compactionEntry: JsonObject;
  /** Whether `beforeCompaction` supplied it. */
  readonly fromExtension: boolean;
  readonly reason: CompactionReason;
  readonly willRetry: false;
}

export type AfterCompactionHook = (event: AfterCompaction) => unknown;

/** An answer that was checked, with what it left out filled in. */
export interface CheckedCompaction {
  readonly summary: string;
  readonly firstKeptEntryId: string | null;
  readonly tokensBefore: number;
  readonly details: JsonValue | undefined;
  readonly usage: Usage | undefined;
}

export interface CompactionPlace {
  /** Returns whether an entry is on the path to the current leaf. */
  readonly isOnPath: (id: string) => boolean;
  /** Whether the agent stores nothing of a compaction but its summary. */
  readonly storesSummaryOnly: boolean;
}

const NAME = 'beforeCompaction';

/** @throws HookError for a hook that fails, and for an answer that cannot be used. */
export async function askBeforeCompaction(
  hook: BeforeCompactionHook,
  event: BeforeCompaction,
  { isOnPath, storesSummaryOnly }: CompactionPlace,
): Promise<CheckedCompaction | 'cancelled' | undefined> {
  const given = await callHook(NAME, hook, event, event.signal);
  if (given === undefined) return undefined;
  const answer = new Answer(NAME, given, ['cancel', 'compaction']);
  if (answer.flag('cancel')) return 'cancelled';
  const fields = ['summary', 'firstKeptEntryId', 'tokensBefore', 'details', 'usage'];
  const compaction = answer.object('compaction', fields);
  if (!compaction) return undefined;
  const { preparation, agent } = event;
  const summary = compaction.text('summary');
  const firstKeptEntryId = compaction.has('firstKeptEntryId')
    ? compaction.idOrNull('firstKeptEntryId')
    : preparation.firstKeptEntryId;
  if (firstKeptEntryId !== null && storesSummaryOnly) {
    const place = `sessions of ${agent} keep nothing beside a summary; leave it out`;
    throw new HookError(`${NAME}.compaction.firstKeptEntryId: ${place}`);
  }
  if (firstKeptEntryId !== null && !isOnPath(firstKeptEntryId)) {
    compaction.refuse('firstKeptEntryId', 'the id of one of branchEntries, or null');
  }
  const details = compaction.json('details');
  if (details !== undefined && storesSummaryOnly) {
    const place = `sessions of ${agent} have no place for details; leave them out`;
    throw new HookError(`${NAME}.compaction.details: ${place}`);
  }
  const tokensBefore = compaction.has('tokensBefore')
    ? compaction.count('tokensBefore')
    : preparation.tokensBefore;
  return { summary, firstKeptEntryId, tokensBefore, details, usage: compaction.usage('usage') };
}

/** @throws HookError for a hook that fails. */
export async function callAfterCompaction(
  hook: AfterCompactionHook,
  event: AfterCompaction,
  signal: AbortSignal,
): Promise<void> {
  await callHook('afterCompaction', hook, event, signal);
}
