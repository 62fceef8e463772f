import { isObject, type JsonObject } from '../../../../jsonl/edit/json.ts';
import type { Members } from '../../../../jsonl/scanner/plan.ts';
import {
  array,
  boolean,
  type FieldCheck,
  findFaults,
  must,
  nested,
  object,
  optional,
  text,
  toFields,
} from '../../../../rules/field-checks.ts';
import { absentOr, listOf, uuid } from './item-fields.ts';
import { USAGE_RECORD } from './usage-fields.ts';

// The fields that 0.171 requires of a line with what holds for a turn, and the types of those that it has
// recorded. Names of choices are taken as they are: other releases have others.

/** A choice by its name, or one with settings of its own. */
const choice = must(
  (value) => typeof value === 'string' || (isObject(value) && Object.keys(value).length > 0),
  'a string or an object with one',
);

/** The permissions of a turn: a profile that is known by its type. */
const profile = nested(toFields({ type: absentOr(text) }));

const MODE = nested(
  toFields({
    mode: text,
    settings: nested(
      toFields({
        model: text,
        reasoning_effort: optional(text),
        developer_instructions: optional(text),
      }),
    ),
  }),
);

/** The origin of a turn. */
export const ATTRIBUTION: FieldCheck = nested(
  toFields({
    turn_id: text,
    turn_trigger: optional(text),
    parent_turn_id: optional(text),
    initiating_agent_path: optional(text),
    root_turn_id: optional(text),
  }),
);

/** The settings of a thread. */
export const SETTINGS: FieldCheck = nested(
  toFields({
    model: text,
    model_provider_id: text,
    service_tier: optional(text),
    approval_policy: choice,
    approvals_reviewer: text,
    requested_approvals_reviewer: optional(text),
    permission_profile: profile,
    cwd: text,
    runtime_workspace_roots: optional(listOf(text)),
    reasoning_effort: optional(text),
    reasoning_summary: optional(text),
    collaboration_mode: MODE,
    disabled_plugin_ids: absentOr(array),
  }),
);

const LINES: ReadonlyMap<string, Parameters<typeof findFaults>[1]> = new Map([
  [
    'turn_context',
    toFields({
      turn_id: optional(text),
      root_turn_id: optional(text),
      cwd: text,
      approval_policy: choice,
      approvals_reviewer: optional(text),
      permission_profile: optional(profile),
      sandbox_policy: optional(object),
      model: text,
      comp_hash: optional(text),
      collaboration_mode: optional(MODE),
      multi_agent_version: optional(text),
      realtime_active: optional(boolean),
      effort: optional(text),
      summary: optional(text),
      disabled_plugin_ids: optional(array),
    }),
  ],
  ['world_state', toFields({ full: boolean, state: object })],
  ['token_usage_record', USAGE_RECORD],
  ['inter_agent_communication_metadata', toFields({ trigger_turn: boolean })],
  ['dynamic_tools_updated', toFields({ thread_id: uuid, tools: array })],
  ['security_risk_score', toFields({ scores: object })],
]);

/** Returns the reason why Codex skips a line of a type with this payload; undefined if it reads it, or knows no such type. */
export function findSettingFault(type: string, payload: JsonObject): string | undefined {
  const fields = LINES.get(type);
  return fields && findFaults(payload, fields);
}

const MODE_FIELDS: Members = {
  mode: 'start',
  settings: { model: 'start', reasoning_effort: 'start', developer_instructions: 'start' },
};

/** The members of such lines that decide whether Codex reads them. */
export const SETTING_FIELDS: Members = {
  turn_id: 'start',
  root_turn_id: 'start',
  cwd: 'start',
  model: 'start',
  approval_policy: 'whole',
  approvals_reviewer: 'start',
  permission_profile: { type: 'start' },
  sandbox_policy: 'start',
  comp_hash: 'start',
  collaboration_mode: MODE_FIELDS,
  multi_agent_version: 'start',
  realtime_active: 'whole',
  effort: 'start',
  disabled_plugin_ids: 'start',
  full: 'whole',
  state: 'start',
  thread_id: 'start',
  session_id: 'start',
  response_id: 'start',
  usage: 'whole',
  turn_token_usage: 'whole',
  thread_token_usage: 'whole',
  trigger_turn: 'whole',
  tools: 'start',
  scores: 'start',
  thread_settings: {
    model: 'start',
    model_provider_id: 'start',
    service_tier: 'start',
    approval_policy: 'whole',
    approvals_reviewer: 'start',
    requested_approvals_reviewer: 'start',
    permission_profile: { type: 'start' },
    cwd: 'start',
    runtime_workspace_roots: {},
    reasoning_effort: 'start',
    reasoning_summary: 'start',
    collaboration_mode: MODE_FIELDS,
    disabled_plugin_ids: 'start',
  },
};
