import { type Agent, agents } from '../model/agent.ts';
import { codex } from './codex/codex.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { neovate } from './neovate/neovate.ts';
import { pi } from './pi/pi.ts';
import { emptyFile } from '../rules/file-empty.ts';
import type { Rule } from '../dialect/rule.ts';
import type { Session } from '../model/session.ts';
import type { SessionSummary } from '../model/summary.ts';

const byAgent: Readonly<Record<Agent, Dialect>> = {
  pi,
  neovate,
  'claude-code': claudeCode,
  codex,
};

/** The dialects in the order in which a line is offered to them. */
export const dialects: readonly Dialect[] = agents.map((agent) => byAgent[agent]);

/** The dialect of an agent. */
export function getDialect(agent: Agent): Dialect {
  return byAgent[agent];
}

/** The dialect of an agent that a caller, an index or an archive names; undefined if there is none. */
export function findDialect(agent: string | null | undefined): Dialect | undefined {
  return dialects.find((one) => one.agent === agent);
}

/** The agents that sessions of others can be brought to. */
export const conversionTargets: readonly Agent[] = agents.filter((target) =>
  dialects.some(({ conversions }) => conversions?.[target]),
);

/** Problems with the header of a session that `migrate` skips for them. */
const UNSURE: ReadonlySet<string> = new Set([
  'header-missing',
  'header-invalid',
  'version-unknown',
]);

/** The version of its format, for an agent that has versions of it. */
export function getStatedVersion({
  agent,
  formatVersion,
}: Pick<Session, 'agent' | 'formatVersion'>): number | null {
  return getDialect(agent).places.ownFacts?.includes('formatVersion') ? formatVersion : null;
}

/** Returns whether `migrate` has something to do. */
export function isOutdated({
  agent,
  formatVersion,
  problem,
}: Pick<SessionSummary, 'agent' | 'formatVersion' | 'problem'>): boolean {
  const { currentVersion, migration } = getDialect(agent);
  if (!migration || formatVersion === null) return false;
  if (problem && UNSURE.has(problem.code)) return false;
  return formatVersion < (migration.toVersion ?? currentVersion);
}

/** Every rule of every agent, each once. */
export const allRules: readonly Rule[] = [
  ...new Set([emptyFile, ...dialects.flatMap(({ rules }) => rules)]),
];
