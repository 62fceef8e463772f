import type { LinePlan } from '../../../jsonl/scanner/plan.ts';

/** The members that the index reads. */
export const INDEX_PLAN: LinePlan = {
  type: 'whole',
  role: 'whole',
  uuid: 'whole',
  parentUuid: 'whole',
  timestamp: 'whole',
  model: 'whole',
  uiContent: 'whole',
  content: { type: 'whole' },
  messageId: 'whole',
  customTitle: 'whole',
  config: { summary: 'whole' },
  forkedFrom: {},
};

/** The members that a listing reads. */
export const SUMMARY_PLAN: LinePlan = {
  ...INDEX_PLAN,
  content: ['whole', { type: 'whole', text: 'whole' }],
  hidden: 'whole',
  usage: 'whole',
  forkedFrom: { sessionId: 'whole' },
  config: 'whole',
};
