import {
  getNumber,
  getObject,
  getString,
  isArray,
  isObject,
  type JsonObject,
} from '../../../jsonl/edit/json.ts';
import type { Block, TurnContent } from '../../../model/text/conversation.ts';
import { toBlocks, toThoughts } from './blocks.ts';
import {
  type Known,
  toAssistant,
  toCall,
  toNote,
  toResult,
  type ToolResult,
} from './turn-parts.ts';

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
      return [toNote(getString(item, 'type') ?? 'item')];
  }
}

/** Adds the call to a result: in code mode, only the item records a command, and is its own call. */
function withCall(result: ToolResult, known: Known, args: JsonObject): readonly TurnContent[] {
  if (known.toolName !== undefined) return [{ ...result, toolName: known.toolName }];
  return [toAssistant([toCall(result.callId, result.toolName, args)], known), result];
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
