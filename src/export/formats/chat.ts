import { type Block, joinText } from '../../session/model/text/conversation.ts';
import { type Exchange, groupExchanges, isWorthless } from '../turns/exchanges.ts';
import { fileOf, type ExportDocument, type ExportFormat, NothingToExport } from './format.ts';
import { stringify } from '../turns/stringify.ts';
import { toFunctionName, ToolDefinitions } from '../turns/tool-definitions.ts';

/**
 * OpenAI chat messages for fine-tuning, one session a line: every tool call is answered, every
 * answer called for, and an answer that was broken off, or that the agent itself wrote, has no weight.
 */
export const chat: ExportFormat = {
  branches: 'file-each',
  isForModels: true,
  isSelective: true,
  redacts: true,
  images: ['inline', 'drop'],
  createFile: fileOf('.jsonl', writeChat),
};

async function* writeChat(document: ExportDocument): AsyncGenerator<string> {
  const tools = new ToolDefinitions();
  let separator = '{"messages":[';
  for await (const exchange of groupExchanges(document)) {
    tools.add(exchange.turn);
    for (const message of toMessages(exchange)) {
      yield separator + stringify(message);
      separator = ',';
    }
  }
  if (separator !== ',') throw new NothingToExport();
  yield tools.list.length > 0 ? `],"tools":${stringify(tools.list)}}\n` : ']}\n';
}

function toMessages(exchange: Exchange): readonly object[] {
  if (exchange.kind === 'prompt') {
    const { role, turn, text } = exchange;
    const content = role === 'user' ? toContent(text, turn.blocks) : text;
    return content.length > 0 ? [{ role, content }] : [];
  }
  const { turn, results } = exchange;
  const answered = new Set(results.map(({ callId }) => callId));
  // A call that no one answered is refused by the API.
  const calls = exchange.calls.filter(({ id }) => answered.has(id));
  const text = joinText(turn.blocks);
  if (text === '' && calls.length === 0) return [];
  const answer = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name: toFunctionName(name), arguments: stringify(given) },
      })),
    }),
    ...(isWorthless(turn) && { weight: 0 }),
  };
  return [answer, ...results.map(toToolMessage)];
}

function toToolMessage({ callId, blocks }: { callId: string; blocks: readonly Block[] }): object {
  const images = blocks.some(({ type }) => type === 'image') ? ['[image]'] : [];
  const content = [joinText(blocks), ...images].filter((text) => text !== '').join('\n');
  return { role: 'tool', tool_call_id: callId, content };
}

function toContent(text: string, blocks: readonly Block[]): string | readonly object[] {
  const images = blocks.flatMap((block) =>
    block.type === 'image'
      ? [
          {
            type: 'image_url',
            image_url: { url: `data:${block.mimeType};base64,${block.data}` },
          },
        ]
      : [],
  );
  if (images.length === 0) return text;
  return text === '' ? images : [{ type: 'text', text }, ...images];
}
