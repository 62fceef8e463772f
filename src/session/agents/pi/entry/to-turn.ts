import { type Block, toNote, toParts, type TurnContent } from '../../../model/text/conversation.ts';
import {
  getNumber,
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  listObjects,
} from '../../../jsonl/edit/json.ts';
import { toUsage, type Usage } from '../../../model/usage.ts';
import { describeEntry } from './describe-entry.ts';
import { getModelName } from './entry-usage.ts';
import { getMessage } from '../format.ts';

/**
 * Converts an entry to the turn that all agents share. Reads any shape: what is missing is empty, and an
 * entry or role that is not known is kept as far as it has text. A compaction may repeat the system prompt
 * before its summary. `role` is the message's role after migration, which the index knows. An edit replaces
 * the content only; no turns when it takes the message out.
 */
export function toTurns(
  value: JsonObject,
  role?: string,
  edit?: JsonObject,
): readonly TurnContent[] {
  const message = getMessage(value);
  const said = message ?? value;
  const edited = edit ? applyEdit(said, edit) : said;
  if (!edited) return [];
  if (message) return [fromMessage(edited, role ?? getString(message, 'role'))];
  switch (value['type']) {
    case 'custom_message':
      return [fromCustom(edited)];
    case 'compaction': {
      const system = getObject(value, 'systemMessage');
      const summary = fromSummary(value, 'compaction');
      return system ? [fromMessage(system, 'system'), summary] : [summary];
    }
    case 'branch_summary':
      return [fromBranch(value)];
    default:
      return [fromOther(value)];
  }
}

/** Undefined where it takes out what was said. */
function applyEdit(said: JsonObject, { replacement }: JsonObject): JsonObject | undefined {
  return isObject(replacement) ? { ...said, content: replacement['content'] ?? null } : undefined;
}

function fromMessage(message: JsonObject, role: string | undefined): TurnContent {
  const blocks = toBlocks(message['content']);
  switch (role) {
    case 'user':
      return { role, blocks };
    case 'assistant':
      return {
        role,
        blocks,
        model: getModelName(message),
        usage: getUsage(message),
        stopReason: getString(message, 'stopReason'),
        errorMessage: getString(message, 'errorMessage'),
      };
    case 'toolResult':
      return {
        role,
        blocks,
        callId: getString(message, 'toolCallId') ?? '',
        toolName: getString(message, 'toolName') ?? '',
        isError: message['isError'] === true,
        usage: getUsage(message),
        details: message['details'],
        nestedCalls: message['nestedCalls'],
      };
    case 'system':
      return fromSystem(message, blocks);
    case 'bashExecution':
      return fromBash(message);
    case 'branchSummary':
      return fromSummary(message, 'branch');
    case 'compactionSummary':
      return fromSummary(message, 'compaction');
    default:
      // Another role is known to no model.
      return role === 'custom'
        ? fromCustom(message)
        : { ...fromCustom({ customType: role ?? '', ...message }), unsent: true };
  }
}

/** The sections of a system message, which follow its content in their order; one that is taken away says so. */
export function listSections(message: JsonObject): readonly { type: 'text'; text: string }[] {
  return Object.entries(getObject(message, 'sections') ?? {}).map(([name, text]) => ({
    type: 'text',
    text: typeof text === 'string' ? text : `(section ${name} removed)`,
  }));
}

function fromSystem(message: JsonObject, blocks: readonly Block[]): TurnContent {
  return {
    role: 'system',
    blocks: [...blocks, ...listSections(message)],
    toolsAdded: listObjects(message['toolsAdded']),
    toolsRemoved: toArray(message['toolsRemoved'])
      .map((tool) => (isObject(tool) ? getString(tool, 'name') : tool))
      .filter((name) => typeof name === 'string'),
  };
}

function fromBash(message: JsonObject): TurnContent {
  return {
    role: 'bash',
    blocks: toBlocks(getString(message, 'output') ?? ''),
    command: getString(message, 'command') ?? '',
    exitCode: getNumber(message, 'exitCode'),
    cancelled: message['cancelled'] === true,
    truncated: message['truncated'] === true,
    fullOutputPath: getString(message, 'fullOutputPath'),
    excluded: message['excludeFromContext'] === true,
  };
}

function fromCustom(from: JsonObject): Extract<TurnContent, { readonly role: 'custom' }> {
  return {
    role: 'custom',
    blocks: toBlocks(from['content']),
    customType: getString(from, 'customType') ?? '',
    hidden: from['display'] === false,
    details: from['details'],
  };
}

function fromSummary(from: JsonObject, kind: 'compaction' | 'branch'): TurnContent {
  return {
    role: 'summary',
    kind,
    blocks: toBlocks(getString(from, 'summary') ?? ''),
    tokensBefore: getNumber(from, 'tokensBefore'),
    usage: getUsage(from),
  };
}

/** An empty summary of a branch is sent to no model. */
function fromBranch(value: JsonObject): TurnContent {
  return getString(value, 'summary') ? fromSummary(value, 'branch') : fromOther(value);
}

const NOTES: ReadonlyMap<string, string> = new Map([
  ['model_change', 'Model'],
  ['thinking_level_change', 'Thinking level'],
  ['session_info', 'Session name'],
  ['label', 'Label'],
  ['context_edit', 'Context edit'],
  ['custom', 'Extension state'],
  ['usage', 'Usage'],
  ['branch_summary', 'Branch summary'],
]);

function fromOther(value: JsonObject): TurnContent {
  const type = getString(value, 'type') ?? '';
  const says = type === 'usage' ? (getString(value, 'kind') ?? '') : describeEntry(value).preview;
  const usage = type === 'usage' || type === 'branch_summary' ? getUsage(value) : undefined;
  return { ...toNote(NOTES.get(type) ?? type, says), usage };
}

function getUsage(from: JsonObject): Usage | undefined {
  const usage = getObject(from, 'usage');
  return usage && toUsage(usage);
}

function toBlocks(content: JsonValue | undefined): Block[] {
  return toParts(content).flatMap(toBlock);
}

function toBlock(block: JsonObject): Block[] {
  const field = (key: string): string => getString(block, key) ?? '';
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: field('text') }];
    case 'thinking':
      return [{ type: 'thinking', text: field('thinking'), redacted: block['redacted'] === true }];
    case 'image':
      return [{ type: 'image', mimeType: field('mimeType'), data: field('data') }];
    case 'toolCall': {
      const name = [field('namespace'), field('name')].filter((part) => part !== '').join('.');
      return [{ type: 'toolCall', id: field('id'), name, arguments: block['arguments'] ?? {} }];
    }
    default:
      return field('text') === '' ? [] : [{ type: 'text', text: field('text') }];
  }
}

function toArray(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}
