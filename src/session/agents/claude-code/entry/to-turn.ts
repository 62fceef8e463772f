import { type Block, toNote, toParts, type TurnContent } from '../../../model/text/conversation.ts';
import {
  getObject,
  getString,
  type JsonObject,
  type JsonValue,
  listObjects,
} from '../../../jsonl/edit/json.ts';
import {
  getBlocks,
  getMessage,
  isApiError,
  isBoundaryLine,
  isCompactSummary,
  isResult,
  isTypedCommand,
} from '../format.ts';
import { describeAside } from './describe-entry.ts';
import { getEntryUsage, getModelName, NO_MODEL } from './entry-usage.ts';
import { isHarnessText, toTypedText } from './user-text.ts';
import { HARNESS } from './to-entry.ts';

/** Converts a line to the turns that all agents share: results of tools are turns of their own. */
export function toTurns(value: JsonObject): readonly TurnContent[] {
  switch (value['type']) {
    case 'user':
      return fromUser(value);
    case 'assistant':
      return [fromAssistant(value)];
    case 'attachment':
      return fromAttachment(value);
    default:
      return [isCommand(value) ? toHarness(toBlocks(value['content'])) : fromAside(value)];
  }
}

/** A command of the person, or what it printed, which the model is sent. */
function isCommand({ type, subtype }: JsonObject): boolean {
  return type === 'system' && subtype === 'local_command';
}

function fromUser(value: JsonObject): readonly TurnContent[] {
  const content = getMessage(value)?.['content'];
  if (isCompactSummary(value)) {
    return [{ role: 'summary', kind: 'compaction', blocks: toBlocks(content) }];
  }
  const parts = getBlocks(value);
  const results = parts.filter(isResult);
  const turns: TurnContent[] = results.map((block) => fromResult(block, value['toolUseResult']));
  const others = parts.filter((block) => !isResult(block));
  const blocks = toBlocks(typeof content === 'string' ? content : others);
  if (blocks.length > 0) turns.push(fromTyped(blocks, value));
  return turns;
}

/** The client writes much in the user's place: what no one typed is its own. */
function fromTyped(blocks: readonly Block[], value: JsonObject): TurnContent {
  const own = blocks.every((block) => block.type === 'text' && isHarnessText(block.text));
  if (own || value['isMeta'] === true) {
    return toHarness(blocks);
  }
  const typed = blocks.map((block) =>
    block.type === 'text' ? { ...block, text: toTypedText(block.text) ?? block.text } : block,
  );
  return { role: 'user', blocks: typed };
}

function toHarness(blocks: readonly Block[]): TurnContent {
  return { role: 'custom', blocks, customType: HARNESS, hidden: true };
}

function fromResult(block: JsonObject, details: JsonValue | undefined): TurnContent {
  return {
    role: 'toolResult',
    blocks: toBlocks(block['content']),
    callId: getString(block, 'tool_use_id') ?? '',
    toolName: '',
    isError: block['is_error'] === true,
    details,
  };
}

function fromAssistant(value: JsonObject): TurnContent {
  const message = getMessage(value) ?? {};
  const isError = isApiError(value);
  const isOwn = isError || getString(message, 'model') === NO_MODEL;
  return {
    role: 'assistant',
    blocks: toBlocks(message['content']),
    model: getModelName(value),
    usage: getEntryUsage(value)?.usage,
    stopReason: isError ? 'error' : toStopReason(getString(message, 'stop_reason')),
    errorMessage: isError ? getString(value, 'error') : undefined,
    ...(isOwn && { standsIn: true }),
    ...(isError && { unsent: true }),
  };
}

const STOP_REASONS: ReadonlyMap<string | undefined, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'toolUse'],
  ['max_tokens', 'length'],
]);

/** Converts the reason why an answer ended to the one that all agents share. */
export function toStopReason(reason: string | undefined): string | undefined {
  return STOP_REASONS.get(reason) ?? reason;
}

function fromAttachment(value: JsonObject): readonly TurnContent[] {
  const attachment = getObject(value, 'attachment') ?? {};
  const type = getString(attachment, 'type') ?? '';
  const { prompt } = attachment;
  if (type === 'queued_command') {
    const blocks = toBlocks(prompt);
    return [isTypedCommand(attachment) ? { role: 'user', blocks } : toHarness(blocks)];
  }
  if (type === 'file') {
    const name = getString(attachment, 'filename') ?? '';
    const text = getString(
      getObject(getObject(attachment, 'content') ?? {}, 'file') ?? {},
      'content',
    );
    const blocks: Block[] = [{ type: 'text', text: text ?? name }];
    return [{ role: 'custom', blocks, customType: `file ${name}`, hidden: false }];
  }
  const blocks = getRendered(value);
  if (blocks.length > 0) {
    return [{ role: 'custom', blocks, customType: type, hidden: true }];
  }
  return [toNote(`Attachment: ${type}`)];
}

/** Returns the text of an attachment for the model. */
function getRendered({ rendered }: JsonObject): readonly Block[] {
  return listObjects(rendered).flatMap((part) => toBlocks(part['content']));
}

function fromAside(value: JsonObject): TurnContent {
  const type = getString(value, 'type') ?? '';
  const title = isBoundaryLine(value) ? 'Compaction' : (getString(value, 'subtype') ?? type);
  return toNote(title, describeAside(value));
}

function toBlocks(content: JsonValue | undefined): readonly Block[] {
  return toParts(content).flatMap(toBlock);
}

function toBlock(block: JsonObject): Block[] {
  const field = (key: string): string => getString(block, key) ?? '';
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: field('text') }];
    case 'thinking':
      return [{ type: 'thinking', text: field('thinking'), redacted: false }];
    case 'redacted_thinking':
      return [{ type: 'thinking', text: '', redacted: true }];
    case 'image': {
      const source = getObject(block, 'source') ?? {};
      const mimeType = getString(source, 'media_type') ?? '';
      return [{ type: 'image', mimeType, data: getString(source, 'data') ?? '' }];
    }
    case 'tool_use':
    case 'server_tool_use':
      return [
        { type: 'toolCall', id: field('id'), name: field('name'), arguments: block['input'] ?? {} },
      ];
    default:
      return field('text') === '' ? [] : [{ type: 'text', text: field('text') }];
  }
}
