import { join } from 'node:path';

/** The settings of the user in a home of Codex. */
export const SETTINGS = 'config.toml';
/** A profile (`codex --profile work`) has settings of its own beside them, such as `work.config.toml`. */
const OF_PROFILE = `.${SETTINGS}`;
/** The settings of the whole system: the first counts for less than the user's, and the other for more. */
const OF_SYSTEM = ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'];
/** The settings in a directory of a project, which count for work in it and below it. */
export const PROJECT_SETTINGS = join('.codex', SETTINGS);
const PROJECT_TABLE = '[projects.';

/**
 * Lists the files besides the user's own settings in which Codex 0.171 finds where its databases are. `names`: what is
 * in the home; `text`: the user's own settings, which name the projects whose settings count.
 */
export function listOtherSettings(
  home: string,
  names: readonly string[],
  text: string,
): readonly string[] {
  const profiles = names.filter((name) => name.endsWith(OF_PROFILE));
  return [
    ...profiles.map((name) => join(home, name)),
    ...OF_SYSTEM,
    ...listProjects(text).map((project) => join(project, PROJECT_SETTINGS)),
  ];
}

/** Lists the projects that have a table of their own, as the client writes it: `[projects."/src/api"]`. */
function listProjects(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line) => {
    if (!line.startsWith(PROJECT_TABLE)) return [];
    const key = line.slice(PROJECT_TABLE.length, line.lastIndexOf(']'));
    return readKey(key.trim()) ?? [];
  });
}

/** Reads a key of TOML in quotes: of those in double ones, the escapes are nearly those of JSON. */
function readKey(key: string): string | undefined {
  if (key.startsWith("'")) return key.slice(1, -1);
  try {
    const value: unknown = JSON.parse(key);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
