import { basename } from 'node:path';
import {
  getObject,
  getString,
  isObject,
  isTextIfAny,
  type JsonObject,
} from '../../jsonl/edit/json.ts';

/** Bare items without an envelope, as releases before 0.40 wrote them. */
export const BARE_VERSION = 0;
/** Lines in an envelope; a thread is one file, and a fork copies its parent. */
export const LEGACY_VERSION = 1;
/** Lines with ordinals, since 0.148; forks and reverts point into the file that they continue from. */
export const CURRENT_VERSION = 2;
/** A `history_mode` that no release is known to write: Codex 0.169 does not read such a file. */
export const UNKNOWN_VERSION = 3;

/** The reason why coppice makes nothing of a thread without a header. */
export const NO_HEADER = 'has no header: Codex does not open it';

/** The lines of an envelope that 0.171 and the releases before it write. */
const LINE_TYPES: ReadonlySet<string> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
  'world_state',
  'token_usage_record',
  'inter_agent_communication_metadata',
  'inter_agent_communication',
  'dynamic_tools_updated',
  'security_risk_score',
  'realtime_item',
  'retained_context',
]);

/** Returns whether lines in an envelope may be of this type. */
export function isLineType(type: string): boolean {
  return LINE_TYPES.has(type);
}

/** Fields that distinguish an item of the Responses API without an envelope from lines of other agents. */
const BARE_ITEMS: ReadonlyMap<string, (value: JsonObject) => boolean> = new Map([
  ['message', isBareMessage],
  ['reasoning', (value: JsonObject) => Array.isArray(value['summary'])],
  ['function_call', (value: JsonObject) => isCall(value) && 'arguments' in value],
  ['function_call_output', (value: JsonObject) => isCall(value) && 'output' in value],
  ['custom_tool_call', isCall],
  ['custom_tool_call_output', isCall],
  ['local_shell_call', (value: JsonObject) => isObject(value['action'])],
  ['web_search_call', (value: JsonObject) => isObject(value['action'])],
]);

/** Returns whether releases before 0.40 wrote items of this type without an envelope. */
export function isItemType(type: unknown): boolean {
  return typeof type === 'string' && BARE_ITEMS.has(type);
}

function isCall(value: JsonObject): boolean {
  return typeof value['call_id'] === 'string';
}

const BARE_PARTS: ReadonlySet<unknown> = new Set(['input_text', 'output_text', 'input_image']);

function isBareMessage({ role, content }: JsonObject): boolean {
  if (typeof role !== 'string' || !Array.isArray(content)) return false;
  return content.some((part) => isObject(part) && BARE_PARTS.has(part['type']));
}

/** Returns whether an object is a line in an envelope, of whatever type. */
export function isEnveloped(value: JsonObject): boolean {
  return (
    typeof value['type'] === 'string' &&
    isObject(value['payload']) &&
    typeof value['timestamp'] === 'string'
  );
}

/** The first line of a file without envelopes. */
export function isBareHeader(value: JsonObject): boolean {
  return (
    !('type' in value) &&
    typeof value['id'] === 'string' &&
    typeof value['timestamp'] === 'string' &&
    'instructions' in value
  );
}

export function isBareState(value: JsonObject): boolean {
  return value['record_type'] === 'state';
}

function isBareItem(value: JsonObject): boolean {
  if ('payload' in value || 'parentId' in value || 'uuid' in value) return false;
  return BARE_ITEMS.get(getString(value, 'type') ?? '')?.(value) ?? false;
}

/** Returns whether an object could be a line of a rollout of Codex, of any release. */
export function isCodexLine(value: JsonObject): boolean {
  if (isEnveloped(value)) return LINE_TYPES.has(getString(value, 'type') ?? '');
  return isBareHeader(value) || isBareState(value) || isBareItem(value);
}

/** Returns whether an object is of a type that a release is known to write, with a name that is one. */
export function isKnownLine(value: JsonObject): boolean {
  if (!isCodexLine(value)) return false;
  const { kind, payload } = openLine(value);
  return kind !== 'thread_name_updated' || isTextIfAny(payload, 'thread_name');
}

/** The subject of a line: `type` of the line, `kind` of its payload, whatever the era. */
export interface LineParts {
  readonly type: string;
  readonly kind: string | undefined;
  readonly payload: JsonObject;
}

/** Several ask for the parts of the same line. */
let lastLine: JsonObject | undefined;
let lastParts: LineParts = { type: '', kind: undefined, payload: {} };

/** Takes a line out of its envelope; a bare line is a response item, a header or a state. */
export function openLine(value: JsonObject): LineParts {
  if (value === lastLine) return lastParts;
  lastLine = value;
  lastParts = takeApart(value);
  return lastParts;
}

/** The lines, and the events, that the client writes of itself: no one has said, asked or done anything in them. */
const BOOKKEEPING: ReadonlySet<string> = new Set([
  'session_meta',
  'state',
  'turn_context',
  'world_state',
  'token_usage_record',
  'inter_agent_communication_metadata',
  'dynamic_tools_updated',
  'security_risk_score',
]);
const BOOKKEEPING_EVENTS: ReadonlySet<string | undefined> = new Set([
  'thread_settings_applied',
  'thread_rolled_back',
  'task_started',
  'task_complete',
  'turn_aborted',
  'token_count',
]);

/** Returns whether a line holds nothing of a user, nor of an answer; false for one that is not known. */
export function isBookkeeping({ type, kind }: LineParts): boolean {
  return type === 'event_msg' ? BOOKKEEPING_EVENTS.has(kind) : BOOKKEEPING.has(type);
}

function takeApart(value: JsonObject): LineParts {
  const payload = getObject(value, 'payload');
  const type = getString(value, 'type');
  if (payload && type !== undefined) return { type, kind: getString(payload, 'type'), payload };
  if (isBareHeader(value)) return { type: 'session_meta', kind: undefined, payload: value };
  if (isBareState(value)) return { type: 'state', kind: undefined, payload: value };
  if (isBareItem(value)) return { type: 'response_item', kind: type, payload: value };
  return { type: type ?? '', kind: undefined, payload: value };
}

/** Returns the version of a file, by `history_mode` of its `session_meta`. */
export function getVersion({ history_mode: mode }: JsonObject): number {
  if (mode === undefined || mode === null || mode === 'legacy') return LEGACY_VERSION;
  return mode === 'paginated' ? CURRENT_VERSION : UNKNOWN_VERSION;
}

const NAME =
  /^rollout-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}))?\.jsonl(?:\.zst)?$/;

/** The parts of the name of a rollout: its start in local time, its thread, and its generation. */
export interface RolloutName {
  readonly start: string;
  readonly threadId: string;
  /** The id of a file that `thread/revert` made. */
  readonly rolloutId: string | undefined;
}

/** Undefined for a file of another name. */
export function parseName(path: string): RolloutName | undefined {
  const [, start, threadId, rolloutId] = NAME.exec(basename(path)) ?? [];
  return start === undefined || threadId === undefined ? undefined : { start, threadId, rolloutId };
}

/** Returns the id by which other files name a rollout, and rows its turns: each generation has one of its own. */
export function getFileId({ threadId, rolloutId }: RolloutName): string {
  return rolloutId ?? threadId;
}

/** Returns the same of the file at a path; undefined for a file of another name. */
export function toFileId(path: string): string | undefined {
  const name = parseName(path);
  return name && getFileId(name);
}
