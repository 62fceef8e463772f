import { UsageError } from '../../errors.ts';
import { resolve } from 'node:path';
import { parseAge } from '../../store/select/age.ts';
import type { Selection } from '../../store/select/selection.ts';
import { parseSelection, type RuleContext } from '../../store/select/selection-rules.ts';
import { parseShard } from '../../store/select/shard.ts';
import type { Args, Context } from '../command.ts';
import { splitNames, toOption, toRules } from '../values.ts';
import { createTargetList } from './select/target-list.ts';
import type {
  cacheOptions,
  changeOptions,
  formatOptions,
  ignoreOptions,
  runOptions,
  selectionOptions,
  stdinOptions,
} from './options.ts';

/** The sessions of a run, and how to read them. */
export interface SelectionRequest {
  /**
   * Lists ids, files, directories and globs, with those on standard input instead of `-`; empty: every session.
   * @throws UsageError if standard input holds something else.
   */
  readonly listTargets: () => Promise<readonly string[]>;
  /** Whether NUL separates paths in the output; else LF. */
  readonly isNul: boolean;
  /** Directories to search, as they were given; empty: the default stores. */
  readonly stores: readonly string[];
  readonly selection: Selection;
  /** Globs of paths to leave out. */
  readonly ignored: readonly string[];
  /** How many files are worked on at once. */
  readonly jobs: number;
  /** Whether what an earlier run has read of unchanged files may select. */
  readonly cache: boolean;
  readonly quiet: boolean;
  /** Set where the only target holds what standard input said. */
  readonly input: InputRequest | undefined;
}

/** A session from standard input, in a file that is gone afterwards. */
export interface InputRequest {
  readonly path: string;
  /** The file that it stands for, absolute; undefined where none was named. */
  readonly name: string | undefined;
}

/** The form in which to print results. */
export interface OutputRequest {
  readonly format: 'table' | 'json' | 'ndjson';
  /** The fields of each result that are printed; undefined: all of them. */
  readonly fields: readonly string[] | undefined;
  readonly quiet: boolean;
  /** Undefined: as the output can show them. */
  readonly color: boolean | undefined;
}

/** The terms on which to change sessions. */
export interface ChangeRequest {
  /** False for a preview. */
  readonly apply: boolean;
  /** Sessions used within this many milliseconds are in use. */
  readonly grace: number;
}

export type SelectionArgs = Args<typeof selectionOptions & typeof runOptions> &
  Partial<Pick<Args<typeof ignoreOptions>, 'ignore'>> &
  Partial<Args<typeof cacheOptions>> &
  Partial<Args<typeof stdinOptions>>;

export type OutputArgs = Args<typeof formatOptions & typeof runOptions>;

/**
 * Turns the options that select sessions into a request. `printsPaths`: the command writes paths alone.
 * @throws UsageError for an age, a size or a part that makes no sense, and for `--null` without an effect.
 */
export function toSelectionRequest(
  args: SelectionArgs,
  context: Context,
  printsPaths = false,
): SelectionRequest {
  const { targets, jobs, quiet, stdin } = args;
  if (args.null && !printsPaths && !targets.includes('-')) {
    throw new UsageError(
      '--null: ends targets on standard input, or printed paths; there are none',
    );
  }
  const [path] = targets;
  const named = args['stdin-filename'];
  const name = named === undefined ? undefined : resolve(context.cwd, named);
  return {
    listTargets: createTargetList(args, context),
    isNul: args.null,
    stores: args.store ?? [],
    selection: {
      ...parseSelection(toRules(args), toRuleContext(context)),
      shard: parseShard(args.shard, context.env),
    },
    ignored: args.ignore ?? [],
    jobs,
    cache: args.cache ?? false,
    quiet,
    input: stdin === true && path !== undefined ? { path, name } : undefined,
  };
}

/**
 * Returns what the values of selectors depend on: the time, the working directory, and the names of
 * options for messages.
 */
export function toRuleContext({ now, cwd }: Pick<Context, 'now' | 'cwd'>): RuleContext {
  return { now: now(), cwd, toLabel: toOption };
}

export function toOutputRequest({ json, format, fields, quiet, color }: OutputArgs): OutputRequest {
  return {
    format: json ? 'json' : format,
    fields: fields === undefined ? undefined : splitNames(fields),
    quiet,
    color,
  };
}

/** A request for changes to the sessions that are selected, and for a report on them. */
export interface ChangesRequest {
  readonly select: SelectionRequest;
  readonly output: OutputRequest;
  readonly change: ChangeRequest;
}

/** Turns the options of a change into a request. @throws UsageError for a period that makes no sense. */
export function toChangeRequest(
  args: Args<typeof changeOptions>,
  { now }: Pick<Context, 'now'>,
): ChangeRequest {
  return {
    apply: args.apply && !args['dry-run'],
    grace: parseAge(args.grace, '--grace', now()),
  };
}
