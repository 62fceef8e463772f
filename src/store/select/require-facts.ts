import { UsageError } from '../../errors.ts';
import { getDialect } from '../../session/agents/index.ts';
import type { OwnFact } from '../../session/dialect/dialect.ts';
import type { Agent } from '../../session/model/agent.ts';
import type { SessionSummary, Source, State } from '../../session/model/summary.ts';

/** The selectors by facts that only some agents have. */
interface OwnSelectors {
  readonly agent?: Agent | undefined;
  readonly expiringBefore?: number | undefined;
  readonly source?: Source | undefined;
  readonly state?: State | undefined;
  readonly formatVersion?: number | undefined;
}

interface Need {
  readonly asks: (selection: OwnSelectors) => boolean;
  readonly fact: OwnFact;
  readonly option: string;
  readonly lack: string;
}

const NEEDS: readonly Need[] = [
  {
    asks: ({ expiringBefore }) => expiringBefore !== undefined,
    fact: 'expires',
    option: '--expiring',
    lack: 'deletes sessions by age',
  },
  {
    asks: ({ source }) => source !== undefined,
    fact: 'source',
    option: '--source',
    lack: 'records how sessions were started',
  },
  {
    asks: ({ state }) => state === 'archived',
    fact: 'archived',
    option: '--state archived',
    lack: 'archives sessions',
  },
  {
    asks: ({ formatVersion }) => formatVersion !== undefined,
    fact: 'formatVersion',
    option: '--format-version',
    lack: 'has versions of its format',
  },
];

/** @throws UsageError for a selector about what none of these agents has: it could select none. */
export function requireFacts(summaries: readonly SessionSummary[], selection: OwnSelectors): void {
  const needs = NEEDS.filter(({ asks }) => asks(selection));
  if (needs.length === 0) return;
  const { agent: only } = selection;
  const agents = new Set(only === undefined ? summaries.map(({ agent }) => agent) : [only]);
  if (agents.size === 0) return;
  const facts = new Set([...agents].flatMap((agent) => getDialect(agent).places.ownFacts ?? []));
  const need = needs.find(({ fact }) => !facts.has(fact));
  if (need) {
    throw new UsageError(`${need.option}: none of these agents ${need.lack}; leave it out`);
  }
}
