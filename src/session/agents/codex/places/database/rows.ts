import type { DatabaseTables } from '../../../../dialect/surroundings/records.ts';
import type { Guard, RowDatabase, RowDialect } from '../../../../dialect/surroundings/rows.ts';
import { getFileId, parseName } from '../../format.ts';
import { addTo } from '../../../../model/tree/group-by.ts';
import { findHome } from '../home.ts';
import { appNotes } from '../app-notes.ts';
import { HISTORY, PROJECTION, STATE, THREADS, TURNS } from './databases.ts';
import { APP_DIRECTORY, SQLITE_VARIABLE } from './projection.ts';
import { listOtherSettings, PROJECT_SETTINGS, SETTINGS } from './settings.ts';

/** A list of names, as one reads it best. */
const names = (text: string): readonly string[] => text.trim().split(/\s+/);

const SECTION = 'thread_section_id';
/** The section that the client makes itself, and moves a thread into to pin it. */
const PINNED = '01984de2-8f74-7c91-a3b2-5c5e937cf318';
const ATTACHED = 'attached_thread_parent_id';
const PATH = 'rollout_path';

const state: RowDatabase = {
  ...STATE,
  tables: {
    [THREADS]: {
      keys: ['id'],
      path: PATH,
      needs: ATTACHED,
      given: names(`
        name is_pinned thread_section_id section_position section_entered_at_ms
        project_id git_sha git_branch git_origin_url title preview
        first_user_message`),
      copied: { title: 'first_user_message' },
      names: {
        thread_section_id: { table: 'thread_sections', column: 'id' },
        project_id: { table: 'projects', column: 'id' },
      },
      columns: names(`
        id rollout_path created_at updated_at source model_provider cwd title
        sandbox_policy approval_mode tokens_used has_user_event archived
        archived_at git_sha git_branch git_origin_url cli_version
        first_user_message agent_nickname agent_role memory_mode model
        reasoning_effort agent_path created_at_ms updated_at_ms thread_source
        preview recency_at recency_at_ms history_mode name is_pinned
        thread_section_id section_position section_entered_at_ms project_id
        originator daybreak_enabled creator_user_id creator_account_id
        attached_thread_parent_id`),
    },
    thread_dynamic_tools: {
      keys: ['thread_id'],
      columns: names(`
        thread_id position name description input_schema defer_loading
        namespace`),
    },
    thread_spawn_edges: {
      keys: ['parent_thread_id', 'child_thread_id'],
      about: 'child_thread_id',
      columns: names('parent_thread_id child_thread_id status'),
    },
    thread_attachments: {
      keys: ['thread_id'],
      givenBy: names('thread_id attachment_type identity_key'),
      columns: names('id thread_id attachment_type identity_key payload created_at'),
    },
    guardian_review_feedback: {
      keys: ['thread_id'],
      columns: names('id thread_id record'),
    },
    thread_read_receipts: {
      keys: ['thread_id'],
      columns: names('thread_id first_unread_turn revision last_published_turn'),
    },
    // New in 0.171; a sub-agent uses the ids of the thread that began it.
    session_model_ids: {
      keys: ['session_id'],
      columns: names('session_id kind external_key ordinal initial_state'),
    },
  },
  others: names(`
        _sqlx_migrations backfill_state remote_control_enrollments
        thread_sections external_agent_config_imports rollout_migration_state
        projects project_roots rollout_migration_skipped_rollouts
        project_idempotency_keys`),
};

/** The database from which the list of turns is made; the key is that of the file. */
const history: RowDatabase = {
  ...HISTORY,
  tables: {
    [PROJECTION]: {
      keys: ['thread_id'],
      columns: names('thread_id next_rollout_byte_offset next_rollout_ordinal'),
    },
    [TURNS]: {
      keys: ['thread_id'],
      columns: names(`
        thread_id turn_id rollout_ordinal status error_json started_at
        completed_at duration_ms first_user_item_id final_agent_item_id
        rollout_byte_offset rollout_end_ordinal rollout_end_byte_offset
        root_turn_id`),
    },
    thread_items: {
      keys: ['thread_id'],
      columns: names(`
        thread_id turn_id item_id rollout_ordinal created_at_ms item_json
        item_type updated_at_ordinal started_at_ms completed_at_ms`),
    },
    thread_realtime_items: {
      keys: ['thread_id'],
      columns: names('thread_id item_id rollout_ordinal created_at_ms item_type item_json'),
    },
  },
  others: names('_sqlx_migrations'),
};

const goals: RowDatabase = {
  name: 'goals',
  version: 1,
  tables: {
    thread_goals: {
      keys: ['thread_id'],
      given: ['objective'],
      acts: (row) => !['complete', 'paused'].includes(String(row.get('status'))),
      columns: names(`
        thread_id goal_id objective status token_budget tokens_used
        time_used_seconds created_at_ms updated_at_ms`),
    },
    thread_goal_continuation_deferrals: { keys: ['thread_id'], columns: names('thread_id') },
  },
  others: names('_sqlx_migrations'),
};

const queue: RowDatabase = {
  name: 'queue',
  version: 1,
  tables: {
    // Triggers on the items keep this table, so it comes before them: rows are removed from the last table on.
    queued_thread_revisions: {
      keys: ['thread_id'],
      columns: names('revision thread_id'),
      isMade: true,
    },
    queued_items: {
      keys: ['thread_id'],
      givenBy: names('thread_id payload_json'),
      acts: () => true,
      columns: names('id thread_id payload_json queue_order created_at_ms updated_at_ms'),
    },
  },
  others: names('_sqlx_migrations'),
};

const memories: RowDatabase = {
  name: 'memories',
  version: 1,
  tables: {
    stage1_outputs: {
      keys: ['thread_id'],
      // These rows are shown to the model in every later thread, and made again from the thread.
      isMade: true,
      columns: names(`
        thread_id source_updated_at raw_memory rollout_summary rollout_slug
        generated_at usage_count last_usage selected_for_phase2
        selected_for_phase2_source_updated_at`),
    },
    jobs: {
      keys: ['job_key'],
      isMade: true,
      columns: names(`
        kind job_key status worker_id ownership_token started_at finished_at
        lease_until retry_at retry_remaining last_error input_watermark
        last_success_watermark`),
    },
  },
  others: names('_sqlx_migrations consolidation_progress'),
};

/** A database whose rows about threads are not known yet. */
const newMemories: RowDatabase = {
  name: 'memories_v2',
  version: 1,
  tables: {},
  others: names('_sqlx_migrations'),
};

const logs: RowDatabase = {
  name: 'logs',
  version: 2,
  tables: {
    logs: {
      keys: ['thread_id'],
      number: 'id',
      columns: names(`
        id ts ts_nanos level target feedback_log_body module_path file line
        thread_id process_uuid estimated_bytes`),
    },
  },
  others: names('_sqlx_migrations'),
};

/**
 * The tables that `codex delete` of 0.171 clears of a thread. Rows name the thread, and those of its list of
 * turns the file.
 */
export const rows: RowDialect = {
  databases: [state, history, goals, queue, memories, newMemories, logs],
  findHome,
  listIds(paths) {
    const found = paths.flatMap((path) => {
      const name = parseName(path);
      return name ? [name.threadId, getFileId(name)] : [];
    });
    return [...new Set(found)];
  },
  guarding: [
    { ...STATE, tables: { [THREADS]: ['id', PATH, 'is_pinned', SECTION, ATTACHED] } },
    { name: 'goals', version: 1, tables: { thread_goals: ['thread_id', 'status'] } },
    { name: 'queue', version: 1, tables: { queued_items: ['thread_id'] } },
    { name: 'memories_v2', version: 1, tables: {} },
  ],
  notes: appNotes,
  settings: SETTINGS,
  listOtherSettings,
  projectSettings: PROJECT_SETTINGS,
  // However TOML spells the key, such as in quotes.
  isElsewhere: (settings, env) => {
    if (env[SQLITE_VARIABLE]) return true;
    const lines = settings.split('\n').map((line) => line.trimStart());
    return lines.some((line) => !line.startsWith('#') && line.includes('sqlite_home'));
  },
  alsoIn: [APP_DIRECTORY],
  createGuards,
};

/** Pinned threads, and those that Codex continues with by itself. */
function createGuards(tables: DatabaseTables): (id: string) => Guard {
  const pins = new Map<unknown, string>();
  const attached = new Map<unknown, string[]>();
  const paths = new Map<unknown, string>();
  for (const { thread_id: id } of tables.get('queued_items') ?? []) {
    pins.set(id, 'has a queued prompt (--include-pinned)');
  }
  for (const { thread_id: id, status } of tables.get('thread_goals') ?? []) {
    if (status !== 'complete') pins.set(id, 'has an open goal (--include-pinned)');
  }
  for (const row of tables.get(THREADS) ?? []) {
    const { id, is_pinned: isPinned } = row;
    // SQLite takes any number but 0 for true.
    const isFlagged = isPinned !== undefined && isPinned !== null && isPinned !== 0;
    if (isFlagged || row[SECTION] === PINNED) pins.set(id, 'is pinned (--include-pinned)');
    const [parent, path] = [row[ATTACHED], row[PATH]];
    if (typeof path === 'string') paths.set(id, path);
    if (typeof parent !== 'string' || typeof id !== 'string') continue;
    addTo(attached, parent, id);
  }
  return (id) => {
    return { pin: pins.get(id), path: paths.get(id), neededBy: attached.get(id) ?? [] };
  };
}
