import type { AgentWorld, Variables } from '../session/dialect/surroundings/world.ts';
import type { InferredOptionTypes, Options } from 'yargs';
import type { ExitCode } from '../errors.ts';
import type { Parts, Range } from './values.ts';

/** One of the two streams that a run writes to. */
export interface Output {
  readonly isTerminal: boolean;
  /** Whether a reader of a pipe has gone away: what is written from then on is lost. */
  readonly isAbandoned: boolean;
  /** Width in columns; undefined where there is no screen to fit. */
  readonly columns: number | undefined;
  /** Resolves when the stream can take more, or will never take any more. Never rejects. */
  write(content: string | Uint8Array): Promise<void>;
  /**
   * Resolves when everything was handed over: to the reason why some of it could not be written, or
   * to undefined. A reader that has gone away is not a failure.
   */
  flush(): Promise<string | undefined>;
}

/** Shows how far a run has come. Does nothing without a terminal. */
export interface Progress {
  advance(): void;
  stop(): void;
}

/** Everything a run can say and hear. */
export interface Terminal {
  readonly out: Output;
  readonly err: Output;
  /** All of standard input. @throws when the signal aborts. */
  readInput(signal: AbortSignal): Promise<string>;
  /** Standard input as it comes. @throws when the signal aborts. */
  openInput(signal: AbortSignal): AsyncIterable<Uint8Array>;
  startProgress(label: string, total: number): Progress;
}

/** The world as a command sees it: handed in, so that a test can hand in another. */
export interface Context {
  readonly terminal: Terminal;
  readonly env: Variables;
  readonly cwd: string;
  readonly home: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID of version 7. */
  readonly createId: () => string;
  readonly signal: AbortSignal;
}

/** Copies the parts that a thread is given: the environment of a process cannot be cloned. */
export function toAgentWorld({ env, home, cwd }: Context): AgentWorld {
  return { env: { ...env }, home, cwd };
}

/** The rule for an option in configuration files: who may set it, and the form of its value. */
export interface ConfigRule {
  /**
   * `project`: also the file of a project, which may come from a stranger. `user`: only the person's
   * own, where it is about which sessions are touched, where things go, or who is asked.
   */
  readonly by: 'project' | 'user';
  /**
   * `globs`: as seen from the file. `pairs`: an object instead of a list of `key=value`.
   * `rules-by-path`: such objects by glob.
   */
  readonly holds?: 'globs' | 'pairs' | 'rules-by-path';
  /** Values that the file of a project cannot choose. */
  readonly exceptToProjects?: readonly string[];
  /** The command line adds to a list of what is protected: it must not lift by accident what a file protects. */
  readonly adds?: true;
}

/** An option as yargs knows it; without `inConfig`, it is for the command line only. */
export type OptionSpec = Options & {
  readonly inConfig?: ConfigRule;
  /** Stands for the value on a help page, such as `<n>`; a flag has none, and of choices the page lists all. */
  readonly value?: string;
  /** Names a place: a leading `~/` is the home directory, and in a file it is as seen from that. */
  readonly isPath?: true;
  readonly parts?: Parts;
  /** Options, as `name` or `name=value`, beside which this one would have no effect. */
  readonly excludes?: readonly string[];
  /** Options without all of which this one would have no effect. */
  readonly needs?: readonly string[];
  /** The range of an option that takes a number; without it, zero and all above. */
  readonly range?: Range;
  /** The run writes new files to this path, unless one of these options is given. */
  readonly writesUnless?: readonly string[];
  /** It is a directory, which the run makes unless it is there. */
  readonly isDirectory?: true;
  /** Options that no configuration file sets where this one is given. */
  readonly overridesConfig?: readonly string[];
  /** True for an option so seldom asked for that a help page that has to fit a screen only names it. */
  readonly isRare?: true;
  /** A whole number, or `unlimited`, which `-1` is another word for. */
  readonly isCount?: true;
  /** The advice for a second value, of an option whose first value must not be lost. */
  readonly insteadOfTwice?: string;
  /** No target may stand right behind a value: it would mean the opposite of a second value. */
  readonly noTargetAfter?: true;
};

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

export type Args<O extends OptionSpecs> = InferredOptionTypes<O> & {
  readonly targets: readonly string[];
  /** The options that the command line sets, and not a configuration file or their defaults. */
  readonly given: ReadonlySet<string>;
};

export interface Example {
  readonly command: string;
  readonly says: string;
}

/** The facts about a subcommand that the command line and help need. */
interface CommandFacts<O extends OptionSpecs> {
  readonly name: string;
  /** A few paragraphs, for its own help page. */
  readonly details: string;
  readonly options: O;
  readonly examples: readonly Example[];
  /** The sessions that a run without targets works on, as the help page says it; unless it is every session. */
  readonly withoutTargets?: string;
  /** Exit codes that mean something particular here, beside the common ones. */
  readonly exitCodes: Readonly<Partial<Record<ExitCode, string>>>;
  /** The schema of the results, by the values of options; else that of the command's own name. */
  readonly getSchema?: (values: Readonly<Record<string, unknown>>) => string;
  /** Fields that no result has without one of these options, as `name` or `name=value`. */
  readonly fieldNeeds?: (
    values: Readonly<Record<string, unknown>>,
  ) => Readonly<Record<string, readonly string[]>>;
}

/** All there is to know of one subcommand; `R` is what a run of it is asked to do. */
export interface CommandDefinition<O extends OptionSpecs, R> extends CommandFacts<O> {
  /**
   * Parses and checks the options, once. Nothing below sees how they were written.
   * @throws UsageError
   */
  toRequest(args: Args<O>, context: Context): R;
  run(request: R, context: Context): Promise<ExitCode>;
}

export interface Command<O extends OptionSpecs> extends CommandFacts<O> {
  run(args: Args<O>, context: Context): Promise<ExitCode>;
}

/** A command as the command line sees it, without the types of its options. */
export type AnyCommand = CommandFacts<OptionSpecs> & {
  run(args: never, context: Context): Promise<ExitCode>;
};

/** Defines a command whose runs get a request, not the options. */
export function defineCommand<const O extends OptionSpecs, R>(
  definition: CommandDefinition<O, R>,
): Command<O> {
  return {
    ...definition,
    run: async (args, context) => definition.run(definition.toRequest(args, context), context),
  };
}

/** Harmless from any file: how results are shown and checked. */
export const BY_PROJECT = { by: 'project' } as const satisfies ConfigRule;
/** A rule for options that select sessions, or name the place of output, a program or a server. */
export const BY_USER = { by: 'user' } as const satisfies ConfigRule;

/** Returns the same options for a command that accepts them on the command line only. */
export function onCommandLineOnly<O extends OptionSpecs>(options: O): O {
  const bare = Object.entries(options).map(
    ([name, { inConfig: _, ...spec }]): [string, OptionSpec] => [name, spec],
  );
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same keys and types
  return Object.fromEntries(bare) as O;
}
