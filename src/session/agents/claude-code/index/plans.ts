import type { LinePlan, Members, Part } from '../../../jsonl/scanner/plan.ts';
import { DIRECTORY_MEMBERS } from './list-directories.ts';

const USAGE: Part = {
  input_tokens: 'whole',
  output_tokens: 'whole',
  cache_read_input_tokens: 'whole',
  cache_creation_input_tokens: 'whole',
};

/** The members that show whether a line was copied. */
const COPIED: Members = {
  requestSessionId: 'whole',
  forkedFrom: { sessionId: 'whole' },
  // When the client noted the states of files.
  snapshot: { timestamp: 'whole' },
};

/** The members that the index reads of a line. */
export const INDEX_PLAN = createPlan('start', COPIED);

const SUMMARY: Members = {
  cwd: 'whole',
  gitBranch: 'whole',
  slug: 'whole',
  entrypoint: 'whole',
  ...COPIED,
  aiTitle: 'whole',
  summary: 'whole',
  tag: 'whole',
  ...DIRECTORY_MEMBERS,
};

const COST: Members = { requestId: 'whole' };

/** The other members that a listing reads: whole texts until it has found the first prompt. */
export const SUMMARY_PLANS = {
  first: createPlan('whole', SUMMARY),
  rest: createPlan('start', SUMMARY),
  firstWithUsage: createPlan('whole', { ...SUMMARY, ...COST }, { usage: USAGE }),
  restWithUsage: createPlan('start', { ...SUMMARY, ...COST }, { usage: USAGE }),
} as const;

function createPlan(text: 'whole' | 'start', more: Members, message: Members = {}): LinePlan {
  const kept = { anchorUuid: 'whole', allUuids: 'whole', uuids: 'whole' } as const;
  const segment = { anchorUuid: 'whole', headUuid: 'whole', tailUuid: 'whole' } as const;
  return {
    type: 'whole',
    subtype: 'whole',
    uuid: 'whole',
    parentUuid: 'whole',
    timestamp: 'whole',
    isSidechain: 'whole',
    isMeta: 'whole',
    isCompactSummary: 'whole',
    compactMetadata: { preservedMessages: kept, preservedSegment: segment },
    message: {
      id: 'whole',
      model: 'whole',
      content: [text, { type: 'whole', text, id: 'whole', tool_use_id: 'whole' }],
      ...message,
    },
    attachment: { type: 'whole', toolUseID: 'whole', commandMode: 'whole' },
    messageId: 'whole',
    leafUuid: 'whole',
    version: 'whole',
    explicit: 'whole',
    customTitle: 'whole',
    ...more,
  };
}
