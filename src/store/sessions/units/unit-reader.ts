import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { getDialect } from '../../../session/agents/index.ts';
import type { RowDialect } from '../../../session/dialect/surroundings/rows.ts';
import type { AgentWorld } from '../../../session/dialect/surroundings/world.ts';
import { orFileErrorSync } from '../../../session/jsonl/files/file-error.ts';
import { listCwds, type SessionSummary } from '../../../session/model/summary.ts';
import { toUnreadBaseReason } from '../../../session/prune/referrers.ts';
import { findUnits, type Unit } from '../../../session/model/tree/units.ts';
import {
  createGuardReader,
  createProjectSearch,
  describeElsewhere,
} from '../../database/read-guards.ts';
import { createOtherNames } from '../../database/read-records.ts';
import { listSharingHomes } from '../../lock/find-homes.ts';
import { readUnitFiles } from '../read-prunable.ts';
import type { SessionFiles } from '../session-files.ts';
import type { Survey } from '../sidecars/survey.ts';
import { findElsewhere, findMisnamed, findMisplaced, findOpenState } from './obstacles.ts';
import { listFailures, orObstacle, type Seen } from './seen.ts';
import type { Link, PrunableUnit, ReadFile } from './unit.ts';
import { sumUp } from './unit-facts.ts';

/** Makes units of the files of one place, with what keeps each from being removed. */
export class UnitReader {
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
    files: readonly ReadFile[],
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
    own: ReadFile,
    parts: readonly ReadFile[],
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
      (unreadable === undefined ? undefined : toUnreadBaseReason(unreadable));
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
  async #addOtherNames(
    summary: SessionSummary,
    parts: readonly ReadFile[],
  ): Promise<SessionSummary> {
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
    parts: readonly ReadFile[],
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
    own: ReadFile,
    parts: readonly ReadFile[],
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

/** The directory in which the files of a session may be, wherever that is. */
export function findPlace({ agent, path }: SessionSummary): string {
  return getDialect(agent).bases?.findPlace(path) ?? dirname(path);
}

function toLink({ summary }: ReadFile): Link | undefined {
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
