import type { AnyCommand, OptionSpec, OptionSpecs } from '../commands/command.ts';
import { commands } from '../commands/index.ts';
import { UsageError } from '../errors.ts';
import { expandHome } from '../session/model/paths.ts';
import { formatChoices, formatHint } from '../report/text/suggest.ts';
import { ALWAYS, findOption, getOption, takeBeforeEnd } from './option-table.ts';
import { findCountFault, findPartsFault, findNumberFault } from '../commands/values.ts';

/** `--config` names a file, and `--no-config` asks for none. */
const NEGATABLE: ReadonlySet<string> = new Set(['config']);

export type Values = Readonly<Record<string, unknown>>;

/** An option as a user writes it. */
export function toFlag(name: string): string {
  return name.length > 1 ? `--${name}` : `-${name}`;
}

/**
 * Checks what the parser would take without a word: `--dry-run=yes` means false to it, and
 * `--no-store` a store by the name of `false`.
 * @throws UsageError
 */
export function checkWords(argv: readonly string[], command: AnyCommand): void {
  const { options } = command;
  const words = takeBeforeEnd(argv);
  checkTargets(words, command);
  for (const word of words) {
    const [, name = '', value] = /^--?([\w-]+)=(.*)$/s.exec(word) ?? [];
    const flag = findOption(name, { ...options, ...ALWAYS });
    if (flag?.type === 'boolean' && value !== 'true' && value !== 'false') {
      throw new UsageError(`${word}: ${toFlag(name)} takes no value; use ${toFlag(name)} alone`);
    }
    const [, negated = ''] = /^--no-([\w-]+)(?:=.*)?$/s.exec(word) ?? [];
    const spec = getOption(negated, options);
    if (spec && spec.type !== 'boolean' && !NEGATABLE.has(negated)) {
      const values = spec.choices ? `use one of ${spec.choices.join(', ')}, or ` : '';
      throw new UsageError(`--no-${negated}: --${negated} is not a flag; ${values}leave it out`);
    }
  }
}

/** @throws UsageError for a target where a second value of the option before it was probably meant. */
function checkTargets(words: readonly string[], { name: command, options }: AnyCommand): void {
  for (const [at, word] of words.entries()) {
    const [, name = '', inWord] = /^--([\w-]+)(=.*)?$/s.exec(word) ?? [];
    const ends = getOption(name, options)?.noTargetAfter === true;
    const target = words[at + (inWord === undefined ? 2 : 1)];
    if (!ends || target === undefined || target === command || target.startsWith('-')) continue;
    throw new UsageError(
      `${target}: a target, or another value of --${name}? Put targets before the options, or repeat ` +
        `--${name} for each value`,
    );
  }
}

/**
 * The last of several equal options counts, but for those that may be repeated, so that an alias can be overridden. Of
 * globs and files of secrets, none may be lost: one spares, or hides, what another
 * does not name.
 * @throws UsageError for two values of these
 */
export function takeLast<T extends Values>(parsed: T, options: OptionSpecs): T {
  const entries = Object.entries(parsed).map(([name, value]) => {
    const spec = getOption(name, { ...ALWAYS, ...options });
    const instead = spec?.insteadOfTwice;
    if (instead !== undefined && Array.isArray(value) && new Set(value).size > 1) {
      throw new UsageError(`--${name}: is there twice, and only the last would count; ${instead}`);
    }
    return [name, spec && !spec.array && Array.isArray(value) ? value.at(-1) : value];
  });
  return Object.assign(Object.create(null), parsed, Object.fromEntries(entries));
}

/** A shell expands `~/` in `--out ~/x`, but not in `--out=~/x`. */
export function expandPaths<T extends Values>(parsed: T, options: OptionSpecs, home: string): T {
  const expand = (value: unknown): unknown =>
    typeof value === 'string' ? expandHome(value, home) : value;
  const entries = Object.entries(parsed).map(([name, value]) => {
    const spec = getOption(name, { ...ALWAYS, ...options });
    if (!spec?.isPath) return [name, value];
    return [name, Array.isArray(value) ? value.map(expand) : expand(value)];
  });
  return Object.assign(Object.create(null), parsed, Object.fromEntries(entries));
}

/**
 * `argv`: the words as they were typed.
 * @throws UsageError for unknown options, and for values that are not of the option's type.
 */
export async function checkOptions(
  parsed: Values,
  argv: readonly string[],
  command: AnyCommand,
): Promise<void> {
  const { options } = command;
  const known = [...Object.keys(options), ...Object.keys(ALWAYS)];
  for (const [name, value] of Object.entries(parsed)) {
    if (name === '_' || name === '$0') continue;
    if (!known.includes(name)) {
      // A name without a dash more is that of a file, or a mistake for two dashes.
      if (name.length > 1 && argv.includes(`-${name}`)) {
        throw new UsageError(`-${name}: unknown option; to name a file, write ./-${name}`);
      }
      const typed = argv.includes(`--no-${name}`) ? `no-${name}` : name;
      throw new UsageError(`${toFlag(typed)}: ${await describeUnknown(name, known, command)}`);
    }
    checkValue(name, value, options);
  }
}

/** Describes an option that a command does not have: another may have it, or one of nearly that name is meant. */
async function describeUnknown(
  name: string,
  known: readonly string[],
  { name: command }: AnyCommand,
): Promise<string> {
  const hint = formatHint(name, known, '--');
  // It has the same in other words.
  if (hint !== '' && known.some((one) => one.endsWith(`-${name}`))) return `unknown option${hint}`;
  const all = await Promise.all(commands.map(({ load }) => load()));
  const having = all.filter(({ options }) => Object.hasOwn(options, name)).map((one) => one.name);
  if (having.length === 0) {
    return `unknown option${hint === '' ? `; see coppice ${command} --help` : hint}`;
  }
  const verb = having.length === 1 ? 'has' : 'have';
  return `unknown option of ${command}; ${having.join(', ')} ${verb} it`;
}

/** Returns whether a value is empty: a variable that is not set would stand for the directory that one is in. */
export function isEmptyValue(value: unknown): boolean {
  return Array.isArray(value) ? value.includes('') : value === '';
}

/** Describes the fault of an option without its value. */
export function describeMissing(spec: Pick<OptionSpec, 'choices'> | undefined): string {
  const { choices } = spec ?? {};
  return choices ? `needs a value; use one of ${choices.join(', ')}` : 'needs a value';
}

function checkValue(name: string, value: unknown, options: OptionSpecs): void {
  const spec = options[name];
  if (isEmptyValue(value)) throw new UsageError(`--${name}: ${describeMissing(spec)}`);
  if (!spec || value === undefined) return;
  const { type, range, isCount, parts, choices } = spec;
  const fault =
    type === 'number' ? findNumberFault(value, range) : isCount && findCountFault(value);
  if (fault) throw new UsageError(`--${name}: ${fault}`);
  for (const text of [value].flat()) {
    const wrong = typeof text === 'string' && parts && findPartsFault(text, parts);
    if (wrong) throw new UsageError(`--${name} ${text}: ${wrong}`);
  }
  const names = choices?.map(String);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!names || names.includes(text)) return;
  const [other] = Object.entries(options).find(([, one]) => one.choices?.includes(text)) ?? [];
  const remedy = other === undefined ? '' : `; --${other} takes ${text}`;
  throw new UsageError(`--${name} ${text}: ${formatChoices(text, names)}${remedy}`);
}
