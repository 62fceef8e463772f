import { dirname, isAbsolute } from 'node:path';
import { FileError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { Guard, RowDialect } from '../../session/dialect/surroundings/rows.ts';
import { orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import { withCompression } from '../../session/jsonl/zstd/is-compressed.ts';
import { type Holder, NOT_HELD } from '../../session/model/in-use.ts';
import { type FileProblem, listCwds, type SessionSummary } from '../../session/model/summary.ts';
import { isBelow } from '../../session/model/paths.ts';
import { findUnits, type Unit } from '../../session/model/tree/units.ts';
import {
  createGuardReader,
  createProjectSearch,
  describeElsewhere,
} from '../database/read-guards.ts';
import { createOtherNames } from '../database/read-records.ts';
import type { FileStates } from '../files/file-state.ts';
import { listAll } from '../files/list-all.ts';
import { getFileKey, isGone } from '../files/stat-file.ts';
import { listSharingHomes } from '../lock/find-homes.ts';
import { findHolder } from './find-use.ts';
import { hasOtherName, NOT_PINNED, PinReader } from './pins.ts';
import { type Prunable, readUnitFiles } from './read-prunable.ts';
import { type SessionFiles, toOwnName } from './session-files.ts';
import type { UnreadFact } from './surroundings.ts';
import { sumUp } from './unit-facts.ts';
import { describeUnlisted, listUnlisted } from './unlisted.ts';
import type { Survey } from './sidecars/survey.ts';
import { addTo } from '../../session/model/tree/group-by.ts';

export interface FoundPrunable extends Prunable {
  /** It is among the targets, and not only in the same store. */
  readonly isTarget: boolean;
}

/** The facts read from the sessions that the policy may be about. */
export interface ReadSessions {
  readonly read: readonly FoundPrunable[];
  readonly stores: readonly string[];
  /** Those of them that the user named as stores. */
  readonly named?: readonly string[] | undefined;
  readonly problems: readonly FileProblem[];
  /** The files beside the sessions that could not be read, with the facts that they hold. */
  readonly unreadFacts?: readonly UnreadFact[];
  /** The sidecars of the sessions, as they were when these were read. */
  readonly survey: Survey;
  /** The paths of files that were read, and are of no session. */
  readonly foreign?: ReadonlySet<string>;
  /** The state of each file before it was read. */
  readonly states?: FileStates;
  /** The paths of files that had changed since, and were read again: once, as an agent may write on and on. */
  readonly readAgain?: ReadonlySet<string>;
}

/** A session file, by what files that continue from it know it, and what it continues from itself. */
export interface Link {
  readonly path: string;
  /** Files of one name in two homes are two files. */
  readonly home: string;
  readonly id: string;
  readonly baseId: string | undefined;
}

/** A session that is removed or kept as one, with what was read of all of its files. */
export interface PrunableUnit {
  /** The session, with the files of the whole. */
  readonly whole: FoundPrunable;
  /** The paths of all files that were read; that of the session first. */
  readonly members: readonly string[];
  /** The files that others may continue, or that continue others. */
  readonly links: readonly Link[];
  /** The ids of the session and of its sub-agents. */
  readonly ids?: readonly string[];
  readonly needs: readonly string[];
  /**
   * A key that all files of a session share, even if some of them are gone; its path unless given.
   */
  readonly family?: string | undefined;
  readonly pin?: string | undefined;
  readonly holder?: Holder;
  /** The summaries of its files. */
  readonly recorded?: readonly SessionSummary[];
  /** The errors that are the obstacle to removing it, where it is not what was read of its own files. */
  readonly failures?: readonly FileError[];
}

/**
 * Adds what was found beside the files of a session: a name where they have none, a doubt where they have another, and
 * what is in the way.
 */
function addNotes(
  one: FoundPrunable,
  names: readonly string[] | undefined,
  obstacle: string | undefined,
): FoundPrunable {
  const { summary } = one;
  if (!summary || !names) return obstacle === one.obstacle ? one : { ...one, obstacle };
  const { unread } = summary;
  const name = summary.name ?? names[0] ?? null;
  const hasOther = hasOtherName({ name, unread }, names);
  const all = hasOther ? { ...unread, otherName: true } : unread;
  return { ...one, summary: { ...summary, name, unread: all }, obstacle };
}

type Read = FoundPrunable & { readonly summary: SessionSummary };

/**
 * Makes units of files: where an agent keeps a session in several files, or knows more of it than they say.
 * Every other file is a unit of its own. `problems`: what could not be read around them.
 */
export async function toPrunableUnits(
  { read, stores, problems, survey }: ReadSessions,
  world: AgentWorld,
): Promise<readonly PrunableUnit[]> {
  const reader = new UnitReader(world, survey);
  const pins = new PinReader(world);
  const places = new Map<string, Read[]>();
  const units: PrunableUnit[] = [];
  const unlisted = listUnlisted(read, problems);
  for (const one of read) {
    const rows = one.summary && getDialect(one.summary.agent).rows;
    if (!rows || !isRead(one)) {
      const { pin, names, doubt, failure } = one.summary ? pins.find(one.summary) : NOT_PINNED;
      const obstacle = one.obstacle ?? describeUnlisted(one, unlisted, stores) ?? doubt;
      const whole = addNotes(one, names, obstacle);
      const failures = failure ? [failure] : NONE;
      units.push({ whole, members: [one.file.path], links: NONE, needs: NONE, pin, failures });
      continue;
    }
    const place = findPlace(one.summary);
    addTo(places, place, one);
  }
  const unread = [
    ...read.flatMap((one) => (isHeadless(one) ? [one.file.path] : [])),
    ...problems.flatMap(({ path, problem }) => (problem.code === 'not-a-session' ? [] : [path])),
  ];
  for (const [place, files] of places) {
    const known = unread.find((path) => isBelow(path, place));
    const hidden = known === undefined ? findHidden(files) : undefined;
    const found = await reader.toUnits(files, known ?? hidden?.path);
    for (const { failures = [], ...unit } of found) {
      units.push({ ...unit, failures: [...failures, ...(hidden?.failures ?? [])] });
    }
  }
  return units;
}

/** One for all of the many sessions that are alone. */
const NONE: readonly never[] = [];

/** The first path that cannot be read where files of an agent that continue from others may lie. */
function findHidden([first]: readonly Read[]):
  | { readonly path: string; readonly failures: readonly FileError[] }
  | undefined {
  const { bases } = first ? getDialect(first.summary.agent) : {};
  const places = first && bases ? bases.listPlaces(first.file.path) : [];
  const outermost = places.filter((place) => !places.some((other) => isBelow(place, other)));
  for (const place of outermost) {
    const { unread, failures } = listAll(place);
    const [path] = unread;
    if (path !== undefined) return { path, failures };
  }
  return undefined;
}

function isRead(one: FoundPrunable): one is Read {
  return one.summary !== undefined;
}

/** Returns whether no one can know what a file continues from. */
function isHeadless({ summary, error, isBroken }: FoundPrunable): boolean {
  if (error !== undefined || isBroken === true) return true;
  if (!summary?.relations) return false;
  return summary.problem?.code === 'header-missing' || summary.relations.base?.id === '';
}

class UnitReader {
  readonly #survey: Survey;
  readonly #world: AgentWorld;
  readonly #readGuards: ReturnType<typeof createGuardReader>;
  readonly #findByProject: ReturnType<typeof createProjectSearch>;
  readonly #hasOtherName: ReturnType<typeof createOtherNames>;

  constructor(world: AgentWorld, survey: Survey) {
    this.#world = world;
    this.#survey = survey;
    this.#readGuards = createGuardReader(world.env);
    this.#findByProject = createProjectSearch(world.env);
    this.#hasOtherName = createOtherNames(world.env);
  }

  /** `unreadable`: a file in the same place that may continue from any of them. */
  async toUnits(
    files: readonly Read[],
    unreadable: string | undefined,
  ): Promise<readonly PrunableUnit[]> {
    const byPath = new Map(files.map((one) => [one.file.path, one]));
    const found: PrunableUnit[] = [];
    for (const unit of findUnits(files.map(({ summary }) => summary))) {
      const parts = unit.files.flatMap(({ path }) => byPath.get(path) ?? []);
      const [own] = parts;
      if (own) found.push(await this.#toUnit(unit, own, parts, unreadable));
    }
    return found;
  }

  async #toUnit(
    unit: Unit,
    own: Read,
    parts: readonly Read[],
    unreadable: string | undefined,
  ): Promise<PrunableUnit> {
    const { agent } = own.summary;
    const { rows } = getDialect(agent);
    const { pin, obstacle, failure } = rows ? await this.#findGuard(rows, own, parts) : {};
    const use = findOpenState(agent, parts, this.#world);
    const files = parts.every((part) => part.files)
      ? await this.#findFiles(own.summary, parts)
      : undefined;
    const partly = parts.find((part) => part.obstacle !== undefined);
    const reason =
      (partly === own ? own.obstacle : partly && `a part of it: ${partly.obstacle}`) ??
      (files === 'gone' ? 'another run is removing it' : undefined) ??
      obstacle ??
      use.obstacle ??
      findMisplaced(agent, parts) ??
      findMisnamed(rows, parts) ??
      (unit.isDouble ? 'two files claim to be this session' : undefined) ??
      (unreadable === undefined
        ? undefined
        : `${unreadable} cannot be read, and may continue from it`);
    const summary = await this.#addOtherNames({ ...unit.session, ...sumUp(unit) }, parts);
    return {
      whole: { ...own, summary, files: files === 'gone' ? undefined : files, obstacle: reason },
      members: parts.map(({ file }) => file.path),
      links: parts.flatMap((part) => toLink(part) ?? []),
      ids: [...new Set(parts.map((part) => part.summary.id))],
      needs: unit.needs,
      family: findFamily(own.summary),
      recorded: parts.map((part) => part.summary),
      pin,
      holder: use.holder,
      failures: listFailures({ failure }, use, ...parts),
    };
  }

  /** Adds a doubt where a home that shares the sessions has a name for one. */
  async #addOtherNames(summary: SessionSummary, parts: readonly Read[]): Promise<SessionSummary> {
    const homes = orFileErrorSync(() => listSharingHomes(summary.agent, summary.path, this.#world));
    // A failure to look them up is already a reason against removing the session.
    if (homes instanceof FileError || homes.length === 0) return summary;
    const found = await Promise.all(
      parts.map(({ summary: part }) => this.#hasOtherName(part, homes)),
    );
    if (!found.includes(true)) return summary;
    return { ...summary, unread: { ...summary.unread, otherName: true } };
  }

  /** Finds the files; another shard may have begun to remove the session since it was read. */
  async #findFiles(
    summary: SessionSummary,
    parts: readonly Read[],
  ): Promise<SessionFiles | 'gone' | undefined> {
    try {
      return await readUnitFiles(summary, parts, this.#survey);
    } catch (error) {
      if (error instanceof FileError && error.code === 'ENOENT') return 'gone';
      throw error;
    }
  }

  async #findGuard(
    rows: RowDialect,
    own: Read,
    parts: readonly Read[],
  ): Promise<Seen<Pick<PrunableUnit, 'pin'>>> {
    const home = rows.findHome(own.file.path);
    if (home === undefined) return {};
    const guards = await this.#readGuards(rows, home, () =>
      listSharingHomes(own.summary.agent, own.file.path, this.#world),
    );
    const ids = new Set(parts.map(({ summary }) => summary.id));
    const found = [...ids].map((id) => guards.find(id));
    const other = found.flatMap(({ neededBy }) => neededBy).find((id) => !ids.has(id));
    const attached = other === undefined ? undefined : `session ${other} is attached to it`;
    const pin = found.find((one) => one.pin !== undefined)?.pin;
    return orObstacle({ pin }, () => {
      const elsewhere = this.#findByProject(
        rows,
        parts.flatMap(({ summary }) => listCwds(summary)),
      );
      const project = elsewhere === undefined ? undefined : describeElsewhere(elsewhere);
      const obstacle = guards.obstacle ?? attached ?? findElsewhere(found, parts) ?? project;
      return { pin, obstacle, failure: guards.failure };
    });
  }
}

/**
 * Returns the reason why a session must be kept if the agent has it in another file than these: its rows are of
 * that one. A path at which there is nothing is from before the directory of the agent was moved.
 * @throws FileError if one of them cannot be looked up.
 */
function findElsewhere(guards: readonly Guard[], parts: readonly Read[]): string | undefined {
  const own = new Set(parts.map(({ file: { path } }) => getFileKey(path)));
  for (const { path } of guards) {
    if (path === undefined || !isAbsolute(path) || path.includes('\0')) continue;
    // A row names a compressed file by its name without that.
    const there = [path, withCompression(path)].filter((one) => !isGone(one));
    if (there.some((one) => own.has(getFileKey(one)))) continue;
    if (there.length > 0) return `its agent has it in another file: ${path}`;
  }
  return undefined;
}

function listFailures(...found: readonly { readonly failure?: FileError | undefined }[]) {
  return found.flatMap(({ failure }) => failure ?? []);
}

/** The directory in which the files of a session may be, wherever that is. */
function findPlace({ agent, path }: SessionSummary): string {
  return getDialect(agent).bases?.findPlace(path) ?? dirname(path);
}

function toLink({ summary }: Read): Link | undefined {
  const { path, relations } = summary;
  if (!relations) return undefined;
  return { path, home: findPlace(summary), id: relations.fileId, baseId: relations.base?.id };
}

/**
 * Names a family by the session that began it, even if that is gone: of those that it began, which is
 * left does not matter.
 */
function findFamily({ agent, id, relations }: SessionSummary): string | undefined {
  return relations && `${agent} ${relations.startedBy ?? id}`;
}

/** A file that is named as another session: the rows and sidecars by that name are of the other one. */
function findMisnamed(rows: RowDialect | undefined, parts: readonly Read[]): string | undefined {
  const other = parts.find(({ file: { path }, summary: { id } }) => {
    const ids = rows?.listIds([path]) ?? [];
    return ids.length > 0 && !ids.includes(id);
  });
  return other && `its file is named as another session: ${other.file.path}`;
}

/** A part that an archive would not be restored with. */
export function findMisplaced(
  agent: SessionSummary['agent'],
  parts: readonly Prunable[],
): string | undefined {
  const { sidecars } = getDialect(agent);
  const misplaced = parts.slice(1).find(({ file: { path } }) => {
    const name = sidecars && toOwnName(path, sidecars.findRoot(path));
    return name === undefined || sidecars?.isPart?.(name) !== true;
  });
  return misplaced && `a part of it is not where its agent puts it: ${misplaced.file.path}`;
}

function findOpenState(
  agent: SessionSummary['agent'],
  parts: readonly Prunable[],
  world: AgentWorld,
): Seen<{ readonly holder: Holder }> {
  return orObstacle({ holder: NOT_HELD }, () => {
    const holders = parts.map(({ file }) => findHolder(agent, file.path, world));
    const updatedAt = holders.reduce((latest, one) => Math.max(latest, one.updatedAt), 0);
    return { holder: { isOpen: holders.some(({ isOpen }) => isOpen), updatedAt } };
  });
}

/** A fact about a session, and the reason against removing it; `failure`: the error that is the reason. */
export type Seen<T> = T & {
  readonly obstacle?: string | undefined;
  readonly failure?: FileError | undefined;
};

/** Looks something up about a session. It is `otherwise` where that fails, which is a reason against removing it. */
export function orObstacle<T extends object>(otherwise: T, look: () => Seen<T>): Seen<T> {
  try {
    return look();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { ...otherwise, obstacle: `${error.path}: ${error.message}`, failure: error };
  }
}
