import { dirname, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { isObject, type JsonObject } from '../session/jsonl/edit/json.ts';
import {
  type ConfigFile,
  findProjectConfig,
  getUserConfigPath,
  readConfig,
  readNamedConfig,
} from '../store/settings/config-files.ts';
import type { AnyCommand, Context, OptionSpec } from '../commands/command.ts';
import { commands } from '../commands/index.ts';
import { findFault, toOptionValue } from './config-value.ts';
import { formatHint } from '../report/text/suggest.ts';

/** For every command that has the option. */
export const DEFAULTS = 'defaults';
const SCHEMA = '$schema';

/** What one file says of the options of one command. */
export interface ConfigLayer {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

interface TrustedFile extends ConfigFile {
  /** The person's own, or one that was named on the command line: not one that happens to be there. */
  readonly isOwn: boolean;
}

/**
 * What configuration files say of a command's options: the person's own file, then the project's,
 * which counts for more. `asked`: the file that the command line names, or false for none.
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
    return [{ ...file, isOwn: true }];
  }
  const own = await readConfig(getUserConfigPath(context));
  const project = await findProjectConfig(context.cwd);
  return [
    ...(own ? [{ ...own, isOwn: true }] : []),
    ...(project ? [{ ...project, isOwn: false }] : []),
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
  if (!isObject(section)) throw new UsageError(`${file.path}: ${name} is not an object of options`);
  for (const [option, value] of Object.entries(section)) {
    const where = `${file.path}: ${name}.${option}`;
    const specs = meant.flatMap(({ options }) => {
      const spec = Object.hasOwn(options, option) ? options[option] : undefined;
      return spec ? [spec] : [];
    });
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
    throw new UsageError(`${where}: is for the command line only: it says what one run is to do`);
  }
  if (spec.inConfig.by === 'user' && !file.isOwn) {
    throw new UsageError(
      `${where}: is not allowed in a project file; use your own configuration, or --config`,
    );
  }
  const fault = findFault(spec, value);
  if (fault !== undefined) throw new UsageError(`${where}: ${fault}`);
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
      const spec = Object.hasOwn(options, option) ? options[option] : undefined;
      return spec?.inConfig && value !== undefined
        ? [[option, toOptionValue(spec, value, place)]]
        : [];
    }),
  );
}
