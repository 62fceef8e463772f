import { isObject, type JsonObject, type JsonValue, toJsonText } from '../../jsonl/edit/json.ts';
import { parseLine } from '../../jsonl/read/parse-line.ts';
import { readLines } from '../../jsonl/read/read-lines.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { Block, Turn, TurnContent } from '../../model/text/conversation.ts';
import type { Subagent } from '../../model/summary.ts';
import type { PayloadTransform } from './turns.ts';

export interface SubagentSource {
  readonly dialect: Dialect;
  readonly subagents: readonly Subagent[];
  readonly transform: PayloadTransform;
  /** The last line of a file that is shown, where it is not all of it. */
  readonly getEnd?: ((path: string) => number | undefined) | undefined;
  readonly signal: AbortSignal;
}

/** Turns, with what each sub-agent said behind the result of the call that began it. */
export async function* readSubagentTurns(
  turns: AsyncIterable<Turn>,
  turnSource: SubagentSource,
): AsyncGenerator<Turn> {
  const { subagents } = turnSource;
  for await (const turn of turns) {
    yield turn;
    if (turn.role !== 'toolResult') continue;
    const id = getAgentId(turn.details);
    for (const subagent of subagents) {
      if (subagent.callId === turn.callId || subagent.id === id) {
        const { entry, time } = turn;
        yield { entry, time, ...(await readSubagent(subagent, turnSource)) };
      }
    }
  }
}

/** The agent that a result names, where a sub-agent does not name its call. */
function getAgentId(details: JsonValue | undefined): JsonValue | undefined {
  return isObject(details) ? details['agentId'] : undefined;
}

/** @throws FileError if the file cannot be read. */
async function readSubagent(
  { path, type, description }: Subagent,
  { dialect, transform, getEnd, signal }: SubagentSource,
): Promise<TurnContent> {
  const said: string[] = [];
  const lines = await readSubagentLines(path, signal);
  for (const value of lines.slice(0, getEnd?.(path))) {
    for (const turn of dialect.entries.toTurns(await transform(value, 0), undefined)) {
      said.push(...toText(turn));
    }
  }
  return toSubagentTurn(toWords(await transform({ type, description }, 0)), said);
}

/** The lines of a sub-agent that are objects. @throws FileError if the file cannot be read. */
export async function readSubagentLines(
  path: string,
  signal: AbortSignal,
): Promise<readonly JsonObject[]> {
  const values: JsonObject[] = [];
  await readLines(
    path,
    (line) => {
      const content = parseLine(line);
      if (content.kind === 'object') values.push(content.value);
    },
    { signal },
  );
  return values;
}

/** All that a sub-agent said, as one turn. */
export function toSubagentTurn(title: string, said: readonly string[]): TurnContent {
  const text = [`Sub-agent ${title}`, ...said].join('\n\n');
  return {
    role: 'custom',
    blocks: [{ type: 'text', text }],
    customType: 'sub-agent',
    hidden: false,
  };
}

export function toWords({ type, description }: JsonObject): string {
  return [type, description].filter((one) => typeof one === 'string').join(': ');
}

/** Formats the text of a turn with its speaker, without the additions of the client. */
export function toText(turn: TurnContent): readonly string[] {
  if (turn.role === 'note' || (turn.role === 'custom' && turn.hidden)) return [];
  const texts = turn.blocks.flatMap(toBlockText);
  return texts.length === 0 ? [] : [`${WHO.get(turn.role) ?? turn.role}: ${texts.join('\n')}`];
}

const WHO: ReadonlyMap<string, string> = new Map([
  ['user', 'Prompt'],
  ['assistant', 'Sub-agent'],
  ['toolResult', 'Result'],
]);

function toBlockText(block: Block): readonly string[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [block.text];
    case 'toolCall':
      return [`${block.name} ${toJsonText(block.arguments)}`];
    default:
      return [];
  }
}
