import { FileError } from '../../errors.ts';
import type { Action } from '../model/action.ts';
import {
  type CompactionDialect,
  DEFAULT_RESERVE_TOKENS,
  type Preparation,
  type Checkpoint,
} from '../dialect/compaction.ts';
import type { ModelRef } from '../model/entry.ts';
import { makeSummary } from './make-summary.ts';
import { type CompactionPlan, planCompaction, type SettingsFor } from './plan.ts';
import { type Summarizer, SummaryError } from '../model/text/summarizer.ts';
import { toTokens } from '../model/text/tokens.ts';
import type { Usage } from '../model/usage.ts';
import { appendLines } from '../jsonl/write/append-file.ts';

/** What a hook is told before a compaction; pi's extensions know it as `session_before_compact`. */
export interface BeforeCompaction {
  readonly path: string;
  readonly preparation: Preparation;
  readonly instructions: string | undefined;
  /** `manual`: asked for whether due or not. */
  readonly reason: 'manual' | 'threshold';
  readonly signal: AbortSignal;
}

/** What a hook may say: leave it, or take this summary. Undefined: go on as usual. */
export type CompactionVerdict =
  | { readonly cancel: true }
  | { readonly compaction: Pick<Compacted, 'summary' | 'usage' | 'details'> }
  | undefined;

export interface CompactOptions {
  readonly settingsFor: SettingsFor;
  /** Of the model that a session used last, in tokens. */
  readonly contextWindowOf: (dialect: CompactionDialect, model: ModelRef | null) => Promise<number>;
  /** Undefined for a preview that asks nobody. */
  readonly summarizer: Summarizer | undefined;
  readonly instructions?: string | undefined;
  /** Of a summary; by default four fifths of the reserve, as pi has it. */
  readonly maxTokens?: number | undefined;
  readonly force: boolean;
  readonly apply: boolean;
  readonly beforeCompact?: ((event: BeforeCompaction) => Promise<CompactionVerdict>) | undefined;
  /** Milliseconds. */
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** What became of one session, or would become of it. */
export interface CompactionOutcome {
  readonly path: string;
  readonly action: Extract<Action, 'compact' | 'unchanged' | 'skip' | 'fail'>;
  readonly reasons: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly compaction: CompactionFacts | null;
}

/** Tokens are estimates; null is what a preview without a summary does not know. */
export interface CompactionFacts {
  readonly contextWindow: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number | null;
  /** Null where the summary is all that stays. */
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
 * Appends a checkpoint to a session whose context has outgrown its model, or says what it would
 * append. Writes once there is a good summary, one entry, or nothing.
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
  const { preparation, settings, formatVersion, currentVersion } = plan;
  if (formatVersion < currentVersion) return skip('is in an old format: coppice migrate first');
  if (formatVersion > currentVersion) return skip('is of a format that is not known: left alone');
  // Before anyone is paid for a summary.
  if (plan.leafId === undefined) return skip('its last entry has no id that one could go on from');
  if (!preparation) {
    const reason = plan.endsInCompaction ? 'already compacted' : 'nothing old enough to summarise';
    return { action: 'unchanged', reasons: [reason] };
  }
  const window = await options.contextWindowOf(plan.dialect, plan.model);
  const dueSettings = { ...settings, ...settings.due };
  const due = plan.dialect.isDue(preparation.tokensBefore, window, dueSettings);
  const facts = toFacts(preparation, window, undefined);
  if (!due && !options.force) {
    const { tokensBefore } = preparation;
    const fits = `still fits (${count(tokensBefore)} of ${count(window)} tokens)`;
    const reason = dueSettings.enabled ? fits : 'compaction is turned off in the settings';
    return { action: 'unchanged', reasons: [reason], facts };
  }
  try {
    const compacted = await findSummary(plan, preparation, due, options);
    if (compacted === 'cancelled') return { ...skip('cancelled by a hook'), facts };
    return await write(plan, preparation, window, compacted, options);
  } catch (error) {
    if (error instanceof SummaryError) return { action: 'fail', reasons: [error.message], facts };
    if (error instanceof FileError && error.code === 'ECHANGED') return skip(error.message);
    throw error;
  }
}

function count(tokens: number): string {
  return tokens.toLocaleString('en');
}

function skip(reason: string): Change {
  return { action: 'skip', reasons: [reason] };
}

async function findSummary(
  plan: CompactionPlan,
  preparation: Preparation,
  due: boolean,
  { beforeCompact, summarizer, instructions, maxTokens, signal }: CompactOptions,
): Promise<Compacted | 'cancelled' | undefined> {
  const { path, settings, dialect } = plan;
  const reason = due ? 'threshold' : 'manual';
  const verdict = await beforeCompact?.({ path, preparation, instructions, reason, signal });
  if (verdict && 'cancel' in verdict) return 'cancelled';
  if (verdict) {
    if (verdict.compaction.summary.trim() === '') throw new SummaryError('the summary is empty');
    return { ...verdict.compaction, fromHook: true };
  }
  if (!summarizer) return undefined;
  const { reserveTokens = DEFAULT_RESERVE_TOKENS } = settings;
  const limit = maxTokens ?? Math.floor(0.8 * reserveTokens);
  const asked = { instructions, maxTokens: limit, signal };
  const { text, usage } = await makeSummary(preparation, dialect, summarizer, asked);
  return { summary: text, usage, fromHook: false };
}

async function write(
  plan: CompactionPlan,
  preparation: Preparation,
  window: number,
  compacted: Compacted | undefined,
  { apply, force, now, signal }: CompactOptions,
): Promise<Change> {
  const facts = toFacts(preparation, window, compacted);
  const { tokensBefore, tokensAfter } = facts;
  const grows = tokensAfter !== null && tokensAfter >= tokensBefore;
  if (grows && !force) {
    return { action: 'unchanged', reasons: ['the summary would make the context larger'], facts };
  }
  const reasons = [describe(facts), ...(grows ? ['makes the context larger'] : [])];
  if (!compacted) return { action: 'compact', reasons, facts };
  const line = toCompactionLine(plan, preparation, compacted, now());
  signal.throwIfAborted();
  if (apply) await appendCompaction(plan, line);
  return { action: 'compact', reasons, facts, bytesAdded: line.length };
}

function toFacts(
  preparation: Preparation,
  contextWindow: number,
  compacted: Compacted | undefined,
): CompactionFacts {
  const { messages, turnPrefix, tokensKept, tokensBefore } = preparation;
  const { firstKeptEntryId, isSplitTurn, readFiles, modifiedFiles } = preparation;
  return {
    contextWindow,
    tokensBefore,
    tokensAfter: compacted ? tokensKept + toTokens(compacted.summary.length) : null,
    firstKeptEntryId,
    isSplitTurn,
    readFiles,
    modifiedFiles,
    messagesToSummarize: messages.length,
    turnPrefixMessages: turnPrefix.length,
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
  const summarised = `${messages} ${messages === 1 ? 'message' : 'messages'} summarised`;
  return isSplitTurn ? `${summarised}, the last turn split` : summarised;
}

export type Compacted = Pick<Checkpoint, 'summary' | 'usage' | 'details' | 'fromHook'>;

/** The line that a compaction appends, with its LF. `now` in milliseconds. */
export function toCompactionLine(
  plan: CompactionPlan,
  preparation: Preparation,
  compacted: Compacted,
  now: number,
): Buffer {
  const { path, id, leafId: parentId, dialect } = plan;
  if (parentId === undefined) throw new FileError(path, 'no-leaf', 'its last entry has no id');
  const entry = dialect.toEntry(preparation, { ...compacted, path, id, parentId, time: now });
  return Buffer.from(`${JSON.stringify(entry)}\n`);
}

/**
 * Appends a compaction to its session, and returns once it is on the disk.
 * @throws FileError, with the code ECHANGED when the file is no longer the one that was planned for:
 * then nothing is written.
 */
export async function appendCompaction(plan: CompactionPlan, line: Buffer): Promise<void> {
  await appendLines(plan.path, [line], { planned: plan.stamp });
}
