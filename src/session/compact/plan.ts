import { FileError } from '../../errors.ts';
import { getDialect } from '../agents/index.ts';
import type { CompactionDialect, CompactionSettings, Preparation } from '../dialect/compaction.ts';
import type { Agent } from '../model/agent.ts';
import type { Entry, Header, ModelRef } from '../model/entry.ts';
import type { FileStamp } from '../jsonl/read/read-lines.ts';
import { withPayloads } from '../read/turns/payloads.ts';
import { readSession } from '../read/read-session.ts';
import { treeOf, getCurrentPath } from '../model/tree/tree.ts';
import { findHarmOfSize } from '../reduce/resize.ts';

/** Settings may depend on where a session was at work and with which model. */
export type SettingsFor = (
  dialect: CompactionDialect,
  header: Header | undefined,
  model: ModelRef | null,
) => Promise<CompactionSettings>;

export interface CompactionPlan {
  readonly path: string;
  /** The state of the file that was planned for. */
  readonly stamp: FileStamp;
  readonly agent: Agent;
  /** The path from the root to the current leaf. */
  readonly steps: readonly Entry[];
  readonly dialect: CompactionDialect;
  /** The version of the file; it cannot be appended to unless it is the current one. */
  readonly formatVersion: number;
  readonly currentVersion: number;
  /** Files of older ones are not appended to. */
  readonly oldestVersion: number;
  readonly settings: CompactionSettings;
  readonly model: ModelRef | null;
  /** The id of the new entry. */
  readonly id: string;
  /** Undefined when the last entry has none: then nothing can be appended to it. */
  readonly leafId: string | undefined;
  /** Whether the last entry of the path is a compaction. */
  readonly endsInCompaction: boolean;
  /** The reason why nothing may be appended, whatever is due. */
  readonly obstacle: string | undefined;
  /** Undefined when there is nothing to do. */
  readonly preparation: Preparation | undefined;
  /** Returns the reason why the agent might load another conversation of the file once it has this size. */
  readonly findHarm: (bytesAfter: number) => string | undefined;
}

/** Returns the reason why sessions of an agent cannot be compacted; undefined if they can. */
export function findCompactionObstacle(agent: Agent): string | undefined {
  return getDialect(agent).compaction ? undefined : describeLack(agent);
}

function describeLack(agent: Agent): string {
  return `coppice does not compact sessions of ${agent}`;
}

/**
 * Works out what a compaction at the current leaf would do. Reads only the entries of the context,
 * and writes nothing.
 * @throws FileError if the file cannot be read, is not a session, or is of an agent without compaction.
 */
export async function planCompaction(
  path: string,
  settingsFor: SettingsFor,
): Promise<CompactionPlan> {
  const { session, dialect: agent } = await readSession(path);
  const dialect = agent.compaction;
  if (!dialect) {
    throw new FileError(path, 'not-supported', describeLack(agent.agent));
  }
  const tree = treeOf(session);
  const leafId = tree.leaf?.id;
  const steps = getCurrentPath(tree);
  const { model } = agent.context.getSettings(steps);
  const settings = await settingsFor(dialect, session.header, model);
  const preparation = await withPayloads(path, (read) => dialect.prepare(steps, read, settings));
  const id = dialect.deriveId(`compaction\0${leafId}`, (one) => tree.get(one) !== undefined);
  const { stamp, formatVersion } = session;
  const { currentVersion } = agent;
  const { oldestVersion = currentVersion } = dialect;
  const versions = { formatVersion, currentVersion, oldestVersion };
  const facts = { path, stamp, agent: agent.agent, steps, dialect, ...versions };
  const endsInCompaction = tree.leaf?.type === 'compaction';
  const obstacle = dialect.findObstacle?.(session);
  const findHarm = (bytesAfter: number) => findHarmOfSize(session, agent, bytesAfter);
  return {
    ...facts,
    settings,
    model,
    id,
    leafId,
    endsInCompaction,
    obstacle,
    preparation,
    findHarm,
  };
}
