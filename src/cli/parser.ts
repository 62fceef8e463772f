import yargs, { type Argv } from 'yargs';
import type { AnyCommand, OptionSpec, OptionSpecs } from '../commands/command.ts';
import { commands } from '../commands/index.ts';
import { HELP_WIDTH } from './help/help-page.ts';
import {
  findCommon,
  formatCompletionEpilogue,
  formatEpilogue,
  formatOverview,
  OVERVIEW_EPILOGUE,
} from './help/help.ts';
import { configOptions } from '../commands/shared/options.ts';
import { toNumber } from '../commands/values.ts';
import { readVersion } from '../package.ts';

export interface ParserOptions {
  /** The width of help pages, in columns. */
  readonly width: number;
  /** The command whose options are parsed; options of other commands are only names. */
  readonly command: AnyCommand | undefined;
  /** Defaults that replace those of the options. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** No defaults at all: only what the command line says. */
  readonly isBare?: boolean;
  /** Undefined where no help is asked for; `short` leaves out what all commands have. */
  readonly help?: 'short' | 'long' | undefined;
}

/** The one place where our definitions become yargs'. */
export function createParser(how: ParserOptions): Argv {
  const parser = createBase()
    .usage(formatOverview())
    .version(readVersion())
    .alias('version', 'V')
    .wrap(how.width);
  const { command, help } = how;
  // The help of yargs would take a target named `help` for a request for the help page.
  parser
    .help(help !== undefined)
    .alias('help', 'h')
    .boolean('help');
  if (command && help === undefined) {
    // If completion were a command of yargs, yargs would lay out its help page before each run.
    describe(parser, command, how);
    return parser;
  }
  for (const { name, summary } of commands) {
    parser.command(name, summary, (own) => {
      if (command?.name === name) describe(own, command, how);
    });
  }
  return (
    parser
      // The page fits a small terminal: one that is narrow has lines for the commands only.
      .epilogue(how.width < HELP_WIDTH ? '' : OVERVIEW_EPILOGUE)
      .command(
        'completion [shell]',
        'Print a completion script for bash, zsh, fish or powershell',
        (own) => own.epilogue(formatCompletionEpilogue()),
      )
  );
}

function createBase(): Argv {
  return yargs()
    .scriptName('coppice')
    .locale('en')
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-positional-numbers': false,
      'strip-aliased': true,
    })
    .exitProcess(false)
    .fail(false);
}

function describe(own: Argv, command: AnyCommand, how: ParserOptions): void {
  const { defaults, isBare, help } = how;
  const isShort = help === 'short';
  const options: OptionSpecs = { ...command.options, ...configOptions };
  const known = withArguments(isBare ? withoutDefaults(options) : options, help !== undefined);
  own
    .usage(`coppice ${command.name} [targets..] [options]\n\n${command.details}`)
    .options(help === undefined ? known : withValues(known))
    .config(defaults ?? {})
    .epilogue(formatEpilogue(command, isShort));
  if (!isShort) return;
  const hidden = findCommon(command).map((name) => toShown(name, options[name]));
  for (const name of [...hidden, 'version', 'help']) own.hide(name);
}

/** Names each option as a help page shows it: yargs has no names for values. */
function withValues(options: OptionSpecs): OptionSpecs {
  const specs = Object.entries(options).map(([name, spec]) => [toShown(name, spec), spec]);
  return Object.fromEntries(specs);
}

function toShown(name: string, spec: OptionSpec | undefined): string {
  return spec?.value === undefined ? name : `${name} ${spec.value}`;
}

/**
 * Every option but a flag needs its argument: `--named --json` is a slip, not a name. Choices are for
 * the page: `checkOptions` says more about a wrong one.
 */
function withArguments(options: OptionSpecs, isPage: boolean): OptionSpecs {
  const specs = Object.entries(options).map(([name, spec]) => {
    const own = isPage ? spec : withoutGuesses(spec);
    return [name, spec.type === 'boolean' || spec.nargs ? own : { ...own, requiresArg: true }];
  });
  return Object.fromEntries(specs);
}

/** yargs would take an empty text for the number 0, and `0x10` for 16. */
function withoutGuesses({ choices, ...spec }: OptionSpec): OptionSpec {
  if (spec.type === 'number') return { ...spec, type: 'string', coerce: toNumber };
  return choices ? { ...spec, type: 'string' } : spec;
}

function withoutDefaults(options: OptionSpecs): OptionSpecs {
  const specs = Object.entries(options).map(([name, { default: _, ...spec }]) => [name, spec]);
  return Object.fromEntries(specs);
}

/** The word that names the command: the first that is neither an option nor the value of one. */
export async function findCommandName(argv: readonly string[]): Promise<string | undefined> {
  const [first] = argv;
  if (!first?.startsWith('-')) return first;
  // The options of every command decide which words are values.
  const all = await Promise.all(commands.map(({ load }) => load()));
  const options: OptionSpecs = Object.assign({}, ...all.map((command) => command.options));
  const known = withArguments(withoutDefaults({ ...options, ...configOptions }), false);
  const parser = createBase()
    .help(false)
    .version(false)
    .options(known)
    .boolean(['help', 'h', 'version', 'V']);
  try {
    const { _ } = await parser.parseAsync([...argv]);
    return _[0] === undefined ? undefined : String(_[0]);
  } catch (error) {
    // Faults in options are reported when the words are parsed for a command.
    if (error instanceof Error) return undefined;
    throw error;
  }
}
