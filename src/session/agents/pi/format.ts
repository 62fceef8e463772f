import {
  getObject,
  getString,
  isObject,
  isTextIfAny,
  type JsonObject,
  toTime,
} from '../../jsonl/edit/json.ts';
import type { Framing } from '../../dialect/fold.ts';

/** The version that pi writes since 0.33, and every later release reads. */
export const CURRENT_VERSION = 3;

/** The files of pi-agent-core's own storage: transactions, not entries. Never changed by us. */
export const AGENT_CORE_VERSION = 4;

/** Types that oh-my-pi adds (`SessionEntry` of 18.3.4, and of 14.9.9), which pi ignores. */
const RELATIVE_TYPES = [
  'credential_pin',
  'mcp_tool_selection',
  'mode_change',
  'model_usage',
  'reset_boundary',
  'service_tier_change',
  'session_init',
  'title_change',
  'ttsr_injection',
];

const ENTRY_TYPES: ReadonlySet<string> = new Set([
  ...RELATIVE_TYPES,
  'message',
  'model_change',
  'thinking_level_change',
  'compaction',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
  'session_info',
  'usage',
  'context_edit',
]);

/** Entries that releases and extensions write by themselves. */
const BOOKKEEPING: ReadonlySet<unknown> = new Set([
  'model_change',
  'thinking_level_change',
  'custom',
  'usage',
  'credential_pin',
  'mode_change',
  'model_usage',
  'service_tier_change',
  'ttsr_injection',
]);

/** A list of tasks that a user of oh-my-pi has written (`/todo`), as `USER_TODO_EDIT_CUSTOM_TYPE` of 18.2.3. */
const USER_TASKS = 'user_todo_edit';

export function isKnownEntryType(type: string): boolean {
  return ENTRY_TYPES.has(type);
}

export function isHeader(value: JsonObject): boolean {
  return value['type'] === 'session';
}

/** The header of a `v: 4` file; shape as in pi-agent-core 0.87.1, harness/session/jsonl/codec, and in 0.84. */
export function isAgentCoreHeader(value: JsonObject): boolean {
  return value['kind'] === 'header' && (value['v'] ?? value['version']) === AGENT_CORE_VERSION;
}

export function isAnyHeader(value: JsonObject): boolean {
  return isHeader(value) || isAgentCoreHeader(value);
}

/** oh-my-pi writes one before the header. */
export function isTitleLine(value: JsonObject): boolean {
  return value['type'] === 'title' && typeof value['title'] === 'string';
}

/**
 * Returns whether a line is the place that oh-my-pi has at the start of a file for the name, of 256 bytes, with all that
 * it needs there (`parseTitleSlotObject` of 18.3.4).
 */
export function isTitleSlot(value: JsonObject): boolean {
  const texts = [value['updatedAt'], value['pad']];
  return isTitleLine(value) && value['v'] === 1 && texts.every((one) => typeof one === 'string');
}

/** The members that hold a name or a label, by the types of lines. */
const NAMES: ReadonlyMap<unknown, string> = new Map([
  ['session', 'title'],
  ['session_info', 'name'],
  ['label', 'label'],
]);

/** Returns whether an object is of a type that a release is known to write, with a name or label that is one. */
export function isKnownLine(value: JsonObject): boolean {
  const name = NAMES.get(value['type']);
  if (name !== undefined) return isTextIfAny(value, name);
  if (isAgentCoreHeader(value) || isTitleLine(value)) return true;
  return isKnownEntryType(getString(value, 'type') ?? '');
}

/** Returns whether an entry says how the agent is set up or what it cost, and nothing of anyone's work. */
export function isBookkeeping(entry: JsonObject): boolean {
  return BOOKKEEPING.has(entry['type']) && entry['customType'] !== USER_TASKS;
}

/** Returns whether an object could be a line of a pi session file, the header lost or not. */
export function isPiLine(value: JsonObject): boolean {
  if (isHeader(value)) return 'timestamp' in value || 'cwd' in value || 'version' in value;
  if (isAgentCoreHeader(value) || isTitleLine(value)) return true;
  const type = getString(value, 'type');
  if (type === undefined || !isKnownEntryType(type) || !('timestamp' in value)) return false;
  if (type === 'message') return typeof getObject(value, 'message')?.['role'] === 'string';
  return 'id' in value && 'parentId' in value;
}

/** The message of a `message` entry; undefined for other entries and broken ones. */
export function getMessage(value: JsonObject): JsonObject | undefined {
  const message = value['message'];
  return value['type'] === 'message' && isObject(message) ? message : undefined;
}

/**
 * No `version` means v1; the array dialect is older than versions, and counts as 0. A version
 * that is not a number counts as in pi, which only compares it: `"3"` is 3, and what cannot be compared is never
 * migrated, so it is current.
 */
export function getVersion(header: JsonObject, framing: Framing): number {
  if (framing === 'array') return 0;
  const version = header['version'] ?? 1;
  const number = typeof version === 'object' ? Number.NaN : Number(version);
  return Number.isNaN(number) ? CURRENT_VERSION : number;
}

/** The version of the file that a header of either kind begins. */
export function getFileVersion(header: JsonObject, framing: Framing): number {
  return isAgentCoreHeader(header) ? AGENT_CORE_VERSION : getVersion(header, framing);
}

/** Returns whether an entry is one of v1, which has no place of its own in a tree. */
export function isWithoutPlace(entry: JsonObject): boolean {
  return entry['id'] === undefined && entry['parentId'] === undefined;
}

/** All that v1 knew, by pi 0.30.2. */
const V1_TYPES: ReadonlySet<unknown> = new Set([
  'message',
  'model_change',
  'thinking_level_change',
  'compaction',
]);

/** Returns whether a release for v1 has written an entry, into whatever file. */
export function isV1Entry(entry: JsonObject): boolean {
  return isWithoutPlace(entry) && V1_TYPES.has(entry['type']);
}

/** Returns whether an entry is a message of an extension as v1 and v2 have it. */
export function hasOldRole(entry: JsonObject): boolean {
  return getMessage(entry)?.['role'] === 'hookMessage';
}

/** Returns the time of a message of a user or an assistant, in milliseconds; NaN for any other entry. */
export function getActivityTime(entry: JsonObject): number {
  const message = getMessage(entry);
  const role = message?.['role'];
  if (!message || (role !== 'user' && role !== 'assistant')) return Number.NaN;
  if (!('content' in message)) return Number.NaN;
  const { timestamp } = message;
  return typeof timestamp === 'number' ? timestamp : toTime(entry['timestamp']);
}
