import { type Action, type ActionResult, orSkip } from '../model/action.ts';
import {
  type CompactionDialect,
  type CompactionEntries,
  DEFAULT_RESERVE_TOKENS,
  type Preparation,
  type NewCompaction,
} from '../dialect/compaction.ts';
import { HookError } from '../dialect/hooks/answer.ts';
import {
  askBeforeCompaction,
  type BeforeCompaction,
  callAfterCompaction,
  type CompactionReason,
} from '../dialect/hooks/compaction-hooks.ts';
import type { Hooks } from '../dialect/hooks/hooks.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { Entry, ModelRef } from '../model/entry.ts';
import { isDue } from './is-due.ts';
import { makeSummary } from './make-summary.ts';
import { type CompactionPlan, planCompaction, type SettingsFor } from './plan.ts';
import { withPayloads } from '../read/turns/payloads.ts';
import { toFileLists } from '../model/text/file-operations.ts';
import { type Summarizer, SummaryError } from '../model/text/summarizer.ts';
import { toSendable } from '../model/text/to-sendable.ts';
import { toTokens } from '../model/text/tokens.ts';
import type { Usage } from '../model/usage.ts';
import { appendLines, countAppended } from '../jsonl/write/append-file.ts';
import { findFormatObstacle } from '../read/format-obstacle.ts';
import { formatCounted, formatNumber } from '../model/text/numbers.ts';
import { readPayloads } from '../dialect/fold.ts';

export interface CompactOptions extends Pick<Hooks, 'beforeCompaction' | 'afterCompaction'> {
  readonly settingsFor: SettingsFor;
  /**
   * Returns the context window of the model that a session used last, in tokens; `stated` is the
   * window that the session itself records.
   */
  readonly contextWindowOf: (
    dialect: CompactionDialect,
    model: ModelRef | null,
    stated?: number,
  ) => Promise<number>;
  /** Undefined for a preview that asks no one. */
  readonly summarizer: Summarizer | undefined;
  readonly instructions?: string | undefined;
  /** The limit of a summary; by default four fifths of the reserve, like pi's. */
  readonly maxTokens?: number | undefined;
  readonly force: boolean;
  readonly apply: boolean;
  /** Milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** The outcome for one session, or the outcome that applying would have. */
export interface CompactionOutcome extends ActionResult {
  readonly action: Extract<Action, 'compact' | 'unchanged' | 'skip' | 'fail'>;
  readonly compaction: CompactionFacts | null;
}

/** Tokens are estimates; null is what a preview without a summary does not know. */
export interface CompactionFacts {
  readonly contextWindow: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number | null;
  /** Null where the summary is all that is kept. */
  readonly firstKeptEntryId: string | null;
  readonly isSplitTurn: boolean;
  readonly messagesToSummarize: number;
  readonly turnPrefixMessages: number;
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
  readonly summary: string | null;
  readonly usage: Usage | null;
}

type Change = Pick<CompactionOutcome, 'action' | 'reasons'> & {
  readonly bytesAdded?: number;
  readonly facts?: CompactionFacts;
};

/**
 * Appends a compaction to a session whose context has outgrown its model, or says what it would
 * append. Writes once there is a good summary, all of it at once, or nothing.
 * @throws FileError if the file cannot be read or written.
 */
export async function compactSession(
  path: string,
  options: CompactOptions,
): Promise<CompactionOutcome> {
  const plan = await planCompaction(path, options.settingsFor);
  const { action, reasons, bytesAdded = 0, facts = null } = await compactPlanned(plan, options);
  const { size } = plan.stamp;
  const sizes = { bytesBefore: size, bytesAfter: size + bytesAdded };
  return { path, action, reasons, ...sizes, compaction: facts };
}

async function compactPlanned(plan: CompactionPlan, options: CompactOptions): Promise<Change> {
  const { preparation, settings, leafId } = plan;
  const obstacle = findFormatObstacle(plan) ?? plan.obstacle;
  if (obstacle !== undefined) return skip(obstacle);
  if (!preparation) {
    const reason = plan.endsInCompaction ? 'already compacted' : 'nothing old enough to summarize';
    return { action: 'unchanged', reasons: [reason] };
  }
  // This is checked before anyone is paid for a summary.
  if (leafId === undefined) return skip('its last entry has no id to continue from');
  const window = await options.contextWindowOf(plan.dialect, plan.model, preparation.contextWindow);
  const dueSettings = { ...settings, ...settings.due };
  const due = isDue(plan.dialect, preparation.tokensBefore, window, dueSettings);
  const facts = toFacts(preparation, window, undefined);
  if (!due && !options.force) {
    const { tokensBefore } = preparation;
    const fits = `still fits (${formatNumber(tokensBefore)} of ${formatNumber(window)} tokens)`;
    const reason = dueSettings.enabled ? fits : 'compaction is turned off in the settings';
    return { action: 'unchanged', reasons: [reason], facts };
  }
  const compact = async (): Promise<Change> => {
    const compacted = await findSummary(plan, preparation, due, options);
    if (compacted === 'cancelled') return { ...skip('cancelled by a hook'), facts };
    return write(plan, preparation, { window, compacted, due, leafId }, options);
  };
  try {
    return await orSkip(compact, skip);
  } catch (error) {
    if (error instanceof SummaryError || error instanceof HookError) {
      return { action: 'fail', reasons: [error.message], facts };
    }
    throw error;
  }
}

function skip(reason: string): Change {
  return { action: 'skip', reasons: [reason] };
}

async function findSummary(
  plan: CompactionPlan,
  preparation: Preparation,
  due: boolean,
  { beforeCompaction, summarizer, instructions, maxTokens, signal }: CompactOptions,
): Promise<Compacted | 'cancelled' | undefined> {
  const { path, agent, settings, dialect, steps } = plan;
  if (beforeCompaction) {
    const event: BeforeCompaction = {
      path,
      agent,
      preparation,
      branchEntries: await readAll(path, steps),
      customInstructions: instructions,
      reason: toReason(due),
      willRetry: false,
      signal,
    };
    const answer = await askBeforeCompaction(beforeCompaction, event, {
      isOnPath: (wanted) => steps.some(({ id }) => id === wanted),
      storesSummaryOnly: dialect.storesSummaryOnly,
    });
    if (answer === 'cancelled') return answer;
    if (answer) return { ...answer, summary: toSendable(answer.summary), fromHook: true };
  }
  if (!summarizer) return undefined;
  const { reserveTokens = DEFAULT_RESERVE_TOKENS } = settings;
  const limit = maxTokens ?? Math.floor(0.8 * reserveTokens);
  const asked = { instructions, maxTokens: limit, signal };
  const { text, usage } = await makeSummary(preparation, dialect, summarizer, asked);
  const { firstKeptEntryId, tokensBefore } = preparation;
  const summary = toSendable(text);
  return { summary, firstKeptEntryId, tokensBefore, usage, fromHook: false };
}

function readAll(path: string, entries: readonly Entry[]): Promise<readonly JsonObject[]> {
  return withPayloads(path, (read) => readPayloads(entries, read));
}

/** pi's word for why. */
function toReason(due: boolean): CompactionReason {
  return due ? 'threshold' : 'manual';
}

interface Decided {
  readonly window: number;
  /** Undefined in a preview that asked no one. */
  readonly compacted: Compacted | undefined;
  readonly due: boolean;
  /** The entry that the compaction follows. */
  readonly leafId: string;
}

async function write(
  plan: CompactionPlan,
  preparation: Preparation,
  { window, compacted, due, leafId }: Decided,
  options: CompactOptions,
): Promise<Change> {
  const { apply, force, now, signal } = options;
  const cut = await moveCut(plan, preparation, compacted);
  const facts = toFacts(cut, window, compacted);
  const { tokensBefore, tokensAfter } = facts;
  const grows = tokensAfter !== null && tokensAfter >= tokensBefore;
  if (grows && !force) {
    return { action: 'unchanged', reasons: ['the summary would make the context larger'], facts };
  }
  const reasons = [describe(facts), ...(grows ? ['makes the context larger'] : [])];
  if (!compacted) return { action: 'compact', reasons, facts };
  const made = { ...compacted, parentId: leafId, time: now() };
  const { before = [], entry, after = [] } = await toEntries(plan, preparation, made);
  const lines = [...before, entry, ...after].map((one) => Buffer.from(`${JSON.stringify(one)}\n`));
  const bytesAdded = await countAppended(plan.path, lines);
  const keeps = compacted.firstKeptEntryId !== null;
  const harm = keeps ? plan.findHarm(plan.stamp.size + bytesAdded) : undefined;
  if (harm !== undefined) return { ...skip(harm), facts };
  signal.throwIfAborted();
  if (!apply) return { action: 'compact', reasons, facts, bytesAdded };
  await appendLines(plan.path, lines, { planned: plan.stamp });
  const fault = await callAfterHook(plan, { entry, compacted, due }, options);
  if (fault === undefined) return { action: 'compact', reasons, facts, bytesAdded };
  return { action: 'fail', reasons: [...reasons, fault], facts, bytesAdded };
}

/** The preparation as it is with what a hook has chosen to keep. */
async function moveCut(
  { path, steps, dialect }: CompactionPlan,
  preparation: Preparation,
  compacted: Compacted | undefined,
): Promise<Preparation> {
  if (!compacted) return preparation;
  const { firstKeptEntryId, tokensBefore } = compacted;
  if (firstKeptEntryId === preparation.firstKeptEntryId) return { ...preparation, tokensBefore };
  const tokensKept = await withPayloads(path, (read) =>
    dialect.countKept(steps, read, firstKeptEntryId),
  );
  return { ...preparation, firstKeptEntryId, tokensBefore, tokensKept, isSplitTurn: false };
}

/** Calls the hook after a compaction. If it fails, the compaction is kept in the file. */
async function callAfterHook(
  { path, agent }: CompactionPlan,
  { entry, compacted, due }: { entry: JsonObject; compacted: Compacted; due: boolean },
  { afterCompaction, signal }: CompactOptions,
): Promise<string | undefined> {
  if (!afterCompaction) return undefined;
  const [fromExtension, reason] = [compacted.fromHook, toReason(due)];
  const facts = { path, agent, compactionEntry: entry, fromExtension, reason } as const;
  try {
    await callAfterCompaction(afterCompaction, { ...facts, willRetry: false }, signal);
    return undefined;
  } catch (error) {
    if (error instanceof HookError) return `compacted, but ${error.message}`;
    // The session has changed by now, which has to be said.
    if (signal.aborted) return 'compacted, but afterCompaction was stopped';
    throw error;
  }
}

function toFacts(
  preparation: Preparation,
  contextWindow: number,
  compacted: Compacted | undefined,
): CompactionFacts {
  const { messagesToSummarize, turnPrefixMessages, tokensKept, tokensBefore } = preparation;
  const { firstKeptEntryId, isSplitTurn, fileOps } = preparation;
  return {
    contextWindow,
    tokensBefore,
    tokensAfter: compacted ? tokensKept + toTokens(compacted.summary.length) : null,
    firstKeptEntryId,
    isSplitTurn,
    ...toFileLists(fileOps),
    messagesToSummarize: messagesToSummarize.length,
    turnPrefixMessages: turnPrefixMessages.length,
    summary: compacted?.summary ?? null,
    usage: compacted?.usage ?? null,
  };
}

function describe({
  messagesToSummarize,
  turnPrefixMessages,
  isSplitTurn,
}: CompactionFacts): string {
  const messages = messagesToSummarize + turnPrefixMessages;
  const summarized = `${formatCounted(messages, 'message')} summarized`;
  return isSplitTurn ? `${summarized}, the last turn split` : summarized;
}

type Compacted = Omit<NewCompaction, 'path' | 'id' | 'parentId' | 'steps' | 'time'>;

/** Makes the lines that a compaction appends. */
function toEntries(
  { path, id, steps, dialect }: CompactionPlan,
  preparation: Preparation,
  made: Omit<NewCompaction, 'path' | 'id' | 'steps'>,
): Promise<CompactionEntries> {
  const compaction = { ...made, path, id, steps };
  return withPayloads(path, (read) => dialect.toEntries(preparation, compaction, read));
}
