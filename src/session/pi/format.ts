import type { Framing } from '../dialect.ts';
import { getObject, getString, isObject, type JsonObject } from '../json.ts';

/** Written since pi 0.33; read by every later release. */
export const CURRENT_VERSION = 3;

/** The files of pi-agent-core's own storage: transactions, not entries. Never changed by us. */
export const AGENT_CORE_VERSION = 4;

const ENTRY_TYPES: ReadonlySet<string> = new Set([
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

export function isKnownEntryType(type: string): boolean {
  return ENTRY_TYPES.has(type);
}

export function isHeader(value: JsonObject): boolean {
  return value['type'] === 'session';
}

/** The header of a `v: 4` file; shape as in pi-agent-core 0.87.1, harness/session/jsonl/codec. */
export function isAgentCoreHeader(value: JsonObject): boolean {
  return value['kind'] === 'header' && value['v'] === AGENT_CORE_VERSION;
}

/** oh-my-pi writes one before the header. */
export function isTitleLine(value: JsonObject): boolean {
  return value['type'] === 'title' && typeof value['title'] === 'string';
}

/** Whether an object could be a line of a pi session file, the header lost or not. */
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

/** No `version` means v1; the array dialect is older than versions, and counts as 0. */
export function getVersion(header: JsonObject, framing: Framing): number {
  if (framing === 'array') return 0;
  const version = header['version'];
  return typeof version === 'number' ? version : 1;
}
