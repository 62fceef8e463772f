import type { AnyCommand, OptionSpec } from '../commands/command.ts';
import type { Values } from './check-options.ts';
import { UsageError } from '../errors.ts';

/**
 * Checks that options of the command line go together, by the `excludes` and `needs` of the table.
 * `typed`: without defaults, so that one may be typed beside an option to which it is contrary.
 * `values`: with what configuration files say, which may fulfil a need but never conflicts.
 * @throws UsageError
 */
export function checkTogether(typed: Values, values: Values, command: AnyCommand): void {
  const { options } = command;
  const given = listGiven(typed, command);
  for (const name of given) {
    const { excludes = [], needs } = options[name] ?? {};
    const other = excludes.find((one) =>
      one.includes('=') ? holds(one, typed, options) : given.has(one),
    );
    if (other !== undefined) {
      const own = write(name, typed[name]);
      throw new UsageError(`${own}: cannot be combined with ${writeOption(other)}`);
    }
    if (needs && !needs.some((one) => holds(one, values, options))) {
      throw new UsageError(`${write(name, typed[name])}: ${describeNeeds(needs)}`);
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
    if (!isSet(values[name], options[name])) continue;
    const decided = excludes.filter((one) =>
      overridesConfig.some((it) => one.startsWith(`${it}=`)),
    );
    const other = decided.find((one) => holds(one, values, options));
    if (other !== undefined) return [name, other.replace('=', ': ')];
  }
  return undefined;
}

/**
 * The options that the command line sets, also to their defaults; a flag that is off as it would be without it asks for
 * nothing. `typed`: without defaults.
 */
export function listGiven(typed: Values, { options }: AnyCommand): ReadonlySet<string> {
  const isGiven = ([name, spec]: [string, OptionSpec]): boolean =>
    spec.type === 'boolean' ? isSet(typed[name], spec) : typed[name] !== undefined;
  return new Set(
    Object.entries(options)
      .filter(isGiven)
      .map(([name]) => name),
  );
}

/** Returns whether an option is set to something else than its default. */
function isSet(value: unknown, spec: OptionSpec | undefined): boolean {
  return value !== undefined && spec !== undefined && value !== spec.default;
}

/** Returns whether an option is set, or has the value that is named: `name` or `name=value`. */
export function holds(option: string, values: Values, options: AnyCommand['options']): boolean {
  const [name = '', value] = option.split('=', 2);
  return value === undefined ? isSet(values[name], options[name]) : String(values[name]) === value;
}

/** Describes the lack of all of these options. */
export function describeNeeds(needs: readonly string[]): string {
  return `needs ${needs.map(writeOption).join(' or ')}`;
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
