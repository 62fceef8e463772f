import { type Block, toNote, toParts, type TurnContent } from '../../../model/text/conversation.ts';
import { getString, type JsonObject, type JsonValue } from '../../../jsonl/edit/json.ts';
import { parseBashInput, parseBashOutput } from './bash-text.ts';
import { describeAside } from './describe-entry.ts';
import { readUsage } from './entry-usage.ts';
import { isCompaction, isMessage } from '../format.ts';
import { getToolOutcomes, readImage, type ToolOutcome } from './parts.ts';

/** Converts a line to the turns that all agents share: a message with several results, several turns. */
export function toTurns(value: JsonObject, role: string | undefined): readonly TurnContent[] {
  if (!isMessage(value)) return [fromAside(value)];
  const blocks = toBlocks(value['content']);
  if (isCompaction(value)) return [{ role: 'summary', kind: 'compaction', blocks }];
  switch (role) {
    case 'user':
      return [fromUser(value, blocks)];
    case 'assistant':
      return [fromAssistant(value, blocks)];
    case 'tool':
      return getToolOutcomes(value).map(fromOutcome);
    case 'system':
      return [{ role, blocks, toolsAdded: [], toolsRemoved: [] }];
    default:
      return [{ role: 'custom', blocks, customType: role ?? '', hidden: false }];
  }
}

function fromUser(value: JsonObject, blocks: readonly Block[]): TurnContent {
  const { content } = value;
  if (value['hidden'] === true) {
    return { role: 'custom', blocks, customType: 'command', hidden: true };
  }
  if (typeof content !== 'string') return { role: 'user', blocks };
  const typed = parseBashInput(content);
  if (typed !== undefined) return { role: 'user', blocks: [{ type: 'text', text: `!${typed}` }] };
  const ran = parseBashOutput(content);
  if (!ran) return { role: 'user', blocks };
  const { command, output, exitCode } = ran;
  const guessed = { cancelled: false, truncated: false, excluded: false };
  return { role: 'bash', blocks: toBlocks(output), command, exitCode, ...guessed };
}

function fromAssistant(value: JsonObject, blocks: readonly Block[]): TurnContent {
  return {
    role: 'assistant',
    blocks,
    model: getString(value, 'model'),
    usage: readUsage(value),
  };
}

function fromOutcome({ callId, toolName, isError, content, display }: ToolOutcome): TurnContent {
  return {
    role: 'toolResult',
    blocks: toBlocks(content),
    callId,
    toolName,
    isError,
    details: display,
  };
}

const NOTES: ReadonlyMap<string, string> = new Map([
  ['config', 'Settings'],
  ['custom-title', 'Title'],
  ['snapshot', 'File backups'],
  ['file-history-snapshot', 'File backups'],
]);

function fromAside(value: JsonObject): TurnContent {
  const type = getString(value, 'type') ?? '';
  return toNote(NOTES.get(type) ?? type, describeAside(value));
}

/** Converts the content of a message to blocks. */
export function toBlocks(content: JsonValue | undefined): readonly Block[] {
  return toParts(content).flatMap(toBlock);
}

function toBlock(part: JsonObject): Block[] {
  const field = (key: string): string => getString(part, key) ?? '';
  switch (part['type']) {
    case 'text':
      return [{ type: 'text', text: field('text') }];
    case 'reasoning':
      return [{ type: 'thinking', text: field('text'), redacted: false }];
    case 'image':
      return [{ type: 'image', ...readImage(part) }];
    case 'tool_use':
      return [
        { type: 'toolCall', id: field('id'), name: field('name'), arguments: part['input'] ?? {} },
      ];
    default:
      return field('text') === '' ? [] : [{ type: 'text', text: field('text') }];
  }
}
