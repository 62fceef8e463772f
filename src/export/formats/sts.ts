import { type Block, joinText, type Turn } from '../../session/model/text/conversation.ts';
import { type Exchange, groupExchanges, joinThinking } from '../turns/exchanges.ts';
import { fileOf, type ExportDocument, type ExportFormat } from './format.ts';
import { stringify } from '../turns/stringify.ts';

/** Session traces of the Hugging Face Hub (docs/hub/session-traces-format), one message a line. */
export const sts: ExportFormat = {
  branches: 'file-each',
  isForModels: true,
  isSelective: true,
  redacts: true,
  images: ['drop'],
  createFile: fileOf('.jsonl', writeSts),
};

async function* writeSts(document: ExportDocument): AsyncGenerator<string> {
  const { id, agent, name } = document.summary;
  yield `${stringify({ type: 'session', harness: agent, id, ...(name !== null && { name }) })}\n`;
  for await (const exchange of groupExchanges(document)) {
    for (const message of toMessages(exchange)) {
      yield `${stringify({ type: 'message', message })}\n`;
    }
  }
}

function toMessages(exchange: Exchange): readonly object[] {
  const { turn } = exchange;
  if (exchange.kind === 'prompt') {
    return [{ role: exchange.role, content: exchange.text, ...getTime(turn) }];
  }
  const { calls, results } = exchange;
  const thinking = joinThinking(turn.blocks);
  const answer = {
    role: 'assistant',
    content: joinText(turn.blocks),
    ...(thinking !== '' && { reasoningContent: thinking }),
    ...(calls.length > 0 && { toolCalls: calls.map(toCall) }),
    ...getTime(turn),
    ...(exchange.turn.model !== undefined && { model: exchange.turn.model }),
  };
  const answers = results.map((result) => ({
    role: 'tool',
    content: joinText(result.blocks),
    toolCallId: result.callId,
    ...getTime(result),
  }));
  return [answer, ...answers];
}

function toCall({ id, name, arguments: given }: Extract<Block, { type: 'toolCall' }>): object {
  return { id, function: { name, arguments: stringify(given) } };
}

/** Milliseconds. */
function getTime({ time }: Turn): { timestamp?: number } {
  return Number.isFinite(time) ? { timestamp: time } : {};
}
