import type { AssistantTurn, Turn } from '../../model/text/conversation.ts';
import type { Dialect, ShowOptions } from '../../dialect/dialect.ts';
import type { Entry } from '../../model/entry.ts';
import type { JsonObject } from '../../jsonl/edit/json.ts';
import { openSpans, type SpanReader } from '../../jsonl/read/spans/read-spans.ts';
import { readPayload } from './payloads.ts';

/** Transforms a payload before it is read. */
export type PayloadTransform = (value: JsonObject, line: number) => Promise<JsonObject>;

/** The entries to read as turns. */
export interface TurnSource {
  /** The session file. */
  readonly path: string;
  readonly dialect: Dialect;
  readonly entries: readonly Entry[];
  /** Context edits by the id of their target; none unless given. */
  readonly edits?: ReadonlyMap<string, Entry> | undefined;
  readonly shows?: ShowOptions | undefined;
  /** Texts by the ids of entries; none unless given. */
  readonly labels?: ReadonlyMap<string, string> | undefined;
  readonly transform?: PayloadTransform | undefined;
  /**
   * Joins the lines of one answer to one turn: `lines` that name the answer, or also, for agents whose lines do not, all
   * `pieces` in a row.
   */
  readonly joins?: 'lines' | 'pieces' | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the chosen entries again, one payload at a time, and yields a turn for each that holds text.
 * @throws FileError if the file is no longer the one that was indexed.
 */
export async function* readTurns(turnSource: TurnSource): AsyncGenerator<Turn> {
  const turns = readLineTurns(turnSource);
  const { joins, dialect } = turnSource;
  const joinsPieces = joins === 'pieces' && dialect.entries.splitsAnswers === true;
  yield* joins ? joinLines(withoutRepeats(turns, turnSource), joinsPieces) : turns;
}

/** Leaves what an answer cost to its last line: each may say it, and not all of them stand together. */
async function* withoutRepeats(
  turns: AsyncIterable<Turn>,
  { entries }: Pick<TurnSource, 'entries'>,
): AsyncGenerator<Turn> {
  const last = new Map<string, Entry>();
  for (const entry of entries) if (entry.messageId !== undefined) last.set(entry.messageId, entry);
  for await (const turn of turns) {
    const { entry } = turn;
    const isLast = entry.messageId === undefined || last.get(entry.messageId) === entry;
    yield turn.role === 'assistant' && !isLast ? { ...turn, usage: undefined } : turn;
  }
}

async function* readLineTurns(turnSource: TurnSource): AsyncGenerator<Turn> {
  const reader = openSpans(turnSource.path);
  try {
    for (const entry of turnSource.entries) {
      turnSource.signal?.throwIfAborted();
      for (const turn of await readEntryTurns(reader, entry, turnSource)) yield turn;
    }
  } finally {
    reader.close();
  }
}

/** One turn for the lines of one answer, and the names of tools where only their calls have them. */
async function* joinLines(turns: AsyncIterable<Turn>, joinsPieces: boolean): AsyncGenerator<Turn> {
  const names = new Map<string, string>();
  let held: AssistantTurn | undefined;
  for await (const turn of turns) {
    for (const block of turn.blocks) {
      if (block.type === 'toolCall') names.set(block.id, block.name);
    }
    if (
      held &&
      turn.role === 'assistant' &&
      (joinsPieces || isSameAnswer(held.entry, turn.entry))
    ) {
      // The last line has what the answer cost in the end.
      const { entry, time, label } = held;
      held = { ...turn, entry, time, label, blocks: [...held.blocks, ...turn.blocks] };
      continue;
    }
    if (held) yield held;
    held = turn.role === 'assistant' ? turn : undefined;
    if (held) continue;
    const name = turn.role === 'toolResult' && !turn.toolName ? names.get(turn.callId) : undefined;
    yield turn.role === 'toolResult' && name !== undefined ? { ...turn, toolName: name } : turn;
  }
  if (held) yield held;
}

function isSameAnswer(one: Entry, other: Entry): boolean {
  return one.messageId !== undefined && one.messageId === other.messageId;
}

async function readEntryTurns(
  reader: SpanReader,
  entry: Entry,
  { path, dialect, edits, labels, transform, shows }: TurnSource,
): Promise<readonly Turn[]> {
  const read = async (from: Entry): Promise<JsonObject> => {
    const value = await readPayload(reader, from, path);
    return transform ? transform(value, from.line) : value;
  };
  const edit = entry.id === undefined ? undefined : edits?.get(entry.id);
  const value = await read(entry);
  const edited = edit && (await read(edit));
  const contents = dialect.entries.toTurns(value, entry.role, edited, entry, shows);
  const label = entry.id === undefined ? undefined : labels?.get(entry.id);
  const last = contents.length - 1;
  // The spread comes last: Node 20 makes a class of its own for each object that grows after that.
  return contents.map((content, index) => ({
    entry,
    time: entry.time,
    label: index === last ? label : undefined,
    edited: edit && true,
    ...content,
  }));
}
