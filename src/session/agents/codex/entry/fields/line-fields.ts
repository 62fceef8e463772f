import { isObject, type JsonObject } from '../../../../jsonl/edit/json.ts';
import {
  boolean,
  type FieldCheck,
  findFaults,
  nested,
  object,
  optional,
  text,
  toFields,
} from '../../../../rules/field-checks.ts';
import { type Members, mergePlans } from '../../../../jsonl/scanner/plan.ts';
import { getVersion, openLine, UNKNOWN_VERSION } from '../../format.ts';
import { COMPACTED_FIELDS, findCompactedFault } from './compacted-fields.ts';
import { EVENT_FIELDS, findEventFault } from './event-fields.ts';
import {
  absentOr,
  integer,
  isWhole,
  item,
  ITEM_FIELDS,
  listOf,
  note,
  NOTE_FIELDS,
  uuid,
  whole,
} from './item-fields.ts';
import { findSettingFault, SETTING_FIELDS } from './setting-fields.ts';

const ENVELOPE = toFields({
  timestamp: text,
  type: text,
  ordinal: optional(whole),
  payload: object,
});

const ITEM = toFields({ metadata: optional(note) });

/** The members of a line that decide whether Codex reads it. */
export const LINE_FIELDS: Members = {
  type: 'whole',
  timestamp: 'whole',
  ordinal: 'whole',
  metadata: NOTE_FIELDS,
  payload: mergePlans([ITEM_FIELDS, COMPACTED_FIELDS, EVENT_FIELDS, SETTING_FIELDS]),
};

/** The members of a `session_meta` that decide whether Codex takes it for a header. */
export const HEADER_FIELDS: Members = {
  id: 'whole',
  timestamp: 'start',
  cwd: 'start',
  originator: 'start',
  cli_version: 'start',
  source: 'whole',
  model_provider: 'start',
  base_instructions: { text: 'start', provenance: { type: 'start' } },
  git: 'start',
  history_mode: 'whole',
  session_id: 'whole',
  forked_from_id: 'whole',
  forked_from_ordinal_exclusive: 'whole',
  parent_thread_id: 'whole',
  history_base: 'whole',
  account_scoped: 'whole',
  agent_nickname: 'start',
  context_window: { window_id: 'start' },
  multi_agent_version: 'whole',
  runtime_workspace_roots: {},
  thread_source: 'start',
};

const SPAWNED = toFields({
  parent_thread_id: uuid,
  depth: integer,
  agent_path: optional(text),
  agent_nickname: optional(text),
  agent_role: optional(text),
});

/** An object says in its one member what kind of source it is. */
const source: FieldCheck = (value) => {
  if (!isObject(value)) return text(value);
  const [key] = Object.keys(value);
  if (key === undefined) return 'says nothing';
  return key === 'subagent' ? subagent(value[key]) : undefined;
};

const subagent: FieldCheck = (value) => {
  if (!isObject(value)) return text(value);
  if (Object.keys(value).length === 0) return 'says nothing';
  return 'thread_spawn' in value ? nested(SPAWNED)(value['thread_spawn']) : undefined;
};

/** The fields that a `session_meta` needs so that Codex opens the thread. */
const HEADER = toFields({
  id: uuid,
  timestamp: text,
  cwd: text,
  originator: text,
  cli_version: text,
  source: absentOr(source),
  model_provider: optional(text),
  base_instructions: optional(
    nested(toFields({ text, provenance: optional(nested(toFields({ type: text }))) })),
  ),
  git: optional(object),
  history_mode: (value) => (value === undefined ? undefined : text(value)),
  session_id: absentOr(uuid),
  forked_from_id: optional(uuid),
  forked_from_ordinal_exclusive: optional(whole),
  parent_thread_id: optional(uuid),
  history_base: optional(
    nested(toFields({ thread_id: uuid, end_ordinal_exclusive: whole, end_byte_offset: whole })),
  ),
  account_scoped: absentOr(boolean),
  agent_nickname: optional(text),
  context_window: optional(nested(toFields({ window_id: text }))),
  multi_agent_version: optional(text),
  runtime_workspace_roots: optional(listOf(text)),
  thread_source: optional(text),
});

/**
 * Returns the reason why Codex does not accept the payload of a `session_meta` as a header; undefined if it
 * does.
 */
export function findHeaderFault(payload: JsonObject): string | undefined {
  return findFaults(payload, HEADER);
}

/** Returns whether Codex takes the payload of a `session_meta` for a header, wherever it stands. */
export function isHeaderRead(payload: JsonObject): boolean {
  return findHeaderFault(payload) === undefined && getVersion(payload) !== UNKNOWN_VERSION;
}

/** Returns whether Codex reads the envelope of a line at all. */
export function isEnvelopeRead({ timestamp, ordinal }: JsonObject): boolean {
  const isCounted = ordinal === undefined || ordinal === null || isWhole(ordinal);
  return typeof timestamp === 'string' && isCounted;
}

/**
 * Returns the reason why Codex skips a line in an envelope; undefined if it reads it, or knows no such type.
 */
export function findLineFault(value: JsonObject): string | undefined {
  const fault = findFaults(value, ENVELOPE);
  if (fault !== undefined) return fault;
  const { type, payload } = openLine(value);
  switch (type) {
    case 'response_item':
      return findFaults(value, ITEM) ?? inPayload(item(payload));
    case 'event_msg':
      return inPayload(findEventFault(payload));
    case 'compacted':
      return findCompactedFault(payload);
    default:
      return inPayload(findSettingFault(type, payload));
  }
}

function inPayload(fault: string | undefined): string | undefined {
  return fault && `payload ${fault}`;
}
