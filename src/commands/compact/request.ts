import { UsageError } from '../../errors.ts';
import type { PackingAction } from '../../session/compact/compress-session.ts';
import { ENTRY_REDUCERS, type EntryReducerName } from '../../session/dialect/reduction.ts';
import { MIN_CUT_BYTES } from '../../session/model/text/cut-text.ts';
import type { Summarizer } from '../../session/model/text/summarizer.ts';
import type { GivenSettings, Window } from '../../session/compact/settings.ts';
import { createNameMatcher } from '../../store/select/name-matcher.ts';
import { parseSize } from '../../store/select/size.ts';
import type { Context } from '../command.ts';
import {
  type ChangeRequest,
  type ChangesRequest,
  toChangeRequest,
  toOutputRequest,
  toSelectionRequest,
} from '../shared/requests.ts';
import { createSummarizerFor } from '../shared/summarize/summarizer.ts';
import { type CompactArgs, REDUCERS } from './options.ts';

/** A compaction for every session that is due. */
export interface ContextRequest extends ChangesRequest, GivenSettings {
  readonly kind: 'context';
  /** Compacts sessions whose context still fits, too. */
  readonly force: boolean;
  readonly instructions: string | undefined;
  /** The limit of one summary; undefined: as much as the reserve allows. */
  readonly summaryTokens: number | undefined;
  /** Undefined where asking would cost something, and nothing is applied. */
  readonly summarizer: Summarizer | undefined;
  /** How many sessions wait for a summary at once. */
  readonly jobs: number;
  readonly showsSummaries: boolean;
  /** A module of hooks, as it was given. */
  readonly hook: string | undefined;
}

/** Files that take less room. */
export interface StorageRequest extends ChangesRequest {
  readonly kind: 'storage';
  readonly entries: readonly EntryReducerName[];
  readonly images: CompactArgs['images'];
  /** The limit of one output, in bytes; undefined: any. */
  readonly toolOutput: number | undefined;
}

/** Files that hold the same text in less room, or more. */
export interface CompressionRequest extends ChangesRequest {
  readonly kind: 'compression';
  readonly action: PackingAction;
}

export type CompactRequest = ContextRequest | StorageRequest | CompressionRequest;

/** Returns whether the options make files smaller, or restore what was taken out of them. */
export function changesStorage(values: Readonly<Record<string, unknown>>): boolean {
  return hasReducers(values) || values['compress'] === true || values['decompress'] === true;
}

/** Returns whether anything is to be taken out of files, or restored. */
function hasReducers(values: Readonly<Record<string, unknown>>): boolean {
  return REDUCERS.some((name) => values[name] !== undefined && values[name] !== false);
}

/** Turns the options into a request. @throws UsageError */
export function toCompactRequest(args: CompactArgs, context: Context): CompactRequest {
  const common = {
    select: toSelectionRequest(args, context),
    output: toOutputRequest(args),
    change: toChangeRequest(args, context),
  };
  if (args.compress || args.decompress) {
    const action = args.compress ? 'compress' : 'decompress';
    return { ...common, kind: 'compression', action };
  }
  return hasReducers(args)
    ? {
        ...common,
        kind: 'storage',
        entries: ENTRY_REDUCERS.filter((name) => args[name]),
        images: args.images,
        toolOutput: parseLimit(args['tool-output']),
      }
    : { ...common, kind: 'context', ...toContext(args, common.change, context) };
}

function toContext(
  args: CompactArgs,
  change: ChangeRequest,
  context: Context,
): Omit<ContextRequest, 'kind' | keyof ChangesRequest> {
  const { force, instructions, jobs, requests, hook } = args;
  const summarizer = createSummarizerFor(args, change, context);
  const windows = (args['context-window'] ?? []).map(parseWindow);
  const reserveTokens = args['reserve-tokens'];
  checkReserve(reserveTokens, windows);
  return {
    force,
    windows,
    keepRecentTokens: args['keep-recent-tokens'],
    reserveTokens,
    instructions,
    summaryTokens: args['summary-tokens'],
    summarizer,
    // A job that waits for a network needs no core.
    jobs: args.summarizer === 'openai' ? Math.max(jobs, requests) : jobs,
    showsSummaries: args['show-summaries'],
    hook,
  };
}

function parseWindow(text: string): Window {
  const [, glob, amount] = /^(?:(.+)=)?(0*[1-9]\d*)$/.exec(text) ?? [];
  if (amount === undefined) {
    throw new UsageError(
      `--context-window ${text}: expected 200000, or 'anthropic/claude-*=1000000' for some models`,
    );
  }
  const fits = glob === undefined ? undefined : createNameMatcher(glob);
  return { fits, tokens: Number(amount) };
}

function checkReserve(reserveTokens: number | undefined, windows: readonly Window[]): void {
  const largest = Math.max(...windows.map(({ tokens }) => tokens));
  if (reserveTokens === undefined || windows.length === 0 || reserveTokens < largest) return;
  throw new UsageError(
    `--reserve-tokens ${reserveTokens}: expected less than --context-window ${largest}`,
  );
}

function parseLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const bytes = parseSize(text, '--tool-output');
  if (bytes >= MIN_CUT_BYTES) return bytes;
  throw new UsageError(`--tool-output ${text}: expected at least ${MIN_CUT_BYTES} bytes`);
}
