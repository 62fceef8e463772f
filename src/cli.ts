import yargs, { type Argv } from 'yargs';
import type { AnyCommand, Context, OptionSpecs } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { readConfigLayers } from './commands/config.ts';
import { formatEpilogue, formatOverview } from './commands/help.ts';
import { formatHint } from './hint.ts';
import { configOptions } from './commands/options.ts';
import { printConfig } from './commands/print-config.ts';
import { CoppiceError, ExitCode, UsageError } from './errors.ts';
import { readVersion } from './version.ts';

const MAX_HELP_WIDTH = 100;
const ALWAYS: OptionSpecs = { help: { alias: 'h' }, version: {}, ...configOptions };

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
    const hint = formatHint(
      name,
      commands.map((known) => known.name),
    );
    throw new UsageError(`${name} is no command${hint || `. There are ${listNames()}.`}`);
  }
  checkOptions(parsed, command);
  const configured = await configure(argv, { parsed, command }, context);
  if (typeof configured === 'number') return configured;
  // The options have been checked against the command's own table, which its `run` is typed by.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return command.run({ ...configured, targets } as never, context);
}

/** What the command line says, over what configuration files say; or that was all that was asked. */
async function configure(
  argv: readonly string[],
  { parsed, command }: { readonly parsed: Parsed; readonly command: AnyCommand },
  context: Context,
): Promise<Parsed | ExitCode> {
  const asked = parsed['config'];
  const file = typeof asked === 'string' || asked === false ? asked : undefined;
  const layers = await readConfigLayers(command, commands, file, context);
  const defaults = Object.assign({}, ...layers.map(({ values }) => values));
  const isEmpty = Object.keys(defaults).length === 0;
  const values = isEmpty ? parsed : (await parse(argv, context, { defaults })).parsed;
  if (parsed['print-config'] !== true) return values;
  const { parsed: given } = await parse(argv, context, { isBare: true });
  return printConfig({ command, layers, given, values }, context);
}

function listNames(): string {
  return commands.map(({ name }) => name).join(', ');
}

interface Parsed {
  readonly _: readonly (string | number)[];
  readonly [option: string]: unknown;
}

interface ParserOptions {
  /** In place of the options' own. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** No defaults at all: only what the command line says. */
  readonly isBare?: boolean;
}

async function parse(
  argv: readonly string[],
  { terminal }: Context,
  how: ParserOptions = {},
): Promise<{ parsed: Parsed; output: string }> {
  const width = Math.min(terminal.out.columns ?? MAX_HELP_WIDTH, MAX_HELP_WIDTH);
  const parser = createParser(width, how);
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
function createParser(width: number, how: ParserOptions): Argv {
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
  for (const command of commands) addCommand(parser, command, how);
  return parser;
}

function addCommand(parser: Argv, command: AnyCommand, { defaults, isBare }: ParserOptions): void {
  const options = { ...command.options, ...configOptions };
  parser.command(command.name, command.summary, (own) => {
    own
      .usage(`coppice ${command.name} [targets..] [options]\n\n${command.details}`)
      .options(withArguments(isBare ? withoutDefaults(options) : options))
      .config(defaults ?? {})
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

function withoutDefaults(options: OptionSpecs): OptionSpecs {
  const specs = Object.entries(options).map(([name, { default: _, ...spec }]) => [name, spec]);
  return Object.fromEntries(specs);
}

function checkOptions(parsed: Parsed, { options }: AnyCommand): void {
  const known = [...Object.keys(options), ...Object.keys(ALWAYS)];
  for (const [name, value] of Object.entries(parsed)) {
    if (name === '_' || name === '$0') continue;
    const spec = options[name];
    if (!known.includes(name)) {
      throw new UsageError(
        `--${name} is no option of this command${formatHint(name, known, '--')}`,
      );
    }
    if (Array.isArray(value) && spec && !spec.array) {
      throw new UsageError(`--${name} was given ${value.length} times; once is enough`);
    }
    if (spec?.type === 'number' && !(Number.isInteger(value) && Number(value) >= 0)) {
      throw new UsageError(`--${name} needs a whole number`);
    }
  }
}
