import { toParts } from '../../../model/text/conversation.ts';
import { getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Loss as AnyLoss } from '../../../rules/losses.ts';
import { getBlocks, getMessage, isResult } from '../format.ts';
import { toBlock } from './to-messages.ts';
import { formatCounted } from '../../../model/text/numbers.ts';

type Code = 'thought' | 'block' | 'display' | 'subagent' | 'attachment' | 'aside' | 'field';

/** The words of a problem for a number of losses, and whether it lists the names that were found. */
export const WORDS: Readonly<Record<Code, (count: number) => string>> = {
  thought: (count) =>
    count === 1
      ? '1 thought has no signature: pi replays it as text'
      : `${formatCounted(count, 'thought')} have no signature: pi replays them as text`,
  block: (count) => `${formatCounted(count, 'block')} that pi does not know left out`,
  display: (count) =>
    `the details of ${formatCounted(count, 'result')}, as shown to people, are left out`,
  subagent: (count) =>
    `the work of sub-agents is left out: ${formatCounted(count, 'call')} of them and their results are kept`,
  attachment: (count) => `${formatCounted(count, 'attachment')} left out`,
  aside: (count) => `${formatCounted(count, 'line')} beside the conversation left out`,
  field: (count) => `${formatCounted(count, 'line')} lose fields that pi does not know`,
};

export type Loss = AnyLoss<Code>;

const SUBAGENT_TOOLS: ReadonlySet<unknown> = new Set(['Task', 'Agent']);

/** Finds the members of a line for which pi has no place. */
export function findLosses(value: JsonObject): readonly Loss[] {
  const { type } = value;
  if (type === 'attachment') {
    const name = getString(getObject(value, 'attachment') ?? {}, 'type') ?? '';
    return name === 'queued_command' ? [] : [{ code: 'attachment', name }];
  }
  if (type !== 'user' && type !== 'assistant') return [];
  const losses: Loss[] = listFields(value).map((name) => ({ code: 'field', name }));
  if ('toolUseResult' in value) losses.push({ code: 'display' });
  const content = getMessage(value)?.['content'];
  const parts = toParts(content).flatMap((part) =>
    isResult(part) ? toParts(part['content']) : [part],
  );
  for (const part of parts) {
    if (!toBlock(part)) losses.push({ code: 'block', name: getString(part, 'type') });
    if (part['type'] === 'thinking' && !getString(part, 'signature')) {
      losses.push({ code: 'thought' });
    }
    if (part['type'] === 'tool_use' && SUBAGENT_TOOLS.has(part['name'])) {
      losses.push({ code: 'subagent' });
    }
  }
  return losses;
}

/** The members that are converted for pi, are in its header, or have a message of their own. */
const FIELDS: ReadonlySet<string> = new Set(
  (
    'type uuid parentUuid isSidechain timestamp sessionId message isMeta isCompactSummary ' +
    'isVisibleInTranscriptOnly isApiErrorMessage toolUseResult cwd'
  ).split(' '),
);

function listFields(value: JsonObject): readonly string[] {
  return Object.keys(value).filter((key) => !FIELDS.has(key));
}

/** Calls of a line, by their ids. */
export function listCalls(value: JsonObject): readonly (readonly [id: string, name: string])[] {
  if (value['type'] !== 'assistant') return [];
  return getBlocks(value)
    .filter(({ type }) => type === 'tool_use')
    .map((block) => [getString(block, 'id') ?? '', getString(block, 'name') ?? '']);
}

/** The calls that a line answers. */
export function listResultIds(value: JsonObject): readonly string[] {
  if (value['type'] !== 'user') return [];
  return getBlocks(value)
    .filter(isResult)
    .map((block) => getString(block, 'tool_use_id') ?? '');
}
