import { type History, readHistory } from './history.ts';
import { keepPrompts } from './keep-prompts.ts';
import { toTurns } from '../entry/to-turn.ts';
import { openLine } from '../format.ts';
import type { CompactionSettings, Preparation } from '../../../dialect/compaction.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';
import { getNumber, getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import type { FileOperations } from '../../../model/text/file-operations.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpokenTurns } from '../../../model/text/to-spoken.ts';
import { toTokens } from '../../../model/text/tokens.ts';

/** Items as a summarizer reads them, without thoughts that only the provider can read. */
export function toSpokenMessages(items: readonly JsonObject[]): readonly SpokenMessage[] {
  return toSpokenTurns(items.flatMap((item) => toTurns(item))).filter(
    (message) => !isSilent(message),
  );
}

function isSilent(message: SpokenMessage): boolean {
  if (message.role !== 'assistant') return false;
  return !message.text && !message.thinking && message.calls.length === 0;
}

/**
 * Plans a compaction at the end of a path: everything since the one before is summarized, and prompts are
 * kept as far as they fit. Undefined where nothing was said.
 */
export async function prepareCompaction(
  path: readonly Entry[],
  readPayload: ReadPayload,
  settings: CompactionSettings,
): Promise<Preparation | undefined> {
  // A file without a line of its own has none that the next could be numbered by.
  if (path.at(-1)?.file !== undefined) return undefined;
  const history = await readHistory(path, readPayload);
  const messages = history.lines.filter((line) => toSpokenMessages([line]).length > 0);
  if (messages.length === 0) return undefined;
  const stated = await readStated(path, readPayload);
  const kept = keepPrompts(history.prompts, settings.keepRecentTokens);
  return {
    firstKeptEntryId: null,
    isSplitTurn: false,
    messagesToSummarize: messages,
    turnPrefixMessages: [],
    previousSummary: history.summary,
    systemMessage: undefined,
    tokensBefore: stated.tokens ?? countTokens(history),
    tokensKept: countSize([...kept, ...history.sealed]),
    contextWindow: stated.window,
    fileOps: collectFileOperations(messages),
    settings,
  };
}

interface Stated {
  /** The tokens of the last response since the last compaction. */
  readonly tokens?: number;
  readonly window?: number;
}

/** Reads the client's notes on the size of the context and the window of the model. */
async function readStated(path: readonly Entry[], readPayload: ReadPayload): Promise<Stated> {
  // Offsets in two files do not say which line comes first on the path.
  const compactedAt = path.findLastIndex(({ type }) => type === 'compaction');
  let window: number | undefined;
  for (const [at, entry] of [...path.entries()].toReversed()) {
    const isStart = entry.type === 'task_started';
    if (!isStart && entry.type !== 'token_count') continue;
    const { payload } = openLine(await readPayload(entry));
    const info = isStart ? payload : getObject(payload, 'info');
    window ??= info && getNumber(info, 'model_context_window');
    const used = info && getObject(info, 'last_token_usage');
    const tokens = used && getNumber(used, 'total_tokens');
    if (tokens === undefined || tokens === 0) continue;
    return { ...(at > compactedAt && { tokens }), ...(window !== undefined && { window }) };
  }
  return window === undefined ? {} : { window };
}

function countTokens({ prompts, sealed, summary = '', lines }: History): number {
  const before = prompts.filter(
    (prompt) => !lines.some((line) => openLine(line).payload === prompt),
  );
  return toTokens(summary.length) + countSize([...before, ...sealed, ...lines]);
}

function countSize(items: readonly JsonObject[]): number {
  return items.reduce((sum, item) => sum + toTokens(JSON.stringify(item).length), 0);
}

/** The lines by which `apply_patch` names files. */
const PATCHES = [
  ['*** Add File: ', 'written'],
  ['*** Update File: ', 'edited'],
  ['*** Delete File: ', 'edited'],
] as const;

/** The files that patches name. */
function collectFileOperations(lines: readonly JsonObject[]): FileOperations {
  const files = { read: new Set<string>(), written: new Set<string>(), edited: new Set<string>() };
  for (const line of lines) {
    const { kind, payload } = openLine(line);
    if (kind !== 'custom_tool_call') continue;
    for (const text of (getString(payload, 'input') ?? '').split('\n')) {
      for (const [mark, what] of PATCHES) {
        if (text.startsWith(mark)) files[what].add(text.slice(mark.length).trim());
      }
    }
  }
  return files;
}
