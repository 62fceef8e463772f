import type { Dialect } from '../../dialect/dialect.ts';
import { type JsonValue, toJsonText } from '../../jsonl/edit/json.ts';
import type { Line } from '../../jsonl/read/line-splitter.ts';
import { readLines, type ReadLinesOptions } from '../../jsonl/read/read-lines.ts';
import { isCompressed } from '../../jsonl/zstd/is-compressed.ts';
import type { Entry } from '../../model/entry.ts';
import type { Session } from '../../model/session.ts';
import type { Block, Turn } from '../../model/text/conversation.ts';
import { readTurns } from '../turns/turns.ts';

/** The bytes of a session file by kind; together they are the file, or what a compressed one holds. */
export interface ContentSizes {
  /** Text of users, assistants, summaries and instructions. */
  readonly text: number;
  readonly thinking: number;
  /** The arguments of tool calls. */
  readonly toolCalls: number;
  /** The text of the results of tools, and of commands that the user ran. */
  readonly toolOutput: number;
  /** Base64, as it is stored. */
  readonly images: number;
  /** Bytes of whole lines that hold the state of extensions, or of files that the agent changed. */
  readonly snapshots: number;
  /** The JSON around all that, and bookkeeping. */
  readonly other: number;
}

type Kind = Exclude<keyof ContentSizes, 'other'>;

/** Sums the bytes of several files by kind. */
export function sumSizes(all: readonly ContentSizes[]): ContentSizes {
  const sum = (kind: keyof ContentSizes): number =>
    all.reduce((total, sizes) => total + sizes[kind], 0);
  return {
    text: sum('text'),
    thinking: sum('thinking'),
    toolCalls: sum('toolCalls'),
    toolOutput: sum('toolOutput'),
    images: sum('images'),
    snapshots: sum('snapshots'),
    other: sum('other'),
  };
}

/**
 * Reads every entry of a session file again, one at a time, and sums what they hold, without those of the files that it
 * continues from. In bytes.
 * @throws FileError if the file is no longer the one that was indexed.
 */
export async function measureSession(
  { path, entries, stamp }: Session,
  dialect: Dialect,
  { signal }: ReadLinesOptions,
): Promise<ContentSizes> {
  const sizes: Record<Kind, number> = {
    text: 0,
    thinking: 0,
    toolCalls: 0,
    toolOutput: 0,
    images: 0,
    snapshots: 0,
  };
  const own = entries.filter(({ file }) => file === undefined);
  const isState = (entry: Entry): boolean => dialect.entries.isSnapshot(entry);
  for (const { length } of own.filter(isState)) sizes.snapshots += length;
  const others = own.filter((entry) => !isState(entry));
  for await (const turn of readTurns({ path, dialect, entries: others, signal })) {
    for (const block of turn.blocks) sizes[getKind(block, turn)] += measure(block);
  }
  const known = Object.values(sizes).reduce((sum, size) => sum + size, 0);
  const all = isCompressed(path) ? await measureText(path, signal) : stamp.size;
  return { ...sizes, other: Math.max(0, all - known) };
}

/** Measures the text of a compressed file. */
async function measureText(path: string, signal: AbortSignal | undefined): Promise<number> {
  let end = 0;
  const visit = ({ offset, length, terminated }: Line): void => {
    end = offset + length + (terminated ? 1 : 0);
  };
  await readLines(path, visit, { signal });
  return end;
}

function getKind({ type }: Block, { role }: Turn): Kind {
  switch (type) {
    case 'text':
      return role === 'toolResult' || role === 'bash' ? 'toolOutput' : 'text';
    case 'thinking':
      return 'thinking';
    case 'image':
      return 'images';
    case 'toolCall':
      return 'toolCalls';
  }
}

function measure(block: Block): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return measureJson(block.text) - QUOTES;
    case 'image':
      return block.data.length;
    case 'toolCall':
      return measureJson(block.arguments);
  }
}

const QUOTES = 2;

/** Measures a value as JSON in a session file, in bytes. */
function measureJson(value: JsonValue): number {
  return Buffer.byteLength(toJsonText(value));
}
