import type { LinePlan, Members, Part } from '../../../jsonl/scanner/plan.ts';

/** The members that say what an entry used, and of which model. */
const COST: Members = {
  usage: {
    input: 'whole',
    output: 'whole',
    cacheRead: 'whole',
    cacheWrite: 'whole',
    totalTokens: 'whole',
    cost: { total: 'whole' },
  },
  provider: 'whole',
  model: 'whole',
  responseModel: 'whole',
};

/** The members that a listing reads of lines behind the header: whole texts until it has found the first prompt. */
export const SUMMARY_PLANS = {
  first: createPlan(['whole', { type: 'whole', text: 'whole' }]),
  rest: createPlan('start'),
} as const;

function createPlan(content: Part): LinePlan {
  return {
    ...COST,
    type: 'whole',
    id: 'whole',
    parentId: 'whole',
    timestamp: 'whole',
    message: { ...COST, role: 'whole', content, timestamp: 'whole', responseId: 'whole' },
    name: 'whole',
    targetId: 'whole',
    label: 'whole',
    customType: 'whole',
    // A line of another kind is known by these.
    kind: 'whole',
    v: 'whole',
    title: 'start',
  };
}

/** The members that the index reads of lines behind the header. */
export const INDEX_PLAN: LinePlan = {
  type: 'whole',
  id: 'whole',
  parentId: 'whole',
  timestamp: 'whole',
  message: { role: 'whole', provider: 'whole', model: 'whole', timestamp: 'whole' },
  provider: 'whole',
  modelId: 'whole',
  thinkingLevel: 'whole',
  firstKeptEntryId: 'whole',
  firstKeptEntryIndex: 'whole',
  fromId: 'whole',
  targetId: 'whole',
  label: 'whole',
  name: 'whole',
  customType: 'whole',
  kind: 'whole',
  v: 'whole',
  title: 'start',
};
