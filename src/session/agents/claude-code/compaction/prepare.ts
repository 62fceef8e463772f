import { readSummary } from './summary-text.ts';
import { getModelName, readUsage } from '../entry/entry-usage.ts';
import { toTurns } from '../entry/to-turn.ts';
import { getText, toTyped } from '../entry/user-text.ts';
import type { CompactionSettings, Preparation } from '../../../dialect/compaction.ts';
import { type ReadPayload, readPayloads } from '../../../dialect/fold.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Entry } from '../../../model/entry.ts';
import { collectFileOperations, type FileTools } from '../../../model/text/file-operations.ts';
import type { SpokenMessage } from '../../../model/text/summarizer.ts';
import { toSpokenTurns } from '../../../model/text/to-spoken.ts';
import { countSpokenTokens } from '../../../model/text/tokens.ts';
import { NO_USAGE } from '../../../model/usage.ts';

/** Lines as a summarizer reads them. */
export function toSpokenMessages(lines: readonly JsonObject[]): readonly SpokenMessage[] {
  return toSpokenTurns(lines.flatMap((line) => toTurns(line)));
}

/**
 * Plans `/compact` at the end of a path: the latest turns are kept, as many as fit, and the earlier ones are
 * summarized. A turn begins with a prompt of the user, and is never cut. Undefined where nothing comes
 * before.
 */
export async function prepareCompaction(
  path: readonly Entry[],
  readPayload: ReadPayload,
  settings: CompactionSettings,
): Promise<Preparation | undefined> {
  const lines = await readPayloads(path, readPayload);
  const limit = settings.keepRecentTokens;
  const unsent = isBefore(lines, FIRST_BESIDE) ? findBeside(path) : new Set<Entry>();
  const cut = isBefore(lines, FIRST_KEEPING) ? path.length : findCut(path, lines, limit, unsent);
  const start = path.findLastIndex(({ type }) => type === 'compaction') + 1;
  const messages = lines.slice(start, cut).filter((line) => toSpokenMessages([line]).length > 0);
  if (messages.length === 0) return undefined;
  const summary = lines[start - 1];
  return {
    firstKeptEntryId: path[cut]?.id ?? null,
    isSplitTurn: false,
    messagesToSummarize: messages,
    turnPrefixMessages: [],
    previousSummary: summary && readSummary(getText(summary)),
    systemMessage: undefined,
    tokensBefore: countBefore(path, lines),
    tokensKept: countTokens(lines.slice(cut)),
    fileOps: collectFileOperations(toSpokenMessages(messages), FILE_TOOLS),
    settings,
  };
}

/** The first release that sends what a compaction keeps. */
const FIRST_KEEPING = [2, 1, 90] as const;

/** The first release that is not known to send only the chain of it: 2.1.133 sends one of several calls of an answer. */
const FIRST_BESIDE = [2, 1, 134] as const;

/** Returns whether the release that wrote the latest line is before another one. */
function isBefore(lines: readonly JsonObject[], release: readonly number[]): boolean {
  const version = lines.flatMap((line) => getString(line, 'version') ?? []).at(-1);
  const parts = version?.split('.').map(Number) ?? [];
  for (const [at, first] of release.entries()) {
    const part = parts[at] ?? NaN;
    if (part !== first) return part < first;
  }
  return false;
}

/** Finds the entries that are on a path beside the chain of parents from its end: calls made side by side, and results. */
function findBeside(path: readonly Entry[]): ReadonlySet<Entry> {
  const byId = new Map(path.map((entry) => [entry.id, entry]));
  const beside = new Set(path);
  for (let at = path.at(-1); at && beside.delete(at); at = byId.get(at.parentId ?? undefined));
  return beside;
}

/** Tokens of what remains from an entry on; an estimate. */
export async function countKept(
  path: readonly Entry[],
  readPayload: ReadPayload,
  firstKeptEntryId: string | null,
): Promise<number> {
  const at = path.findIndex(({ id }) => id === firstKeptEntryId);
  return countTokens(await readPayloads(at < 0 ? [] : path.slice(at), readPayload));
}

/**
 * Finds the start of the first kept turn; the end of the path if not even the last one fits. A turn with entries that
 * are not sent once they are kept is not kept.
 */
function findCut(
  path: readonly Entry[],
  lines: readonly JsonObject[],
  limit: number,
  unsent: ReadonlySet<Entry>,
): number {
  let cut = path.length;
  let tokens = 0;
  for (let at = path.length - 1; at >= 0; at -= 1) {
    const line = lines[at];
    const entry = path[at];
    if (!line || !entry || entry.type === 'compaction' || unsent.has(entry)) break;
    tokens += countTokens([line]);
    if (tokens > limit) break;
    if (toTyped(line) !== undefined && entry.role === 'user') cut = at;
  }
  return cut;
}

/** Counts the tokens that the last answer was sent, if the client noted them since the last compaction. */
function countBefore(path: readonly Entry[], lines: readonly JsonObject[]): number {
  const summary = path.findLast(({ type }) => type === 'compaction');
  const since = summary?.offset ?? -1;
  const answer = lines.findLast((line, at) => {
    const isSince = (path[at]?.offset ?? 0) > since;
    return isSince && line['type'] === 'assistant' && getModelName(line) !== undefined;
  });
  const { input, cacheRead, cacheWrite } = (answer && readUsage(answer)) ?? NO_USAGE;
  const sent = input + cacheRead + cacheWrite;
  return sent > 0 ? sent : countTokens(lines);
}

function countTokens(lines: readonly JsonObject[]): number {
  return countSpokenTokens(toSpokenMessages(lines));
}

/** The client's own tools whose calls name files. */
const FILE_TOOLS: FileTools = {
  keys: ['file_path', 'notebook_path'],
  operations: new Map([
    ['Read', 'read'],
    ['Write', 'written'],
    ['Edit', 'edited'],
    ['MultiEdit', 'edited'],
    ['NotebookEdit', 'edited'],
  ]),
};
