import type { Dirent } from 'node:fs';
import { lstat, opendir, readdir, stat } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { ProjectNaming } from '../../session/dialect/dialect.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import {
  isMissing,
  orFileErrorSync,
  throwIfBug,
  toFileError,
} from '../../session/jsonl/files/file-error.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { fileExists } from '../../session/jsonl/read/read-lines.ts';
import {
  findPathSystem,
  isAmbiguous,
  isInside,
  isOwnPath,
  listAbove,
} from '../../session/model/paths.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { getRealPath, orPath } from '../files/stat-file.ts';
import { ProjectNames } from './project-names.ts';
import { isSpelledOtherwise, listSpelled } from './other-spelling.ts';

/** Other directories that an agent gives the same name to, and so keeps their sessions in the same place. */
interface Namesakes {
  /** The directories that exist. */
  readonly paths: readonly string[];
  /** The reason why there may be more. */
  readonly doubt?: string | undefined;
}

/** Answers questions about the working directories of sessions; looks for each name once. */
export class WorkingDirectories {
  readonly #namesakes = new Map<string, Promise<Namesakes>>();
  readonly #owners = new Map<string, Promise<Namesakes>>();
  readonly #names: ProjectNames;
  readonly #world: AgentWorld;

  constructor(world: AgentWorld) {
    this.#names = new ProjectNames(world);
    this.#world = world;
  }

  /** Returns the reason why a session that names a project may be of another; undefined if it is not. */
  async doubtProject(summary: SessionSummary, project: string): Promise<string | undefined> {
    if (isAmbiguous(project)) return 'the name of its project is not UTF-8';
    const others = [await this.#findNamesakes(summary), await this.#findOwners(summary, [])];
    const paths = [...others.flatMap((one) => one.paths), ...(await listListed(summary))];
    const other = paths.find((path) => !isInside(path, project));
    const doubt = others.find((one) => one.doubt !== undefined)?.doubt;
    return other === undefined ? doubt : `its working directory may be ${other}`;
  }

  /** Returns whether a directory of a session exists, or the reasons why none may be gone; none if all are. */
  async findMissing(summary: SessionSummary): Promise<'there' | readonly string[]> {
    const { path: own, otherCwds = [], earlierPaths = [] } = summary;
    const doubts: string[] = [];
    for (const cwd of [summary.cwd, ...otherCwds]) {
      const state = await findDirectoryState(cwd);
      if (state === 'there') return state;
      if (state !== 'gone') doubts.push(state.doubt);
    }
    const others = [await this.#findNamesakes(summary)];
    for (const path of [own, ...earlierPaths]) {
      others.push(await this.#findOwners({ ...summary, path }, otherCwds));
    }
    if (others.some(({ paths }) => paths.length > 0)) return 'there';
    return [...others.flatMap(({ doubt }) => doubt ?? []), ...doubts];
  }

  async #findNamesakes({ agent, cwd }: SessionSummary): Promise<Namesakes> {
    const { surroundings } = getDialect(agent).places;
    if (!surroundings || !isOwnPath(cwd)) return NO_NAMESAKES;
    const { toName } = surroundings;
    const key = `${agent} ${cwd}`;
    const naming = { below: parse(cwd).root, toName };
    const found = this.#namesakes.get(key) ?? findNamed(toName(cwd), naming, [cwd]);
    this.#namesakes.set(key, found);
    return found;
  }

  /**
   * Finds where the agent lists a session besides the directories that it names: somebody moved the project, and its
   * sessions with it, or a link to them. Several directories may have one name there, such as `my_api` and `my-api`.
   * `known`: directories of it that count as well.
   */
  async #findOwners(
    { agent, path, cwd }: SessionSummary,
    known: readonly string[],
  ): Promise<Namesakes> {
    const namings = listNamings(agent, path, this.#world);
    if (namings.length === 0) return NO_NAMESAKES;
    const names = this.#names.list(path);
    const own = [cwd, ...known].filter(isOwnPath);
    return joinNamesakes(
      await Promise.all(names.map((name) => this.#findOwnersOf(name, agent, namings, own))),
    );
  }

  /** Finds the directories with a name, other than `own`, for which the agent has it as well. */
  #findOwnersOf(
    name: string,
    agent: Agent,
    namings: readonly ProjectNaming[],
    own: readonly string[],
  ): Promise<Namesakes> {
    const named = own.filter((one) => namings.some(({ toName }) => toName(one) === name));
    const key = [agent, name, ...named].join('\0');
    const search = async (): Promise<Namesakes> => {
      const found = joinNamesakes(
        await Promise.all(namings.map((naming) => findNamed(name, naming, named))),
      );
      // The name is explained: a directory that cannot be read need not be another one that has it.
      return named.length > 0 ? { paths: found.paths } : found;
    };
    const found = this.#owners.get(key) ?? search();
    this.#owners.set(key, found);
    return found;
  }
}

const NO_NAMESAKES: Namesakes = { paths: [] };

/** How the directory that a session is in may be named after that of its project. */
function listNamings(agent: Agent, path: string, world: AgentWorld): readonly ProjectNaming[] {
  const { migration, relocation, places } = getDialect(agent);
  const toName = (migration ?? relocation)?.toProjectDirectoryName ?? places.surroundings?.toName;
  if (!toName) return [];
  return [{ below: parse(path).root, toName }, ...(places.listNamings?.(world) ?? [])];
}

function joinNamesakes(found: readonly Namesakes[]): Namesakes {
  const paths = found.flatMap((one) => one.paths);
  return { paths, doubt: found.find((one) => one.doubt !== undefined)?.doubt };
}

/** Lists the directory by which its agent lists a session, if that is there, and is not only another name of its own. */
async function listListed({ cwd, listedCwd }: SessionSummary): Promise<readonly string[]> {
  if (listedCwd === undefined || (await findDirectoryState(listedCwd)) !== 'there') return [];
  const [listed, own] = [listedCwd, cwd].map((path) => orPath(getRealPath, path));
  return listed === own ? [] : [listedCwd];
}

type DirectoryState = 'there' | 'gone' | { readonly doubt: string };

/** Returns whether a working directory is certainly gone; a doubt where this machine cannot know. */
async function findDirectoryState(path: string): Promise<DirectoryState> {
  const state = await findStateAt(path);
  // An agent may join its own directory and `../lib`: once its own is gone, that leads nowhere.
  const plain = state === 'gone' ? resolve(path) : path;
  return plain === path ? state : findStateAt(plain);
}

async function findStateAt(path: string): Promise<DirectoryState> {
  if (path === '') return { doubt: 'its working directory is not known' };
  if (isAmbiguous(path)) return { doubt: 'the name of its working directory is not UTF-8' };
  if (path.includes('\0')) return { doubt: 'its working directory is not a path' };
  if (!isOwnPath(path)) {
    const isElsewhere = findPathSystem(path) !== undefined;
    return {
      doubt: isElsewhere
        ? 'its working directory belongs to another operating system'
        : 'its working directory is not an absolute path',
    };
  }
  try {
    return (await stat(path)).isDirectory() ? 'there' : 'gone';
  } catch (error) {
    const problem = toFileError(error, path, 'look up the working directory');
    if (!isMissing(problem)) return { doubt: problem.message };
    const { root } = parse(path);
    if (!(await fileExists(root))) return { doubt: `its drive or share ${root} is not there` };
    const isThere = orFileErrorSync(() => isSpelledOtherwise(path));
    if (isThere === true) return 'there';
    const unread = isThere instanceof FileError && `${isThere.path}: ${isThere.message}`;
    const doubt = unread || (await doubtPlace(path));
    return doubt === undefined ? 'gone' : { doubt };
  }
}

/** The paths at which systems mount disks that come and go, and what leads to them. */
const DISK =
  /^\/(?:run(?:\/media(?:\/[^/]+){0,2})?|media(?:\/[^/]+){0,2}|(?:mnt|Volumes)(?:\/[^/]+)?)$/;

/** The directories of whose entries each is the home of a user. */
const HOMES = /^(?:[a-z]:)?[/\\](?:home|users)$/i;

/**
 * The reason why a path that is not there may be on a disk that is not mounted, or on another machine, as the home
 * of one is in a container; undefined without one.
 */
async function doubtPlace(path: string): Promise<string | undefined> {
  let missing = resolve(path);
  for (let at = missing; at !== dirname(at); at = dirname(at)) {
    try {
      const stats = await lstat(at);
      if (stats.isSymbolicLink()) return `${at} is a link that leads nowhere`;
      if (stats.isDirectory() && (await isEmpty(at))) return `its disk may not be mounted at ${at}`;
      break;
    } catch (error) {
      // A directory above it may exist.
      throwIfBug(error);
      missing = at;
    }
  }
  if (DISK.test(missing)) return `its disk may not be mounted at ${missing}`;
  const above = dirname(missing);
  const isForeign = above === parse(missing).root || HOMES.test(above);
  return isForeign ? `it may belong to another machine: ${missing} does not exist here` : undefined;
}

/** Reads no more than the first name: there may be many, and many sessions below. */
async function isEmpty(directory: string): Promise<boolean> {
  const names = await opendir(directory);
  return releaseAfter(
    async () => (await names.read()) === null,
    () => names.close(),
  );
}

/**
 * Finds the directories, other than `own`, to which the agent gives a name. Looks around these as well: a directory
 * above them may be one that can be entered and not read.
 */
async function findNamed(
  name: string,
  { below, toName }: ProjectNaming,
  own: readonly string[],
): Promise<Namesakes> {
  const paths: string[] = [];
  let doubt: string | undefined;
  // The directory may have been copied from a disk with names in another form.
  const listNames = (path: string): readonly string[] => listSpelled(path).map(toName);
  const isBelow = (path: string): boolean =>
    listNames(path).some((one) => name.startsWith(toBeginning(one)));
  const around = own.flatMap((one) => [...listAbove(one)]).filter((one) => isInside(one, below));
  // A set that grows is walked to its end.
  const seen = new Set([below, ...around.filter(isBelow)]);
  for (const at of seen) {
    if (!own.includes(at) && listNames(at).includes(name)) paths.push(at);
    try {
      const directories = (await readdir(at, { withFileTypes: true })).filter(isDirectory);
      const further = directories.map(({ name: last }) => join(at, last)).filter(isBelow);
      for (const one of further) seen.add(one);
    } catch (error) {
      const problem = toFileError(error, at, 'read');
      if (!isMissing(problem)) doubt ??= `${at}: ${problem.message}`;
    }
  }
  return { paths, doubt };
}

/** The part of a name with which those of all directories below begin: it may be closed, or cut. */
function toBeginning(name: string): string {
  return name.slice(0, 200).replace(/--$/, '');
}

/** Returns whether it is a directory, and not a link: an agent is in a directory by its own name. */
function isDirectory(one: Dirent): boolean {
  return one.isDirectory();
}
