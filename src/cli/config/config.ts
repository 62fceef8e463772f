import { dirname, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import {
  isObject,
  type JsonObject,
  isArray,
  type JsonValue,
} from '../../session/jsonl/edit/json.ts';
import {
  type ConfigFile,
  findProjectConfig,
  readConfig,
  readNamedConfig,
} from '../../store/settings/config-files.ts';
import { getUserConfigPath } from '../../store/settings/own-directories.ts';
import { describeMissing, isEmptyValue } from '../check-options.ts';
import { findContradiction } from '../check-together.ts';
import { getOption } from '../option-table.ts';
import { expandHome } from '../../session/model/paths.ts';
import type { AnyCommand, Context, OptionSpec } from '../../commands/command.ts';
import { commands } from '../../commands/index.ts';
import { formatHint, formatChoices } from '../../report/text/suggest.ts';
import { findGlobFault, toAbsoluteGlob } from '../../store/find/path-glob.ts';
import { findCountFault, findPartsFault, toCount, findNumberFault } from '../../commands/values.ts';

/** The section that is for every command that has the option. */
const DEFAULTS = 'defaults';

const SCHEMA = '$schema';

/** The options that one file sets for one command. */
export interface ConfigLayer {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface TrustedFile extends ConfigFile {
  /** The person's own, or one that was named on the command line: not one that happens to be there. */
  readonly isUsers: boolean;
}

/**
 * Reads the options that configuration files set for a command: the user's file, then the project's, which
 * counts for more. `asked`: the file that the command line names, or false for none.
 * @throws UsageError that names the file and the option, also for commands that do not run.
 */
export async function readConfigLayers(
  command: AnyCommand,
  asked: string | false | undefined,
  context: Context,
): Promise<readonly ConfigLayer[]> {
  const files = await findFiles(asked, context);
  const meant = await loadMeant(files);
  return files.map((file) => {
    for (const [name, section] of Object.entries(file.content)) {
      if (name !== SCHEMA) checkSection(file, name, section, meant);
    }
    for (const one of meant) checkContradictions(file, one, context);
    return { path: file.path, values: toValues(file, command, context) };
  });
}

async function findFiles(
  asked: string | false | undefined,
  context: Context,
): Promise<readonly TrustedFile[]> {
  if (asked === false) return [];
  if (asked !== undefined) {
    const path = resolve(context.cwd, asked);
    const file = await readNamedConfig(path);
    if (!file) throw new UsageError(`--config ${asked}: no such file`);
    return [{ ...file, isUsers: true }];
  }
  const own = await readConfig(getUserConfigPath(context));
  const project = await findProjectConfig(context.cwd);
  return [
    ...(own ? [{ ...own, isUsers: true }] : []),
    ...(project ? [{ ...project, isUsers: false }] : []),
  ];
}

/** The commands that the files are about. */
async function loadMeant(files: readonly ConfigFile[]): Promise<readonly AnyCommand[]> {
  const sections = new Set(files.flatMap(({ content }) => Object.keys(content)));
  const meant = sections.has(DEFAULTS)
    ? commands
    : commands.filter(({ name }) => sections.has(name));
  return Promise.all(meant.map(({ load }) => load()));
}

function checkSection(
  file: TrustedFile,
  name: string,
  section: unknown,
  loaded: readonly AnyCommand[],
): void {
  const names = [DEFAULTS, ...commands.map((command) => command.name)];
  const meant = name === DEFAULTS ? loaded : loaded.filter((command) => command.name === name);
  if (meant.length === 0) {
    const hint = formatHint(name, names) || `; use one of ${names.join(', ')}`;
    throw new UsageError(`${file.path}: unknown command '${name}'${hint}`);
  }
  if (!isObject(section))
    throw new UsageError(`${file.path}: ${name}: expected an object of options`);
  for (const [option, value] of Object.entries(section)) {
    const where = `${file.path}: ${name}.${option}`;
    const specs = meant.flatMap(({ options }) => getOption(option, options) ?? []);
    if (specs.length === 0) {
      const known = meant.flatMap(({ options }) => Object.keys(options));
      throw new UsageError(`${where}: unknown option${formatHint(option, known)}`);
    }
    const open = specs.filter(({ inConfig }) => inConfig);
    for (const spec of open.length > 0 ? open : specs) checkOption(where, spec, value, file);
  }
}

/** A file must never make a command do more than it shows, or a stranger's file anything at all. */
function checkOption(where: string, spec: OptionSpec, value: unknown, file: TrustedFile): void {
  if (!spec.inConfig) {
    throw new UsageError(`${where}: is only accepted on the command line; remove it from the file`);
  }
  const { by, exceptToProjects = [] } = spec.inConfig;
  if (!file.isUsers && (by === 'user' || exceptToProjects.some((one) => one === value))) {
    throw new UsageError(
      `${where}: is not allowed in a project file; use your own configuration, or --config`,
    );
  }
  const fault = findFault(spec, value);
  if (fault !== undefined) throw new UsageError(`${where}: ${fault}`);
}

/** Refuses a file that says something and its opposite: which one was meant is not for us to guess. */
function checkContradictions(file: ConfigFile, command: AnyCommand, context: Context): void {
  const [option, other] = findContradiction(toValues(file, command, context), command) ?? [];
  if (option === undefined) return;
  const where = `${file.path}: ${command.name}.${option}`;
  throw new UsageError(`${where}: cannot be combined with ${other}; remove one of them`);
}

function toValues(
  { path, content }: ConfigFile,
  { name, options }: AnyCommand,
  { home }: Context,
): JsonObject {
  const place = { directory: dirname(path), home };
  const sections = [content[DEFAULTS], content[name]].filter(isObject);
  const entries = sections.flatMap((section) => Object.entries(section));
  return Object.fromEntries(
    entries.flatMap(([option, value]) => {
      const spec = getOption(option, options);
      return spec?.inConfig && value !== undefined
        ? [[option, toOptionValue(spec, value, place)]]
        : [];
    }),
  );
}

/** Finds the fault in the value of an option in a configuration; undefined if it is valid. */
function findFault(spec: OptionSpec, value: unknown): string | undefined {
  if (spec.type === 'boolean')
    return typeof value === 'boolean' ? undefined : 'expected true or false';
  if (isEmptyValue(value)) return describeMissing(spec);
  if (spec.type === 'number') return findNumberFault(value, spec.range);
  if (spec.isCount) return findCountFault(isScalar(value) ? toCount(value) : value);
  if (spec.choices) {
    return spec.choices.some((choice) => choice === value)
      ? undefined
      : formatChoices(isScalar(value) ? String(value) : typeof value, spec.choices.map(String));
  }
  if (spec.inConfig?.holds === 'pairs' && isObject(value)) {
    if (!Object.values(value).every(isScalar)) return 'expected strings or numbers as values';
    return findPairFault(spec, toPairs(value));
  }
  if (spec.inConfig?.holds === 'rules-by-path') return findRulesFault(value);
  if (spec.inConfig?.holds === 'globs' && isArray(value)) {
    const globs = value.filter((item) => typeof item === 'string');
    const fault = findGlobFault(globs);
    if (fault !== undefined) return fault;
  }
  if (!spec.array) {
    return typeof value === 'string' ? findPairFault(spec, [value]) : 'expected a string';
  }
  const texts = isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  if (isArray(value) && texts.length === value.length) return findPairFault(spec, texts);
  return spec.inConfig?.holds === 'pairs'
    ? 'expected an object or a list of strings'
    : 'expected a list of strings';
}

/** The value as the command line would have it: paths as seen from the file, pairs as `key=value`. */
function toOptionValue(
  { inConfig, isPath }: OptionSpec,
  value: JsonValue,
  { directory, home }: { readonly directory: string; readonly home: string },
): JsonValue {
  if (isPath) {
    const toPath = (path: JsonValue): JsonValue =>
      typeof path === 'string' ? resolve(directory, expandHome(path, home)) : path;
    return isArray(value) ? value.map(toPath) : toPath(value);
  }
  if (inConfig?.holds === 'globs' && isArray(value)) {
    return value.map((glob) =>
      typeof glob === 'string' ? toAbsoluteGlob(glob, directory, home) : glob,
    );
  }
  if (inConfig?.holds === 'rules-by-path' && isObject(value)) {
    return Object.entries(value).flatMap(([glob, levels]) => {
      const where = toAbsoluteGlob(glob, directory, home);
      return isObject(levels) ? toPairs(levels).map((pair) => `${pair}:${where}`) : [];
    });
  }
  if (inConfig?.holds === 'pairs' && isObject(value)) {
    return toPairs(value);
  }
  return value;
}

/** The levels themselves are checked by the command, whose rules they are. */
function findRulesFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'expected an object of rules by glob';
  const isOdd = Object.values(value).some(
    (levels) => !isObject(levels) || !Object.values(levels).every(isScalar),
  );
  return isOdd ? 'expected an object of rules for each glob' : findGlobFault(Object.keys(value));
}

function findPairFault({ parts }: OptionSpec, texts: readonly string[]): string | undefined {
  const faults = parts && texts.flatMap((text) => findPartsFault(text, parts) ?? []);
  return faults?.[0];
}

function toPairs(value: object): string[] {
  return Object.entries(value).map(([key, one]) =>
    // A model glob that stands for every model: the bare value.
    key === '*' ? toText(one) : `${key}=${toText(one)}`,
  );
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
