import { dirname, isAbsolute, join } from 'node:path';
import type { SummaryFacts, SummaryOptions } from '../../../dialect/dialect.ts';
import { getObject, getString, type JsonObject, toIso, toTime } from '../../../jsonl/edit/json.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { listOtherCwds, type SessionSummary } from '../../../model/summary.ts';
import { isLikelyTime } from '../../../read/summaries/unread.ts';
import { type EntryUsage, sumUsage } from '../../../model/usage.ts';
import { getEntryUsage } from '../entry/entry-usage.ts';
import {
  CURRENT_VERSION,
  getConfigTitle,
  getCustomTitle,
  isCompaction,
  isMessage,
  holdsWork,
  isOldToolResult,
  listAddedDirectories,
  toSessionId,
} from '../format.ts';
import { getText } from '../entry/parts.ts';
import { Opens } from './opens.ts';
import { SUMMARY_PLAN } from './plans.ts';
import { ParentMap } from './parent-map.ts';
import type { LineFold, SourceFile } from '../../../dialect/fold.ts';

const NO_MESSAGES = '(no messages)';

/**
 * Computes the facts of Neovate's own listing (0.17.1, `getAllSessions`) in one pass, without keeping bodies.
 * Where that shows no title at all, the text of the first message with parts is the first message; titles
 * that a person gave are those of newer releases.
 */
export class SessionSummarizer implements LineFold<SummaryFacts> {
  readonly plan = SUMMARY_PLAN;
  readonly #options: SummaryOptions;
  readonly #opens = new Opens();
  readonly #parents = new ParentMap();
  readonly #models = new Set<string>();
  readonly #usages: EntryUsage[] = [];
  #counts = { lines: 0, entries: 0, userMessages: 0, compactions: 0, work: 0 };
  /** Lines without a time: a setting or a title may be of any. */
  readonly #untimed = { messages: 0, others: 0 };
  #configTitle: string | undefined;
  #customTitle: string | undefined;
  /** The last that is not empty: newer releases go back to it from an empty one. */
  #givenTitle: string | undefined;
  /** The last title that a model gave in a line below the first, whose title alone is shown. */
  #laterTitle: string | undefined;
  readonly #cwds = new Set<string>();
  #firstString: string | undefined;
  #firstText = '';
  #created: string | undefined;
  /** The time of the last message that was copied from another session. */
  #copiedUntil: string | undefined;
  /** The ids of sessions that lines were copied from. */
  readonly #forkedFrom = new Set<string>();

  constructor(options: SummaryOptions) {
    this.#options = options;
  }

  visit(line: Line, content: LineContent): void {
    this.#opens.visit(line, content);
    if (line.length > 0) this.#counts.lines += 1;
    if (content.kind !== 'object') return;
    const { value } = content;
    this.#counts.entries += 1;
    if (this.#counts.lines === 1) this.#configTitle = getConfigTitle(value);
    else this.#laterTitle = getConfigTitle(value)?.trim() || this.#laterTitle;
    for (const directory of listAddedDirectories(value)) this.#cwds.add(directory);
    const title = getCustomTitle(value);
    this.#customTitle = title ?? this.#customTitle;
    this.#givenTitle = title?.trim() || this.#givenTitle;
    const isTitle = title !== undefined;
    if (isMessage(value) || isTitle || holdsWork(value)) this.#counts.work += 1;
    if (!isLikelyTime(toTime(value['timestamp']))) {
      this.#untimed[isMessage(value) ? 'messages' : 'others'] += 1;
    }
    if (isMessage(value)) this.#addMessage(value);
  }

  finish({ path, stamp }: SourceFile): SummaryFacts {
    const fileModified = new Date(stamp.mtimeMs).toISOString();
    const parents = [...this.#forkedFrom].map((id) => toPath(id, path)).toReversed();
    const [parent = null, ...otherParents] = parents.filter((one) => one !== path);
    const name = (this.#customTitle ?? this.#configTitle)?.trim() || null;
    const problem = this.#opens.problem ?? this.#parents.findProblem();
    return {
      path,
      agent: 'neovate',
      formatVersion: CURRENT_VERSION,
      id: toSessionId(path),
      cwd: '',
      name,
      created: this.#created ?? this.#copiedUntil ?? null,
      modified: fileModified,
      listedByFile: true,
      messageCount: this.#counts.lines,
      firstMessage: (this.#firstString ?? this.#firstText) || NO_MESSAGES,
      parentSessionPath: parent,
      branchedFrom: null,
      size: stamp.size,
      entryCount: this.#counts.entries,
      leafCount: this.#parents.leafCount,
      compactionCount: this.#counts.compactions,
      models: [...this.#models],
      userMessageCount: this.#counts.userMessages,
      workCount: this.#counts.work,
      labelCount: null,
      unread: {
        times: this.#untimed.messages,
        ...(this.#listHidden(name).length > 0 && { otherName: true }),
      },
      ...((this.#untimed.others > 0 || this.#isOnlyCopied()) && { hasLaterLine: true }),
      fileModified,
      ...(otherParents.length > 0 && { otherParents }),
      ...listOtherCwds('', this.#cwds),
      ...this.#sumUsage(),
      ...(problem && { problem }),
    };
  }

  #addMessage(message: JsonObject): void {
    this.#parents.add(message);
    const from = getString(getObject(message, 'forkedFrom') ?? {}, 'sessionId');
    if (from !== undefined) this.#forkedFrom.add(from);
    this.#addStart(toIso(toTime(message['timestamp'])), from !== undefined);
    const usage = this.#options.usage ? getEntryUsage(message) : undefined;
    if (usage) this.#usages.push(usage);
    const model = message['role'] === 'assistant' ? getString(message, 'model') : undefined;
    if (model !== undefined) this.#models.add(model);
    if (isCompaction(message)) this.#counts.compactions += 1;
    else if (message['role'] === 'user' && !isOldToolResult(message)) this.#addUser(message);
  }

  /** Returns whether a fork was never continued: no line in it has the time at which it was made. */
  #isOnlyCopied(): boolean {
    return this.#created === undefined && this.#copiedUntil !== undefined;
  }

  /** A fork starts behind the messages that are copied, which have the times of their own session. */
  #addStart(time: string | undefined, isCopied: boolean): void {
    if (!isCopied) this.#created ??= time;
    else {
      this.#created = undefined;
      this.#copiedUntil = time ?? this.#copiedUntil;
    }
  }

  /** Lists the titles that are not shown: one in a later line, or those before an empty one that a person gave. */
  #listHidden(name: string | null): readonly string[] {
    const before = name === null ? [this.#configTitle?.trim(), this.#givenTitle] : [];
    return [...before, this.#laterTitle].flatMap((one) => (one && one !== name ? one : []));
  }

  #addUser(message: JsonObject): void {
    const { content } = message;
    this.#counts.userMessages += 1;
    if (typeof content === 'string') this.#firstString ??= content;
    else if (message['hidden'] !== true) this.#firstText ||= getText(message);
  }

  #sumUsage(): Pick<SessionSummary, 'usage' | 'entryUsages'> {
    if (!this.#options.usage) return {};
    return { usage: sumUsage(this.#usages), entryUsages: this.#usages };
  }
}

/** A fork names its parent by id; a session that was resumed by its path has that for an id. */
function toPath(sessionId: string, path: string): string {
  if (isAbsolute(sessionId)) return sessionId;
  return join(dirname(path), sessionId.endsWith('.jsonl') ? sessionId : `${sessionId}.jsonl`);
}
