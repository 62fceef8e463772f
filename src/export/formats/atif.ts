import {
  type AssistantTurn,
  type Block,
  joinText,
  type Turn,
} from '../../session/model/text/conversation.ts';
import { isObject, toIso } from '../../session/jsonl/edit/json.ts';
import { getParentPath } from '../../session/model/tree/parents.ts';
import { addUsage, NO_USAGE, type Usage } from '../../session/model/usage.ts';
import { type Exchange, groupExchanges, joinThinking } from '../turns/exchanges.ts';
import { fileOf, type ExportDocument, type ExportFormat, NothingToExport } from './format.ts';
import { stringify } from '../turns/stringify.ts';
import { ToolDefinitions } from '../turns/tool-definitions.ts';

/** Agent Trajectory Interchange Format 1.7 (harbor, rfcs/0001-trajectory-format). */
export const atif: ExportFormat = {
  branches: 'file-each',
  isForModels: true,
  isSelective: true,
  redacts: true,
  images: ['extract', 'drop'],
  createFile: fileOf('.json', writeAtif),
};

async function* writeAtif(document: ExportDocument): AsyncGenerator<string> {
  const { id, agent, models } = document.summary;
  const tools = new ToolDefinitions();
  let steps = 0;
  let total: Usage | undefined;
  // It waits for a step: on standard output, a beginning could not be taken back.
  let separator = `${stringify({ schema_version: 'ATIF-v1.7', session_id: id }).slice(0, -1)},"steps":[`;
  for await (const exchange of groupExchanges(document)) {
    tools.add(exchange.turn);
    if (exchange.kind === 'answer') total = addTurnUsage(total, exchange.turn);
    steps += 1;
    const step = toStep(exchange, document);
    yield `${separator}\n${stringify({ step_id: steps, ...step })}`;
    separator = ',';
  }
  if (steps === 0) throw new NothingToExport();
  const [model] = models;
  const about = {
    agent: {
      name: agent,
      version: document.session.release ?? 'unknown',
      ...(model !== undefined && { model_name: model }),
      ...(tools.list.length > 0 && { tool_definitions: tools.list }),
    },
    final_metrics: {
      ...toTotals(total ?? document.usage),
      total_steps: steps,
    },
  };
  yield `\n],${stringify(about).slice(1)}\n`;
}

function toStep(exchange: Exchange, document: ExportDocument): object {
  const { turn } = exchange;
  const timestamp = toIso(turn.time);
  const common = {
    ...(timestamp !== undefined && { timestamp }),
    ...(isCopied(turn, document) && { is_copied_context: true }),
  };
  if (exchange.kind === 'prompt') {
    // A summary is nothing that the person said.
    const source = exchange.role === 'system' || turn.role === 'summary' ? 'system' : 'user';
    return { source, message: toMessage(exchange.text, turn.blocks), ...common };
  }
  const thinking = joinThinking(turn.blocks);
  const { model, usage } = exchange.turn;
  return {
    source: 'agent',
    message: toMessage(joinText(turn.blocks), turn.blocks),
    ...common,
    ...(model !== undefined && { model_name: model }),
    ...(thinking !== '' && { reasoning_content: thinking }),
    ...toToolUse(exchange),
    ...(usage && { metrics: toMetrics(usage, '') }),
  };
}

function toToolUse({ calls, results }: Extract<Exchange, { kind: 'answer' }>): object {
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map(({ id, name, arguments: given }) => ({
      tool_call_id: id,
      function_name: name,
      arguments: isObject(given) ? given : { value: given },
    })),
    ...(results.length > 0 && {
      observation: {
        results: results.map(({ callId, blocks }) => ({
          source_call_id: callId,
          content: toMessage(joinText(blocks), blocks),
        })),
      },
    }),
  };
}

/** A string, or parts where there are images: those by the path of their file. */
function toMessage(text: string, blocks: readonly Block[]): string | readonly object[] {
  const images = blocks.flatMap((block) =>
    block.type === 'image' && block.path !== undefined
      ? [{ type: 'image', source: { media_type: block.mimeType, path: block.path } }]
      : [],
  );
  if (images.length === 0) return text;
  return text === '' ? images : [{ type: 'text', text }, ...images];
}

function addTurnUsage(total: Usage | undefined, { usage }: AssistantTurn): Usage | undefined {
  return usage ? addUsage(total ?? NO_USAGE, usage) : total;
}

/** Returns the sums of a trajectory, if any are known. */
function toTotals(usage: Usage | undefined): object {
  return usage && usage.totalTokens > 0 ? toMetrics(usage, 'total_') : {};
}

/** A cost of 0 is one that was not recorded. */
function toMetrics(
  { input, output, cacheRead, cacheWrite, cost }: Usage,
  prefix: '' | 'total_',
): object {
  return {
    [`${prefix}prompt_tokens`]: input + cacheRead + cacheWrite,
    [`${prefix}completion_tokens`]: output,
    [`${prefix}cached_tokens`]: cacheRead,
    ...(cost > 0 && { [prefix === '' ? 'cost_usd' : 'total_cost_usd']: cost }),
  };
}

/**
 * Returns whether a turn was copied from the parent of a fork: lines are marked, or it is older than the fork's
 * header. A fork that holds nothing of its parent continues its file; earlier files of the fork itself are its own.
 */
function isCopied({ time, entry }: Turn, { session, summary }: ExportDocument): boolean {
  if (getParentPath(summary) === null) return false;
  const { file, offset } = entry;
  if (file !== undefined) return offset < (session.earlierFiles?.get(file) ?? Infinity);
  if (offset < (session.copiedEnd ?? 0)) return true;
  return summary.created !== null && time < Date.parse(summary.created);
}
