import { basename } from 'node:path';
import {
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  listObjects,
} from '../../jsonl/edit/json.ts';

/** Sessions of Claude Code have no version: every release reads what every other has written. */
export const CURRENT_VERSION = 1;

/**
 * The words before the path of a session that the model may read: after a compaction, and in a session that begins
 * with the plan of another one.
 */
export const POINTER = 'read the full transcript at: ';

/** Lines of the conversation: those that can be its end. */
const LEAF_TYPES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'attachment', 'system']);

/** Copies of what was sent to the model, which the client does not read again. */
export const REQUEST_TYPES = [
  'api-request',
  'api-request-shape',
  'api-request-blob',
  'api-request-resumed',
] as const;

/** Lines by which the client follows what of a session came from where: it gives none of them to a fork. */
export const ORIGIN_TYPES = [
  'data-flow-records',
  'data-flow-incomplete',
  'derived-from',
  'resume-head-vouch',
] as const;

/** Lines about a session, without a place in its tree. Written by 1.0.59 to 2.1.332, which has a table of them. */
const ASIDE_TYPES = [
  ...REQUEST_TYPES,
  ...ORIGIN_TYPES,
  'last-prompt',
  'custom-title',
  'agent-name',
  'ai-title',
  'tag',
  'agent-color',
  'agent-setting',
  'summary',
  'mode',
  'permission-mode',
  'session-mode',
  'isolation-latch',
  'session-owner',
  'dev-mods',
  'memory-mode',
  'repl-mode',
  'hybrid-organization',
  'atis-latch',
  'tools-used',
  'queue-operation',
  'file-history-snapshot',
  'file-history-delta',
  'attribution-snapshot',
  'cost-state',
  'worktree-state',
  'fork-context-ref',
  'observer-ref',
  'host-row',
  'ended-by-model',
  'artifact-comment-monitor',
  'artifact-autoreact-ledger',
  'frame-link',
  'pr-link',
  'relocated',
  'bridge-session',
  'continued-in',
  'content-replacement',
  'history-suppression',
  'speculation-accept',
  'marble-origami-commit',
  'marble-origami-snapshot',
] as const;
export type AsideType = (typeof ASIDE_TYPES)[number];
const ASIDE: ReadonlySet<unknown> = new Set(ASIDE_TYPES);

/** Another agent writes lines that look the same: they do not show whose a file is. */
const SHARED_TYPES: ReadonlySet<unknown> = new Set<AsideType>([
  'custom-title',
  'file-history-snapshot',
]);

/** Returns whether a line has a place in the tree. One of an unknown type has none, even with a parent. */
export function isNode(value: JsonObject): boolean {
  return isConversation(value) && getString(value, 'uuid') !== undefined;
}

function isConversation({ type }: JsonObject): boolean {
  return LEAF_TYPES.has(type) || type === 'progress';
}

/** Returns whether an object could be a line of a session of Claude Code. */
export function isClaudeCodeLine(value: JsonObject): boolean {
  const { type } = value;
  if (isNode(value)) return 'parentUuid' in value || hasEnvelope(value);
  // A title of old releases, which may be that of a session in another file.
  if (type === 'summary') {
    return typeof value['summary'] === 'string' && typeof value['leafUuid'] === 'string';
  }
  if (!ASIDE.has(type) || SHARED_TYPES.has(type)) return false;
  return typeof value['sessionId'] === 'string';
}

function hasEnvelope(value: JsonObject): boolean {
  return typeof value['sessionId'] === 'string' || isObject(value['message']);
}

/** Returns whether an object is of a type that a release is known to write. */
export function isKnownLine(value: JsonObject): boolean {
  const { type } = value;
  return isConversation(value) || ASIDE.has(type);
}

/**
 * Returns whether an object is a line of what Claude Code keeps beside its sessions: the conversation of a
 * sub-agent in a file of its own, or the history of what was typed.
 */
export function isHelperLine(value: JsonObject): boolean {
  return isSubagentLine(value) || isPromptHistoryLine(value);
}

/** Returns whether a line begins the file of a sub-agent. Lines of old sidechains name no agent. */
function isSubagentLine(value: JsonObject): boolean {
  return isConversation(value) && isSidechainLine(value) && typeof value['agentId'] === 'string';
}

function isPromptHistoryLine(value: JsonObject): boolean {
  return (
    !('type' in value) &&
    typeof value['display'] === 'string' &&
    typeof value['project'] === 'string'
  );
}

/** Returns whether a line holds the state of files before a message. */
export function isSnapshot({ type }: { readonly type: string }): boolean {
  return type === 'file-history-snapshot' || type === 'file-history-delta';
}

export function isSidechainLine(value: JsonObject): boolean {
  return value['isSidechain'] === true;
}

/** Returns whether a line is where a compaction ends what came before. */
export function isBoundaryLine(value: JsonObject): boolean {
  return value['type'] === 'system' && value['subtype'] === 'compact_boundary';
}

/** The message that stands for what came before a boundary. */
export function isCompactSummary(value: JsonObject): boolean {
  return value['type'] === 'user' && value['isCompactSummary'] === true;
}

/** The message of a line of a user or an assistant; undefined for other lines and broken ones. */
export function getMessage(value: JsonObject): JsonObject | undefined {
  const { type } = value;
  return type === 'user' || type === 'assistant' ? getObject(value, 'message') : undefined;
}

/** Several ask for the blocks of the same line. */
let lastLine: JsonObject | undefined;
let lastBlocks: readonly JsonObject[] = [];

/** The blocks of a message; none where its content is a string. */
export function getBlocks(value: JsonObject): readonly JsonObject[] {
  if (value === lastLine) return lastBlocks;
  lastLine = value;
  lastBlocks = listObjects(getMessage(value)?.['content']);
  return lastBlocks;
}

/** Returns whether a block is the result of a call. */
export function isResult({ type }: JsonObject): boolean {
  return type === 'tool_result';
}

/** The texts of results of tools in a line. */
export function listResultTexts(value: JsonObject): readonly string[] {
  return getBlocks(value)
    .filter(isResult)
    .flatMap(({ content }) => (isArray(content) ? content.filter(isObject) : [{ text: content }]))
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}

/** Returns whether a line of a user holds what a tool returned. */
export function isToolResult(value: JsonObject): boolean {
  return value['type'] === 'user' && getBlocks(value).some(isResult);
}

/** The name of the file is the identity of a session. */
export function toSessionId(path: string): string {
  return basename(path).replace(/\.jsonl$/, '');
}

/** Models that Claude Code 2.1.332 no longer offers. */
const RETIRED = /^claude-(?:[123]|instant|(?:opus|sonnet)-4(?:-0|-1|-20250514|-20250805|$))/;

/** Returns whether a model is no longer to be had, so that 2.1.332 continues with another one. */
export function isRetired(model: string): boolean {
  return RETIRED.test(model);
}

/** Returns whether a person typed the text of a `queued_command`: the client queues some by itself. */
export function isTypedCommand(attachment: JsonObject): boolean {
  return (attachment['commandMode'] ?? 'prompt') === 'prompt';
}

/** Returns whether the client wrote a line instead of an answer that it could not get. */
export function isApiError(value: JsonObject): boolean {
  return value['isApiErrorMessage'] === true;
}
