import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';

/**
 * A message as the model was sent it, but for what the client wraps around a prompt (reminders) and
 * its own `system` turns. Blocks are those of the request, with content that is text as a block.
 */
export interface Sent {
  readonly role: string;
  readonly blocks: readonly JsonObject[];
}

const REMINDER = '<system-reminder>\n';
/** The first of what the client adds to a result that the prompt follows, for models without turns of its own. */
const ENVIRONMENT = `${REMINDER}# Environment\n`;
const QUEUED = 'The user sent a new message while you were working:';
/** The client puts it between a prompt that was not answered and the next one. */
const NO_RESPONSE = 'No response requested.';

function toBlocks(content: unknown): readonly JsonObject[] {
  return typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : (content as JsonObject[]);
}

/** The request to the model that a prompt led to: others are for warming up and for titles. */
export function findQuestion(asked: readonly JsonObject[], prompt: string): JsonObject | undefined {
  return asked.find(({ messages }) =>
    (messages as readonly JsonObject[]).some(
      ({ role, content }) =>
        role === 'user' && toBlocks(content).some(({ text }) => text === prompt),
    ),
  );
}

export function toSent({ messages }: JsonObject): readonly Sent[] {
  const sent: Sent[] = [];
  for (const { role, content } of messages as readonly JsonObject[]) {
    const blocks = toBlocks(content).flatMap(unwrapQueued);
    if (role === 'system') addQueued(sent, blocks.filter(isQueued));
    else {
      const kept = blocks.filter((block) => !isReminder(block)).map(toBlock);
      sent.push({ role: role as string, blocks: kept });
    }
  }
  return sent;
}

/**
 * A prompt that was typed while the agent was at work is a prompt: also where it is wrapped, or put
 * into a result. Newer models have turns of their own for it.
 */
function unwrapQueued(block: JsonObject): readonly JsonObject[] {
  const { type, text, content } = block;
  if (typeof text === 'string') return splitQueued(text).map((part) => ({ ...block, text: part }));
  if (type !== 'tool_result') return [block];
  const parts = toBlocks(content).flatMap(unwrapQueued);
  const queued = parts.filter(isQueued);
  if (queued.length === 0) return [block];
  const kept = parts.filter((part) => !isQueued(part));
  return [{ ...block, content: kept.map(withoutLineEnd) }, ...queued];
}

const BEGIN = new RegExp(`(?:\\n\\n)?(?:${REMINDER})?(?=${QUEUED})`);
const END = /(?<=continue this turn\.)[^]*$|\n<\/system-reminder>[^]*$/;
/** What the client adds to a text that is one of these and nothing else. */
const ADDED = /(?<=continue this turn\.)\n\n[^]*$/;

function splitQueued(text: string): readonly string[] {
  if (!text.includes(QUEUED)) return [text];
  const [before = '', ...queued] = text.split(BEGIN);
  const first = before.startsWith(QUEUED) ? before.replace(ADDED, '') : before;
  return [...(first === '' ? [] : [first]), ...queued.map((part) => part.replace(END, ''))];
}

function withoutLineEnd(part: JsonObject): JsonObject {
  const { text } = part;
  return typeof text === 'string' ? { ...part, text: text.replace(/\n$/, '') } : part;
}

function isQueued({ text }: JsonObject): boolean {
  return typeof text === 'string' && text.startsWith(QUEUED);
}

function addQueued(sent: Sent[], queued: readonly JsonObject[]): void {
  if (queued.length === 0) return;
  const last = sent.at(-1);
  if (last?.role === 'user') sent.splice(-1, 1, { ...last, blocks: [...last.blocks, ...queued] });
  else sent.push({ role: 'user', blocks: queued });
}

function isReminder({ text }: JsonObject): boolean {
  return typeof text === 'string' && text.startsWith(REMINDER);
}

/** Without what only concerns how it was sent. */
function toBlock({ cache_control: _, citations: __, ...block }: JsonObject): JsonObject {
  if (block['type'] !== 'tool_result') return block;
  return { ...block, content: withoutReminders(toBlocks(block['content']).map(toBlock)) };
}

function withoutReminders(parts: readonly JsonObject[]): readonly JsonObject[] {
  const at = parts.findIndex(({ text }) => typeof text === 'string' && text.includes(ENVIRONMENT));
  if (at === -1) return parts;
  const [text = ''] = ((parts[at]?.['text'] ?? '') as string).split(ENVIRONMENT);
  const own = text === '' ? [] : [{ ...parts[at], text: text.replace(/\n\n$/, '') }];
  return [...parts.slice(0, at).map(withoutLineEnd), ...own];
}

/** A message in the shape of `export --as context`. */
export interface ContextMessage {
  readonly role: string;
  readonly blocks: readonly JsonObject[];
}

/** What was sent of the session itself: without the prompt, and without what is put before that. */
export function toContext(sent: readonly Sent[], prompt: string): readonly ContextMessage[] {
  const messages = sent
    .map(({ role, blocks }, index) => {
      const isLast = index === sent.length - 1;
      return { role, blocks: blocks.filter(({ text }) => !isLast || text !== prompt) };
    })
    .filter(({ blocks }) => blocks.length > 0);
  const before = isNoResponse(messages.at(-1)) ? messages.slice(0, -1) : messages;
  return before.map(({ role, blocks }) => ({ role, blocks: blocks.map(toContextBlock) }));
}

function isNoResponse(message: Sent | undefined): boolean {
  const [block, ...more] = message?.blocks ?? [];
  return message?.role === 'assistant' && more.length === 0 && block?.['text'] === NO_RESPONSE;
}

function toContextBlock(block: JsonObject): JsonObject {
  const { type, text, thinking, id, name, input } = block;
  if (type === 'thinking') return { type, text: thinking };
  if (type === 'tool_use') return { type: 'toolCall', id, name, arguments: input };
  if (type === 'image') return toImage(block);
  if (type !== 'tool_result') return { type, text };
  const content = block['content'] as readonly JsonObject[];
  return {
    type: 'toolResult',
    toolCallId: block['tool_use_id'],
    isError: block['is_error'] === true,
    text: content.flatMap((part) => (part['text'] as string | undefined) ?? []).join('\n'),
    images: content.filter((part) => part['type'] === 'image').map(toImage),
  };
}

function toImage({ source }: JsonObject): JsonObject {
  const { media_type: mimeType, data } = source as JsonObject;
  return { type: 'image', mimeType, bytes: Buffer.from(data as string, 'base64').length };
}
