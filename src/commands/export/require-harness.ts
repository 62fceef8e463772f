import { UsageError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { ExportRequest } from './request.ts';

/**
 * Returns a function that gives the reason why sessions of an agent cannot be exported with the agent's own text; undefined
 * where they can, or it was not asked for: a configuration asks for it of those agents that mark such text.
 * @throws UsageError if none of the agents marks it.
 */
export function requireHarness(
  agents: readonly Agent[],
  { scope, given }: Pick<ExportRequest, 'scope' | 'given'>,
): (agent: Agent) => string | undefined {
  if (!scope.harness || !given.has('harness')) return () => undefined;
  const findObstacle = (agent: Agent): string | undefined =>
    getDialect(agent).entries.selectShown ? undefined : `sessions of ${agent} do not mark ${WHAT}`;
  if (agents.length > 0 && agents.every((agent) => findObstacle(agent) !== undefined)) {
    throw new UsageError(`--harness: none of these agents marks ${WHAT}; leave it out`);
  }
  return findObstacle;
}

const WHAT = 'text that the agent itself gives to the model';
