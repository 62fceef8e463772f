import { useOwnV8Settings } from '../batch/v8-settings.ts';
import {
  checkOptions,
  checkWords,
  describeMissing,
  toFlag,
  expandPaths,
  takeLast,
  type Values,
} from './check-options.ts';
import { checkPlaces } from './check-places.ts';
import { checkTogether, listGiven } from './check-together.ts';
import type { AnyCommand, Context, OptionSpecs } from '../commands/command.ts';
import type { ConfigLayer } from './config/config.ts';
import { commands } from '../commands/index.ts';
import { withoutNoise } from './help/help.ts';
import { COMPLETE, completeWords, getCompletionScript } from './completion.ts';
import { CoppiceError, ExitCode, FileError, OutputError, UsageError } from '../errors.ts';
import { HELP_WIDTH, toHelpWords } from './help/help-page.ts';
import { formatHint } from '../report/text/suggest.ts';
import { toPlainLine } from '../report/text/escape.ts';
import { formatBug } from '../report/text/format-bug.ts';
import { formatPath } from '../report/text/paths.ts';
import { findOption, takeBeforeEnd } from './option-table.ts';
import { createParser, findCommandName, type ParserOptions } from './parser.ts';
import { checkFields } from './result-fields.ts';
import { splitShortOptions } from './short-options.ts';

/** A path and a sentence. */
const MAX_MESSAGE = 10_000;
const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/**
 * Runs one command line to its end. Never throws: every failure, a bug of ours too, is a line on stderr and
 * an exit code.
 */
export async function runCli(argv: readonly string[], context: Context): Promise<ExitCode> {
  try {
    const exitCode = await dispatch(argv, context);
    const failure = await context.terminal.out.flush();
    if (failure !== undefined) throw new OutputError(failure, false);
    return exitCode;
  } catch (error) {
    if (context.signal.aborted) {
      await context.terminal.err.write('coppice: stopped; every file is whole\n');
      return ExitCode.interrupted;
    }
    return reportError(error, context);
  }
}

async function reportError(error: unknown, { terminal, home }: Context): Promise<ExitCode> {
  if (error instanceof CoppiceError) {
    const where = error instanceof FileError ? `${formatPath(error.path, home)}: ` : '';
    await terminal.err.write(`coppice: ${toMessage(where + error.message)}\n`);
    const details = error instanceof UsageError ? error.details : [];
    for (const detail of details) await terminal.err.write(`  ${toMessage(detail)}\n`);
    const isPartial = error instanceof OutputError && error.hasChanged;
    return isPartial ? ExitCode.partial : ExitCode.unusable;
  }
  await terminal.err.write(formatBug(error));
  return ExitCode.bug;
}

/** Names and ids in messages come from files; one with a line break must not look like two messages. */
function toMessage(text: string): string {
  return toPlainLine(text, MAX_MESSAGE);
}

async function dispatch(words: readonly string[], context: Context): Promise<ExitCode> {
  const { out } = context.terminal;
  const [first, ...others] = words;
  if (first === COMPLETE) {
    const offers = await completeWords(others, await findCommand(others.slice(1)), context);
    await out.write(offers.map((offer) => `${offer}\n`).join(''));
    return ExitCode.ok;
  }
  const asked = toHelpWords(words);
  const isHelp = asksForHelp(asked);
  if (first === 'completion' && !isHelp) {
    await out.write(getCompletionScript(others, context));
    return ExitCode.ok;
  }
  const command = await findCommand(asked);
  const argv = command ? splitShortOptions(asked, command.options) : asked;
  if (command && !isHelp) checkWords(argv, command);
  // A page shows the defaults; a run must know what was typed, which may be one.
  const { parsed, output } = await parse(argv, { command, isBare: !isHelp }, context);
  const isPage =
    output !== '' && (command || parsed._.length === 0 || parsed._[0] === 'completion');
  if (isPage) {
    await out.write(`${withoutNoise(output)}\n`);
    return ExitCode.ok;
  }
  const named = requireCommand(parsed, command);
  return run(argv, { parsed: withDefaults(parsed, named), typed: parsed, command: named }, context);
}

function withDefaults(typed: Parsed, { options }: AnyCommand): Parsed {
  const values: Record<string, unknown> = { ...typed };
  for (const [name, spec] of Object.entries(options)) {
    if (spec.default !== undefined) values[name] ??= spec.default;
  }
  return Object.assign(values, { _: typed._ });
}

function asksForHelp(argv: readonly string[]): boolean {
  return takeBeforeEnd(argv).some((word) => HELP.has(word));
}

async function findCommand(argv: readonly string[]): Promise<AnyCommand | undefined> {
  const name = await findCommandName(argv);
  return commands.find((entry) => entry.name === name)?.load();
}

function requireCommand(parsed: Parsed, command: AnyCommand | undefined): AnyCommand {
  const [name] = parsed._;
  const names = commands.map((entry) => entry.name);
  const all = `; use one of ${names.join(', ')}`;
  if (command && (name === undefined || command.name === name)) return command;
  const unknownOption = Object.keys(parsed).find((key) => key !== '_' && key !== '$0');
  if (name === undefined && unknownOption !== undefined) {
    const hint = formatHint(unknownOption, ['help', 'version'], '--');
    throw new UsageError(`${toFlag(unknownOption)}: unknown option${hint || all}`);
  }
  if (name === undefined) throw new UsageError(`missing command${all}; see coppice --help`);
  const known = [...names, 'help', 'completion'];
  throw new UsageError(`unknown command '${name}'${formatHint(String(name), known) || all}`);
}

interface Parsed {
  readonly _: readonly (string | number)[];
  readonly [option: string]: unknown;
}

interface Given {
  readonly parsed: Parsed;
  /** The values of the command line alone; an option that it does not have has none. */
  readonly typed: Parsed;
  readonly command: AnyCommand;
}

/** Runs the command that the words name, with options from the command line over those from files. */
async function run(argv: readonly string[], given: Given, context: Context): Promise<ExitCode> {
  const { parsed, typed, command } = given;
  await checkOptions(parsed, argv, command);
  const asked = parsed['config'];
  const file = typeof asked === 'string' || asked === false ? asked : undefined;
  const { readConfigLayers } = await import('./config/config.ts');
  const read = await readConfigLayers(command, file, context);
  const layers = read.map((one) => ({ ...one, values: withoutOverridden(one.values, given) }));
  const defaults: Values = Object.assign({}, ...layers.map((one) => one.values));
  const isEmpty = Object.keys(defaults).length === 0;
  const values = isEmpty
    ? parsed
    : withAdded((await parse(argv, { command, defaults }, context)).parsed, defaults, command);
  try {
    return await runWith(values, { given, layers }, context);
  } catch (error) {
    const { nameSource } = await import('./config/name-source.ts');
    throw nameSource(error, layers, listGiven(typed, command));
  }
}

interface Read {
  readonly given: Given;
  readonly layers: readonly ConfigLayer[];
}

/** Runs the command with the options that apply. */
async function runWith(
  values: Parsed,
  { given: { parsed, typed, command }, layers }: Read,
  context: Context,
): Promise<ExitCode> {
  checkTogether(typed, values, command);
  await checkPlaces(values, command, context);
  checkFields(values, command);
  if (parsed['print-config'] === true) {
    const { printConfig } = await import('./config/print-config.ts');
    return printConfig({ command, layers, given: typed, values }, context);
  }
  const targets = parsed._.slice(1).map(String);
  if (targets.includes(''))
    throw new UsageError('empty target; leave it out, or name a file, a directory or an id');
  // This is done once, and not before: V8 has a cache of Node's own modules for its usual settings only.
  useOwnV8Settings();
  // The options have been checked against the command's own table, which its `run` is typed by.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const runOn = (args: object): Promise<ExitCode> => command.run(args as never, context);
  const all = { ...values, given: listGiven(typed, command) };
  if (values['stdin'] !== true) return runOn({ ...all, targets });
  const { runOnInput } = await import('../commands/shared/stdin.ts');
  return runOnInput(all, targets, context, runOn);
}

/** Some options are for the command line only, and so is all that decides about them. */
function withoutOverridden(defaults: Values, { typed, command }: Given): Values {
  const given = [...listGiven(typed, command)];
  const unwanted = new Set(given.flatMap((name) => command.options[name]?.overridesConfig ?? []));
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !unwanted.has(name)));
}

/** Lists to which the command line adds hold what the files have, too. */
function withAdded(parsed: Parsed, defaults: Values, { options }: AnyCommand): Parsed {
  const added = Object.entries(options).flatMap(([name, { inConfig }]) => {
    const [before, now] = [defaults[name], parsed[name]];
    const isList = inConfig?.adds && Array.isArray(before) && Array.isArray(now);
    return isList ? [[name, [...new Set<unknown>([...before, ...now])]]] : [];
  });
  return { ...parsed, ...Object.fromEntries(added) };
}

async function parse(
  argv: readonly string[],
  how: Omit<ParserOptions, 'width'>,
  { terminal, home }: Context,
): Promise<{ parsed: Parsed; output: string }> {
  const width = Math.min(terminal.out.columns ?? HELP_WIDTH, HELP_WIDTH);
  const isLong = argv.includes('--all');
  const asked = isLong ? 'long' : 'short';
  const help = asksForHelp(argv) ? asked : undefined;
  const parser = createParser({ ...how, width, help });
  const words = help === 'long' ? argv.filter((word) => word !== '--all') : argv;
  let output = '';
  try {
    const parsed = await parser.parseAsync([...words], {}, (_error, _argv, text) => {
      output = text;
    });
    const options = how.command?.options ?? {};
    return { parsed: expandPaths(takeLast(parsed, options), options, home), output };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(toAdvice(error.message, how.command?.options ?? {}), { cause: error });
  }
}

/** Rewrites a message of yargs in the style of all others. */
function toAdvice(message: string, options: OptionSpecs): string {
  const [, bare] = /^Not enough arguments following: (\S+)$/.exec(message) ?? [];
  if (bare !== undefined) return `${toFlag(bare)}: ${describeMissing(findOption(bare, options))}`;
  return message.replaceAll('\n', ' ');
}
