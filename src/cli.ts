import leven from 'leven';
import yargs, { type Argv } from 'yargs';
import type { AnyCommand, Context, OptionSpecs } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { formatEpilogue, formatOverview } from './commands/help.ts';
import { CoppiceError, ExitCode, UsageError } from './errors.ts';
import { readVersion } from './version.ts';

const MAX_HELP_WIDTH = 100;
/** Farther from what was typed, a suggestion would only confuse. */
const MAX_DISTANCE = 3;
const ALWAYS = { help: { alias: 'h' }, version: {} } as const;

/**
 * Runs one command line to its end. Never throws: every failure is told on stderr and has its exit
 * code, also our own bugs.
 */
export async function runCli(argv: readonly string[], context: Context): Promise<ExitCode> {
  try {
    return await dispatch(argv, context);
  } catch (error) {
    if (context.signal.aborted) {
      await context.terminal.err.write('coppice: stopped; every file is whole\n');
      return ExitCode.interrupted;
    }
    return tellError(error, context);
  }
}

async function tellError(error: unknown, { terminal }: Context): Promise<ExitCode> {
  if (error instanceof CoppiceError) {
    await terminal.err.write(`coppice: ${toSafeText(error.message)}\n`);
    return ExitCode.unusable;
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  await terminal.err.write(`coppice: this is a bug, please report it\n${toSafeText(trace)}\n`);
  return ExitCode.bug;
}

/** Names and ids in messages come from files; a terminal must not obey them. */
function toSafeText(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd');
}

async function dispatch(argv: readonly string[], context: Context): Promise<ExitCode> {
  const { parsed, output } = await parse(argv, context);
  if (output !== '') {
    await context.terminal.out.write(`${output}\n`);
    return ExitCode.ok;
  }
  const [name, ...targets] = parsed._.map(String);
  if (name === undefined) {
    throw new UsageError(`which command? There are ${listNames()}. See coppice --help.`);
  }
  const command = commands.find((known) => known.name === name);
  if (!command) {
    const hint = suggest(
      name,
      commands.map((known) => known.name),
    );
    throw new UsageError(`${name} is no command${hint || `. There are ${listNames()}.`}`);
  }
  checkOptions(parsed, command);
  // The options have been checked against the command's own table, which its `run` is typed by.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return command.run({ ...parsed, targets } as never, context);
}

function listNames(): string {
  return commands.map(({ name }) => name).join(', ');
}

interface Parsed {
  readonly _: readonly (string | number)[];
  readonly [option: string]: unknown;
}

async function parse(
  argv: readonly string[],
  { terminal }: Context,
): Promise<{ parsed: Parsed; output: string }> {
  const parser = createParser(Math.min(terminal.out.columns ?? MAX_HELP_WIDTH, MAX_HELP_WIDTH));
  let output = '';
  try {
    const parsed = await parser.parseAsync([...argv], {}, (_error, _argv, text) => {
      output = text;
    });
    return { parsed, output };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new UsageError(error.message.replaceAll('\n', ' '), { cause: error });
  }
}

/** The one place where our definitions become yargs'. */
function createParser(width: number): Argv {
  const parser = yargs()
    .scriptName('coppice')
    .locale('en')
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    })
    .usage(formatOverview())
    .version(readVersion())
    .help()
    .alias('help', 'h')
    .completion('completion', 'Print a completion script for bash or zsh')
    .wrap(width)
    .exitProcess(false)
    .fail(false);
  for (const command of commands) addCommand(parser, command);
  return parser;
}

function addCommand(parser: Argv, command: AnyCommand): void {
  parser.command(command.name, command.summary, (own) => {
    own
      .usage(`coppice ${command.name} [targets..] [options]\n\n${command.details}`)
      .options(withArguments(command.options))
      .epilogue(formatEpilogue(command));
    for (const { command: line, says } of command.examples) own.example(line, says);
  });
}

/** Every option but a flag needs its argument: `--named --json` is a slip, not a name. */
function withArguments(options: OptionSpecs): OptionSpecs {
  const specs = Object.entries(options).map(([name, spec]) => {
    return [name, spec.type === 'boolean' || spec.nargs ? spec : { ...spec, requiresArg: true }];
  });
  return Object.fromEntries(specs);
}

function checkOptions(parsed: Parsed, { options }: AnyCommand): void {
  const known = [...Object.keys(options), ...Object.keys(ALWAYS)];
  for (const [name, value] of Object.entries(parsed)) {
    if (name === '_' || name === '$0') continue;
    const spec = options[name];
    if (!known.includes(name)) {
      throw new UsageError(`--${name} is no option of this command${suggest(name, known, '--')}`);
    }
    if (Array.isArray(value) && spec && !spec.array) {
      throw new UsageError(`--${name} was given ${value.length} times; once is enough`);
    }
    if (spec?.type === 'number' && !(Number.isInteger(value) && Number(value) >= 0)) {
      throw new UsageError(`--${name} needs a whole number`);
    }
  }
}

function suggest(typed: string, known: readonly string[], prefix = ''): string {
  const begun = known.find((name) => name.startsWith(typed));
  if (begun !== undefined) return `. Did you mean ${prefix}${begun}?`;
  const scored = known.map((name) => ({ name, distance: leven(typed, name) }));
  const [best] = scored.toSorted((a, b) => a.distance - b.distance);
  const isNear = best && best.distance <= Math.min(MAX_DISTANCE, Math.ceil(typed.length / 2));
  return isNear ? `. Did you mean ${prefix}${best.name}?` : '';
}
