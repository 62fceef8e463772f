import yargs, { type Argv } from 'yargs';
import type { AnyCommand, OptionSpecs } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { findCommon, formatEpilogue, formatOverview } from './commands/help.ts';
import { configOptions } from './commands/options.ts';
import { readVersion } from './version.ts';

export interface ParserOptions {
  /** For help pages, in columns. */
  readonly width: number;
  /** Whose options are known; the others are only names. */
  readonly command: AnyCommand | undefined;
  /** In place of the options' own. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** No defaults at all: only what the command line says. */
  readonly isBare?: boolean;
  /** Undefined where no help is asked for; `short` leaves out what all commands have. */
  readonly help?: 'short' | 'long' | undefined;
}

/** The one place where our definitions become yargs'. */
export function createParser(how: ParserOptions): Argv {
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
    .wrap(how.width)
    .exitProcess(false)
    .fail(false);
  const { command, help } = how;
  if (command && help === undefined) {
    // As its own command, yargs would lay out its help page before each run.
    describe(parser, command, how);
    return parser;
  }
  for (const { name, summary } of commands) {
    parser.command(name, summary, (own) => {
      if (command?.name === name) describe(own, command, how);
    });
  }
  return parser.command('completion [shell]', 'Print a completion script for bash, zsh or fish');
}

function describe(own: Argv, command: AnyCommand, how: ParserOptions): void {
  const { defaults, isBare, help } = how;
  const isShort = help === 'short';
  const options = { ...command.options, ...configOptions };
  own
    .usage(`coppice ${command.name} [targets..] [options]\n\n${command.details}`)
    .options(withArguments(isBare ? withoutDefaults(options) : options))
    .config(defaults ?? {})
    .epilogue(formatEpilogue(command, isShort));
  if (isShort) for (const name of [...findCommon(command), 'version', 'help']) own.hide(name);
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
