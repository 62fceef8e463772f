import {
  getNumber,
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../jsonl/edit/json.ts';
import { type Block, toNote, type TurnContent } from '../../../model/text/conversation.ts';
import { toBlocks, toThoughts } from './blocks.ts';
import { type Known, toAssistant, toCall, toResult, type ToolResult } from './turn-parts.ts';

/** Converts an item of a turn, as `item_completed` stores it since 0.148. */
export function fromItem(item: JsonObject, known: Known): readonly TurnContent[] {
  const id = getString(item, 'id') ?? '';
  switch (item['type']) {
    case 'UserMessage':
      return [{ role: 'user', blocks: toBlocks(item['content']) }];
    case 'AgentMessage':
    case 'Plan':
      return [toAssistant([...toBlocks(item['content']), ...toText(item, 'text')], known)];
    case 'Reasoning':
      return [toAssistant(toThoughts(item['summary_text']), known)];
    case 'CommandExecution': {
      const output = toText(item, 'aggregated_output');
      const code = getNumber(item, 'exit_code') ?? 0;
      const result = toResult(id, 'exec_command', output, code !== 0 || hasFailed(item));
      return withCall(result, known, { command: getCommand(item) });
    }
    case 'FileChange': {
      const changes = getObject(item, 'changes') ?? {};
      const blocks: Block[] = [{ type: 'text', text: formatDiff(changes) }];
      const result = toResult(id, 'apply_patch', blocks, hasFailed(item));
      return withCall(result, known, { files: Object.keys(changes) });
    }
    case 'ExitedReviewMode':
      return [
        toAssistant(toText(getObject(item, 'review_output') ?? {}, 'overall_explanation'), known),
      ];
    case 'SubAgentActivity':
    case 'CollabAgentToolCall':
      return [toNote(`Sub-agent: ${describeAgents(item)}`)];
    default:
      return fromOtherCall(id, item, known);
  }
}

/** Converts an item of a call that neither runs a command nor changes files. */
function fromOtherCall(id: string, item: JsonObject, known: Known): readonly TurnContent[] {
  switch (item['type']) {
    case 'McpToolCall':
      return withCall(toMcpResult(id, item), known, item['arguments'] ?? {});
    case 'DynamicToolCall': {
      const output = [...toBlocks(item['content_items']), ...toText(item, 'error')];
      const isError = item['success'] === false || hasFailed(item);
      const result = toResult(id, getString(item, 'tool') ?? '', output, isError);
      return withCall(result, known, item['arguments'] ?? {});
    }
    case 'WebSearch': {
      const query = { query: getString(item, 'query') ?? '' };
      return [toAssistant([toCall(id, 'web_search', getObject(item, 'action') ?? query)], known)];
    }
    case 'ImageView':
      return [toAssistant([toCall(id, 'view_image', { path: item['path'] ?? '' })], known)];
    default:
      return [toNote(getString(item, 'type') ?? 'item')];
  }
}

/** Converts an event with which files of version 1 say what came of a call. */
export function fromOutcome(event: JsonObject, known: Known): readonly TurnContent[] {
  const id = event['call_id'] ?? '';
  if (event['type'] === 'patch_apply_end') {
    const status = event['success'] === false ? 'failed' : 'completed';
    return fromItem({ type: 'FileChange', id, changes: event['changes'] ?? {}, status }, known);
  }
  const { Ok: result = {}, Err: message = '' } = getObject(event, 'result') ?? {};
  const called = getObject(event, 'invocation') ?? {};
  return fromItem({ ...called, type: 'McpToolCall', id, result, error: { message } }, known);
}

/** Adds the call to a result: in code mode, only the item records it, and is its own call. */
function withCall(result: ToolResult, known: Known, args: JsonValue): readonly TurnContent[] {
  if (known.toolName !== undefined) return [{ ...result, toolName: known.toolName }];
  return [toAssistant([toCall(result.callId, result.toolName, args)], known), result];
}

/** The result of a tool of a server, under the name that code mode has for the tool. */
function toMcpResult(id: string, item: JsonObject): ToolResult {
  const name = `mcp__${getString(item, 'server') ?? ''}__${getString(item, 'tool') ?? ''}`;
  const result = getObject(item, 'result') ?? {};
  const error = toText(getObject(item, 'error') ?? {}, 'message');
  const isError = result['isError'] === true || error.length > 0 || hasFailed(item);
  return toResult(id, name, [...toBlocks(result['content']), ...error], isError);
}

function hasFailed({ status }: JsonObject): boolean {
  return status === 'failed' || status === 'declined';
}

function toText(value: JsonObject, key: string): readonly Block[] {
  return toBlocks(getString(value, key));
}

/** The command that a shell was given; else all that was run. */
function getCommand({ command }: JsonObject): string {
  if (typeof command === 'string') return command;
  const words = isArray(command) ? command.map(String) : [];
  const isShell = words.length === 3 && /^-l?c$/.test(words[1] ?? '');
  return isShell ? (words[2] ?? '') : words.join(' ');
}

/** The changes of files as a unified diff. */
function formatDiff(changes: JsonObject): string {
  return Object.entries(changes)
    .map(([path, change]) => (isObject(change) ? formatChange(path, change) : ''))
    .join('');
}

function formatChange(path: string, change: JsonObject): string {
  const content = getString(change, 'content') ?? '';
  switch (change['type']) {
    case 'add':
      return `--- /dev/null\n+++ ${path}\n${prefix('+', content)}`;
    case 'delete':
      return `--- ${path}\n+++ /dev/null\n${prefix('-', content)}`;
    default: {
      const to = getString(change, 'move_path') ?? path;
      return `--- ${path}\n+++ ${to}\n${getString(change, 'unified_diff') ?? ''}`;
    }
  }
}

function prefix(sign: string, content: string): string {
  const lines = content.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => `${sign}${line}\n`).join('');
}

function describeAgents(item: JsonObject): string {
  const agents = item['receiver_agents'];
  const names = isArray(agents)
    ? agents.map((one) => (isObject(one) ? getString(one, 'agent_nickname') : undefined) ?? '?')
    : [getString(item, 'agent_path') ?? '?'];
  return `${getString(item, 'tool') ?? getString(item, 'kind') ?? ''} ${names.join(', ')}`.trim();
}
