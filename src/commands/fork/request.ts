import { resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import type {
  ForkRequest,
  ForkStart,
  InPlaceRequest,
  LabelChange,
  SummarizeLeft,
} from '../../session/dialect/forking.ts';
import { toDirectory } from '../../session/model/paths.ts';
import type { Context } from '../command.ts';
import { selectionOptions } from '../shared/options.ts';
import {
  type ChangeRequest,
  type OutputRequest,
  type SelectionRequest,
  toChangeRequest,
  toOutputRequest,
  toSelectionRequest,
} from '../shared/requests.ts';
import { createSummarizerFor } from '../shared/summarize/summarizer.ts';
import type { ForkArgs } from './options.ts';

/** The task of a run of `coppice fork`. */
type ForkTask =
  /** Lists where one could fork. */
  { readonly kind: 'points' } | NewSessions | InPlace;

export interface NewSessions {
  readonly kind: 'new';
  readonly fork: ForkRequest;
  readonly dryRun: boolean;
}

export interface InPlace {
  readonly kind: 'in-place';
  readonly to: InPlaceRequest;
  readonly change: ChangeRequest;
}

export interface ForkCommandRequest<T extends ForkTask = ForkTask> {
  readonly select: SelectionRequest;
  readonly output: OutputRequest;
  /**
   * The way to summarize the branch that is left; undefined without a summary, and in previews, which must
   * cost nothing.
   */
  readonly summarize: SummarizeLeft | undefined;
  /** A module of hooks, as it was given. */
  readonly hook: string | undefined;
  /** Whether anything is written. */
  readonly writes: boolean;
  readonly task: T;
}

/** Turns the options into a request. @throws UsageError */
export function toForkRequest(args: ForkArgs, context: Context): ForkCommandRequest {
  const writes = !args['dry-run'] && (args.apply || !args['in-place']);
  requireChoice(args);
  const output = toOutputRequest(args);
  const task = toTask(args, context);
  const printsPaths = task.kind === 'new' && output.format === 'table';
  return {
    select: toSelectionRequest(args, context, printsPaths),
    output,
    summarize: toSummarize(args, writes, context),
    hook: args.hook,
    writes,
    task,
  };
}

function toTask(args: ForkArgs, context: Context): ForkTask {
  const { points, name, cwd, out, id, summarize, label = [] } = args;
  if (points) return { kind: 'points' };
  const start = toStart(args);
  if (args['in-place']) {
    const move = start.kind === 'at' || start.kind === 'before' ? start : undefined;
    const to = { move, summarizes: summarize, name, labels: label.map(parseLabel) };
    return { kind: 'in-place', to, change: toChangeRequest(args, context) };
  }
  const fork = {
    start,
    cwd: cwd === undefined ? undefined : toDirectory(cwd, context.cwd),
    directory: out === undefined ? undefined : resolve(context.cwd, out),
    id,
    name,
  };
  return { kind: 'new', fork, dryRun: args['dry-run'] };
}

function toStart(args: ForkArgs): ForkStart {
  const { at, before, whole } = args;
  if (at !== undefined) return { kind: 'at', entry: at };
  if (before !== undefined) return { kind: 'before', entry: before };
  if (whole) return { kind: 'whole' };
  return { kind: args['each-leaf'] ? 'each-leaf' : 'leaf' };
}

function toSummarize(args: ForkArgs, writes: boolean, context: Context): SummarizeLeft | undefined {
  if (!args.summarize) return undefined;
  const summarizer = createSummarizerFor(args, { apply: writes }, context);
  return summarizer && { summarizer };
}

/** @throws UsageError for what is not `<entry>=<text>`. */
function parseLabel(text: string): LabelChange {
  const [, entry, label] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (entry !== undefined && label !== undefined) return { entry, text: label };
  throw new UsageError(`--label ${text}: expected <entry>=<text>; <entry>= removes the label`);
}

/** Options that do not choose one session before another. */
const WHERE: ReadonlySet<string> = new Set(['agent', 'store', 'shard', 'null']);

/** A slip must not double every store. */
function requireChoice(args: ForkArgs): void {
  const chosen = Object.keys(selectionOptions).some((name) => {
    return !WHERE.has(name) && Object.entries(args).some(([key, value]) => key === name && value);
  });
  if (chosen || args.targets.length > 0) return;
  throw new UsageError(
    'fork: expected targets or a selector, such as --last 1 or --project <dir>; --agent, --store and ' +
      '--shard only choose where to look',
  );
}
