import { basename, dirname, join, relative } from 'node:path';
import { CoppiceError } from '../../../../errors.ts';
import { getAgentDir } from './agent-dir.ts';
import { findDefaultStores } from './default-stores.ts';
import type { AgentWorld, StoreWorld } from '../../../dialect/surroundings/world.ts';
import type { ProjectNaming } from '../../../dialect/dialect.ts';
import type { NewIdentity } from '../../../dialect/migration.ts';
import { PI_SESSION_ID } from '../../../dialect/pi-lines.ts';
import { isInside, listAbove } from '../../../model/paths.ts';

const MAX_TRIES = 100;

/**
 * Ids that pi accepts, as `assertValidSessionId` of pi 0.87.1: they become part of a file's name.
 * @throws CoppiceError with pi's own words.
 */
export function assertValidSessionId(id: string): void {
  if (isValidSessionId(id)) return;
  throw new CoppiceError(
    "Session id must be non-empty, contain only alphanumeric characters, '-', '_', and '.', and start and end with an alphanumeric character",
  );
}

export function isValidSessionId(id: string): boolean {
  return PI_SESSION_ID.test(id);
}

/**
 * A new entry id as pi makes them: 8 hex digits that are not taken, a whole UUID after 100
 * collisions. `createId` makes UUIDs of version 7, whose last digits are random.
 */
export function createEntryId(createId: () => string, isTaken: (id: string) => boolean): string {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const id = createId().slice(-8);
    if (!isTaken(id)) return id;
  }
  return createId();
}

/**
 * The name of the directory that pi keeps a project's sessions in, as `getDefaultSessionDirPath` of
 * 0.87.1. Not reversible; `cwd` is absolute.
 */
export function toProjectDirectoryName(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;
}

/** The directory of a project, which may have a line break in its name as any directory. */
const PROJECT_DIRECTORY = /^--.*--$/s;

/** Returns whether a session is in `<sessions root>/--<cwd>--`, and not flat in a custom directory. */
export function isInProjectDirectory(path: string): boolean {
  return PROJECT_DIRECTORY.test(basename(dirname(path)));
}

/** Returns whether a session is in the directory of its project, as pi or oh-my-pi names it. */
export function isBesideProjects(path: string): boolean {
  return isInProjectDirectory(path) || RELATIVE_NAME.test(basename(dirname(path)));
}

/**
 * How oh-my-pi names the directory of a project below the home of its user, or below the system's directory for
 * temporary files, as `getDefaultSessionDirName` of 18.3.4: `-src-api` for `~/src/api`. Elsewhere it does as pi.
 */
export function listNamings({ home, env }: AgentWorld): readonly ProjectNaming[] {
  // A terminal has variables that a job at night lacks, and the other way round.
  const temporary = [env['TMPDIR'], env['TMP'], env['TEMP'], '/tmp'].flatMap((one) => one || []);
  return [
    toNaming(home, ''),
    ...[...new Set(temporary)].map((one) => toNaming(one, TEMPORARY_PREFIX)),
  ];
}

const TEMPORARY_PREFIX = '-tmp';

function toNaming(below: string, prefix: string): ProjectNaming {
  return {
    below,
    toName(cwd) {
      const names = relative(below, cwd).replace(/[/\\:]/g, '-');
      return names === '' ? prefix || '-' : `${prefix}-${names}`;
    },
  };
}

/**
 * Finds how the store of a session names the directories of projects, by that of its own project, `cwd`: as pi does, or
 * as `listNamings` has it, in any home.
 */
export function findNaming(path: string, cwd: string): (cwd: string) => string {
  const name = basename(dirname(path));
  const namings = RELATIVE_NAME.test(name) ? [...listAbove(join(cwd, name))].slice(0, -1) : [];
  const own = namings
    .flatMap((below) => [toNaming(below, ''), toNaming(below, TEMPORARY_PREFIX)])
    .find(({ toName }) => toName(cwd) === name);
  if (!own) return toProjectDirectoryName;
  return (one) => (isInside(one, own.below) ? own.toName(one) : toProjectDirectoryName(one));
}

/** The name of a directory as oh-my-pi makes it below the home. */
const RELATIVE_NAME = /^-(?!-)/;

/** Makes the name that pi gives the file of a session that starts at `timestamp` (ISO 8601). */
export function toSessionFileName(timestamp: string, id: string): string {
  return `${timestamp.replace(/[:.]/g, '-')}_${id}.jsonl`;
}

/**
 * Finds the directory for a session of another working directory whose source, of the project `from`, is at `path`:
 * that of the other project beside the source's, or the same if sessions of all projects share one.
 */
export function findSiblingDirectory(path: string, from: string, cwd: string): string {
  const directory = dirname(path);
  const toName = findNaming(path, from);
  if (toName === toProjectDirectoryName && !isInProjectDirectory(path)) return directory;
  return join(dirname(directory), toName(cwd));
}

/** Lists the store of a session that is in the directory of its project, as pi or oh-my-pi names both. */
export function listStores(path: string): readonly string[] {
  const directory = dirname(path);
  const store = dirname(directory);
  return basename(directory).startsWith('-') && basename(store) === 'sessions' ? [store] : [];
}

/**
 * Finds the path of a new session as pi 0.87.1 chooses it: in the directory of its project, or flat in a
 * directory that the user's settings name.
 */
export async function findNewPath(
  { id, timestamp, cwd }: NewIdentity,
  store: string | undefined,
  world: StoreWorld,
): Promise<string> {
  const usual = join(getAgentDir(world), 'sessions');
  const [own = usual] = await findDefaultStores(world);
  const name = toSessionFileName(timestamp, id);
  if (store === undefined && own !== usual) return join(own, name);
  return join(store ?? usual, toProjectDirectoryName(cwd), name);
}
