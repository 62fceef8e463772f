import { isAbsolute, join } from 'node:path';
import type { DatabaseKind } from '../../../../dialect/surroundings/records.ts';
import type { LookedAt } from '../../../../dialect/rule.ts';
import { findHome } from '../home.ts';
import { listOtherSettings, SETTINGS } from './settings.ts';
import { toFileId } from '../../format.ts';
import { HISTORY, PROJECTION } from './databases.ts';

/** The directory in a home in which the app keeps databases of its own. */
export const APP_DIRECTORY = 'sqlite';

/** How much of each rollout the list of turns of Codex covers. */
const COVERED: DatabaseKind = {
  ...HISTORY,
  tables: { [PROJECTION]: ['thread_id', 'next_rollout_byte_offset'] },
};
const HISTORY_FILE = /^thread_history_\d{1,9}\.sqlite$/;

/**
 * Reads up to which byte of a rollout Codex has read it for its list of turns; undefined where it has not,
 * `unknown` where its database cannot be read.
 */
export async function readProjection(
  path: string,
  files: LookedAt,
): Promise<number | 'unknown' | undefined> {
  const [home, key] = [findHome(path), toFileId(path)];
  if (home === undefined || key === undefined) return undefined;
  let offset: number | 'unknown' | undefined;
  for (const directory of await listDatabaseHomes(home, files)) {
    const names = await files.listNames(directory);
    if (!names.some((one) => HISTORY_FILE.test(one))) continue;
    const rows = (await files.readTables(directory, [COVERED])).get(PROJECTION);
    const row = rows?.find((one) => one['thread_id'] === key);
    if (!rows) return 'unknown';
    if (row) offset = Number(row['next_rollout_byte_offset']);
  }
  return offset;
}

/** Returns whether databases of a home are anywhere but in it. */
export async function hasDatabasesElsewhere(path: string, files: LookedAt): Promise<boolean> {
  const home = findHome(path);
  if (home === undefined) return false;
  for (const directory of await listAllDatabaseHomes(home, files)) {
    const names = directory === home ? [] : await files.listNames(directory);
    if (names.some((name) => name.endsWith('.sqlite'))) return true;
  }
  return false;
}

const SQLITE_HOME = /^[ \t]{0,16}sqlite_home[ \t]{0,16}=[ \t]{0,16}(["'])([^"'\n]{1,4096})\1/m;

/** The variable that names the directory of Codex's databases, unless its settings do. */
export const SQLITE_VARIABLE = 'CODEX_SQLITE_HOME';

/**
 * Lists the directories in which the databases of a home may be: the user may have named another one, and the
 * app has its own.
 */
export async function listDatabaseHomes(
  home: string,
  files: Pick<LookedAt, 'readStart' | 'env'>,
): Promise<readonly string[]> {
  return listNamedHomes(home, [await files.readStart(join(home, SETTINGS))], files);
}

/** Lists those, too, that a profile, the system or a project names. */
async function listAllDatabaseHomes(home: string, files: LookedAt): Promise<readonly string[]> {
  const text = await files.readStart(join(home, SETTINGS));
  const others = listOtherSettings(home, await files.listNames(home), text ?? '');
  const texts = await Promise.all(others.map((path) => files.readStart(path)));
  return listNamedHomes(home, [text, ...texts], files);
}

/** Lists a home, the directory of its app, and those that settings and the environment name. */
function listNamedHomes(
  home: string,
  settings: readonly (string | undefined)[],
  { env }: Pick<LookedAt, 'env'>,
): readonly string[] {
  const named = settings.map((text) => SQLITE_HOME.exec(text ?? '')?.[2]);
  const others = [...named, env[SQLITE_VARIABLE]].flatMap((one) => one || []);
  const own = [home, join(home, APP_DIRECTORY)];
  return [...own, ...others.map((one) => (isAbsolute(one) ? one : join(home, one)))];
}
