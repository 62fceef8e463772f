import { type LinePlan, type Members, mergePlans, type Part } from '../../../jsonl/scanner/plan.ts';
import { COMPACTED_FIELDS } from '../entry/fields/compacted-fields.ts';
import { HEADER_FIELDS } from '../entry/fields/line-fields.ts';
import { PASSTHROUGH, ROOTS, WRITABLE_ROOTS } from '../entry/typed.ts';

const TOTALS: Part = {
  input_tokens: 'whole',
  cached_input_tokens: 'whole',
  cache_write_input_tokens: 'whole',
  output_tokens: 'whole',
};

const USAGE: Members = {
  usage: TOTALS,
  response_id: 'whole',
  info: { total_token_usage: TOTALS, last_token_usage: TOTALS },
};

/** The directories beside a working directory. */
const DIRECTORIES: Members = {
  ...Object.fromEntries(ROOTS.map((key) => [key, 'whole'])),
  [WRITABLE_ROOTS.policy]: { [WRITABLE_ROOTS.roots]: 'whole' },
};

/** The members of a `session_meta`. */
const HEADER: Members = mergePlans([
  HEADER_FIELDS,
  {
    ...DIRECTORIES,
    timestamp: 'whole',
    cwd: 'whole',
    originator: 'whole',
    cli_version: 'whole',
    thread_source: 'whole',
    model_provider: 'whole',
    agent_role: 'whole',
    agent_nickname: 'whole',
    git: { branch: 'whole' },
  },
]);

/** The members that show whether a person typed an item. */
const TYPED: Members = {
  type: 'whole',
  role: 'whole',
  content: { type: 'whole', text: 'start' },
  [PASSTHROUGH]: { content_item_kinds: 'whole' },
};

const REST: Members = {
  ...TYPED,
  ...DIRECTORIES,
  model: 'whole',
  cwd: 'whole',
  // The shown facts have been found: the rest is read, and does not count.
  item: { type: 'whole', content: 'start' },
  message: 'start',
  thread_id: 'whole',
  thread_name: 'whole',
  images: 'start',
  goal: { objective: 'start' },
  thread_settings: { ...DIRECTORIES, model_provider_id: 'whole', cwd: 'whole' },
};

const BLOCKS: Part = { type: 'whole', text: 'whole' };

const SHOWN: Members = {
  ...REST,
  ...HEADER,
  content: BLOCKS,
  message: 'whole',
  images: {},
  item: { type: 'whole', content: BLOCKS },
  goal: { objective: 'whole' },
};

/** The members that the index reads of a line in an envelope. */
export const INDEX_PLAN = createPlan({
  ...TYPED,
  ...HEADER,
  call_id: 'whole',
  name: 'whole',
  summary: {},
  item: { type: 'whole', id: 'whole' },
  model: 'whole',
  full: 'whole',
  ...COMPACTED_FIELDS,
  turn_id: 'whole',
  thread_id: 'whole',
  subagent_history_start_ordinal: 'whole',
  num_turns: 'whole',
});

/** The members that a listing reads: whole texts until it has found what it shows. */
export const SUMMARY_PLANS = {
  shown: createPlan(SHOWN),
  rest: createPlan(REST),
  shownWithUsage: createPlan({ ...SHOWN, ...USAGE }),
  restWithUsage: createPlan({ ...REST, ...USAGE }),
} as const;

/**
 * Makes a plan with the member that distinguishes a line in an envelope from one without, which has all
 * that it holds in its place.
 */
function createPlan(payload: Members): LinePlan {
  return {
    ...SHOWN,
    ...payload,
    payload,
    type: 'whole',
    timestamp: 'whole',
    ordinal: 'whole',
    metadata: { compaction_output: 'whole' },
    record_type: 'whole',
    call_id: 'whole',
    id: 'whole',
    name: 'whole',
    uuid: 'whole',
    parentId: 'whole',
    summary: {},
    action: 'start',
    arguments: 'start',
    output: 'start',
    instructions: 'start',
  };
}
