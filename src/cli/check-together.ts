import type { AnyCommand, OptionSpec } from '../commands/command.ts';
import type { Values } from './check-options.ts';
import { UsageError } from '../errors.ts';

/**
 * Checks that options of the command line go together, by the `excludes` and `needs` of the table.
 * `values`: with what configuration files say, which may fulfil a need but never conflicts.
 * @throws UsageError
 */
export function checkTogether(parsed: Values, values: Values, command: AnyCommand): void {
  const { options } = command;
  for (const name of listGiven(parsed, command)) {
    const { excludes = [], needs } = options[name] ?? {};
    const other = excludes.find((one) => holds(one, parsed, options));
    if (other !== undefined) {
      const own = write(name, parsed[name]);
      throw new UsageError(`${own}: cannot be combined with ${writeOption(other)}`);
    }
    if (needs && !needs.some((one) => holds(one, values, options))) {
      const all = needs.map(writeOption).join(' or ');
      throw new UsageError(`${write(name, parsed[name])}: needs ${all}`);
    }
  }
}

/**
 * Finds two options of one configuration file that contradict each other: one decides about the other, whatever a file
 * says of that, but here it is the same file.
 */
export function findContradiction(
  values: Values,
  { options }: AnyCommand,
): readonly [string, string] | undefined {
  for (const [name, { excludes = [], overridesConfig = [] }] of Object.entries(options)) {
    if (!isGiven(values[name], options[name])) continue;
    const decided = excludes.filter((one) =>
      overridesConfig.some((it) => one.startsWith(`${it}=`)),
    );
    const other = decided.find((one) => holds(one, values, options));
    if (other !== undefined) return [name, other.replace('=', ': ')];
  }
  return undefined;
}

/** The options that were set to something else than their defaults. */
export function listGiven(values: Values, { options }: AnyCommand): ReadonlySet<string> {
  return new Set(Object.keys(options).filter((name) => isGiven(values[name], options[name])));
}

/** Returns whether an option was set to something else than its default. */
function isGiven(value: unknown, spec: OptionSpec | undefined): boolean {
  return value !== undefined && spec !== undefined && value !== spec.default;
}

/** Returns whether an option is given, or has the value that is named: `name` or `name=value`. */
function holds(option: string, values: Values, options: AnyCommand['options']): boolean {
  const [name = '', value] = option.split('=', 2);
  return value === undefined
    ? isGiven(values[name], options[name])
    : String(values[name]) === value;
}

function writeOption(option: string): string {
  const [name = '', value] = option.split('=', 2);
  return write(name, value);
}

/** Writes an option like a user: `--no-redact`, `--as parquet`, `--fix`. */
function write(name: string, value: unknown): string {
  if (value === false || value === 'false') return `--no-${name}`;
  return typeof value === 'string' && value !== 'true' ? `--${name} ${value}` : `--${name}`;
}
