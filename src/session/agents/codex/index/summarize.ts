import type { SummaryFacts, SummaryOptions } from '../../../dialect/dialect.ts';
import type { LineFold, SourceFile } from '../../../dialect/fold.ts';
import {
  getObject,
  getString,
  isArray,
  type JsonObject,
  toIso,
  toTime,
} from '../../../jsonl/edit/json.ts';
import type { LinePlan } from '../../../jsonl/scanner/plan.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import { listOtherCwds, type SessionSummary } from '../../../model/summary.ts';
import { isLikelyTime } from '../../../read/summaries/unread.ts';
import { sumUsage } from '../../../model/usage.ts';
import {
  BARE_VERSION,
  getVersion,
  isBookkeeping,
  isEnveloped,
  openLine,
  parseName,
} from '../format.ts';
import {
  getContent,
  getText,
  isCompactionOutput,
  isTyped,
  listDirectories,
  readCwd,
} from '../entry/typed.ts';
import { isArchived } from '../places/home.ts';
import { SUMMARY_PLANS } from './plans.ts';
import { findForkParent, nameSource, readOrigin, readRelations } from './relations.ts';
import { Opens } from './opens.ts';
import { UsageCollector } from './usages.ts';

const NO_MESSAGES = '(no messages)';
const IMAGE = '[Image]';

/** Computes the facts of `thread/list` of Codex 0.169 in one pass, without keeping bodies. */
export class SessionSummarizer implements LineFold<SummaryFacts> {
  readonly #options: SummaryOptions;
  readonly #opens = new Opens();
  readonly #usages = new UsageCollector();
  readonly #models = new Set<string>();
  #header: JsonObject | undefined;
  #version: number | undefined;
  #provider: string | undefined;
  #model: string | undefined;
  #shown: string | undefined;
  #typed: string | undefined;
  /** The working directory that the model was given. */
  #cwd: string | undefined;
  /** The last directory that the thread was moved to. */
  #movedTo: string | undefined;
  /** The name that a line gives the thread: some releases write it into the file, too. */
  #name: string | undefined;
  /** All that a line names. */
  readonly #cwds = new Set<string>();
  #lastTime = Number.NaN;
  /** No line behind the last of those without a time has one; before 0.40, only the first has. */
  #endsUntimed = false;
  readonly #messagesAt: number[] = [];
  #counts = {
    entries: 0,
    rollbacks: 0,
    compactions: 0,
    work: 0,
    users: 0,
    answers: 0,
    shownUsers: 0,
    shownAnswers: 0,
    untimed: 0,
  };

  constructor(options: SummaryOptions) {
    this.#options = options;
  }

  get plan(): LinePlan | undefined {
    const { shown, shownWithUsage, rest, restWithUsage } = SUMMARY_PLANS;
    if (this.#version === BARE_VERSION) return undefined;
    const cwd = getString(this.#header ?? {}, 'cwd') ?? this.#cwd;
    const isFound = this.#header && this.#shown !== undefined && cwd !== undefined;
    if (this.#options.usage) return isFound ? restWithUsage : shownWithUsage;
    return isFound ? rest : shown;
  }

  visit(line: Line, content: LineContent): void {
    this.#opens.visit(line, content);
    if (content.kind !== 'object') return;
    const { value } = content;
    const time = toTime(value['timestamp']);
    if (!Number.isNaN(time) && !(time <= this.#lastTime)) this.#lastTime = time;
    this.#endsUntimed = !isLikelyTime(time);
    const { type, kind, payload } = openLine(value);
    // The header is not an entry.
    if (type !== 'session_meta' || this.#header) this.#counts.entries += 1;
    this.#version ??= isEnveloped(value) ? getVersion({}) : BARE_VERSION;
    // Codex skips such a line.
    if (this.#version > BARE_VERSION && !isEnveloped(value)) return;
    if (!isBookkeeping(openLine(value))) this.#counts.work += 1;
    if (type === 'session_meta') this.#addHeader(payload, isEnveloped(value));
    else if (type === 'response_item') {
      if (!isCompactionOutput(value)) this.#addItem(kind, payload, line.offset, time);
    } else if (type === 'event_msg') this.#addEvent(kind, payload, time);
    else if (type === 'turn_context') this.#addTurn(payload);
    else if (type === 'compacted') this.#counts.compactions += 1;
    else if (type === 'token_usage_record' && this.#options.usage) {
      this.#usages.addRecord(payload, this.#getId(), this.#getModel(), time);
    }
  }

  finish({ path, stamp }: SourceFile): SummaryFacts {
    const header = this.#header ?? {};
    const fileModified = new Date(stamp.mtimeMs).toISOString();
    const problem = this.#opens.findProblem();
    const counts = this.#counts;
    const users = counts.users || counts.shownUsers;
    const cwd = this.#movedTo ?? getString(header, 'cwd') ?? this.#cwd ?? '';
    return {
      path,
      agent: 'codex',
      formatVersion: this.#version ?? BARE_VERSION,
      id: this.#getId() || parseName(path)?.threadId || '',
      cwd,
      name: this.#name || null,
      created: toIso(toTime(header['timestamp'])) ?? null,
      modified: toIso(this.#lastTime) ?? fileModified,
      messageCount: users + (counts.answers || counts.shownAnswers),
      firstMessage: (this.#shown ?? this.#typed) || NO_MESSAGES,
      parentSessionPath: findForkParent(header, path) ?? null,
      branchedFrom: null,
      size: stamp.size,
      entryCount: counts.entries,
      leafCount: counts.entries > 0 ? 1 + counts.rollbacks : 0,
      compactionCount: counts.compactions,
      models: [...this.#models],
      userMessageCount: users,
      workCount: counts.work,
      labelCount: null,
      unread: { times: counts.untimed },
      ...(this.#endsUntimed && { hasLaterLine: true }),
      fileModified,
      archived: isArchived(path),
      ...listOtherCwds(cwd, this.#cwds),
      ...readOrigin(header),
      relations: { ...readRelations(header, path), messagesAt: this.#messagesAt },
      ...this.#sumUsage(),
      ...(problem && { problem }),
    };
  }

  #getId(): string {
    return getString(this.#header ?? {}, 'id') ?? '';
  }

  #addHeader(payload: JsonObject, isInEnvelope: boolean): void {
    if (this.#header) {
      // Only the line behind the first header is that of another thread.
      if (this.#counts.entries === 1) this.#header = nameSource(this.#header, payload);
      return;
    }
    this.#header = payload;
    this.#version = isInEnvelope ? getVersion(payload) : BARE_VERSION;
    this.#provider = getString(payload, 'model_provider');
    this.#addDirectories(payload);
    // It shows what it continues from.
    if ((payload['history_base'] ?? null) !== null) this.#counts.work += 1;
  }

  #addItem(kind: string | undefined, item: JsonObject, offset: number, time: number): void {
    if (kind !== 'message') return;
    if (item['role'] === 'assistant') this.#counts.answers += 1;
    else if (isTyped(item)) {
      this.#counts.users += 1;
      this.#typed ??= getText(item) || (getContent(item).length > 0 ? IMAGE : '');
    } else {
      const cwd = readCwd(item);
      this.#cwd ??= cwd;
      this.#addCwd(cwd);
      return;
    }
    this.#messagesAt.push(offset);
    if (this.#version !== BARE_VERSION && Number.isNaN(time)) this.#counts.untimed += 1;
  }

  #addEvent(kind: string | undefined, event: JsonObject, time: number): void {
    switch (kind) {
      case 'user_message':
        return this.#addShown(getString(event, 'message') ?? '', event['images']);
      case 'agent_message':
        this.#counts.shownAnswers += 1;
        return;
      case 'item_completed':
        return this.#addShownItem(getObject(event, 'item') ?? {});
      case 'thread_goal_updated':
        this.#shown ??= getString(getObject(event, 'goal') ?? {}, 'objective');
        return;
      case 'thread_name_updated':
        this.#addName(event);
        return;
      case 'thread_rolled_back':
        this.#counts.rollbacks += 1;
        return;
      case 'thread_settings_applied':
        return this.#addSettings(getObject(event, 'thread_settings') ?? {});
      case 'token_count':
        if (this.#options.usage) this.#usages.addCount(event, this.#getModel(), time);
        return;
      case undefined:
      default:
    }
  }

  /** A fork has the lines of its parent, and not its name. */
  #addName(event: JsonObject): void {
    const id = getString(event, 'thread_id') ?? this.#getId();
    if (id === this.#getId()) this.#name = getString(event, 'thread_name');
  }

  #addShownItem(item: JsonObject): void {
    if (item['type'] === 'UserMessage') this.#addShown(getText(item), item['content']);
    else if (item['type'] === 'AgentMessage') this.#counts.shownAnswers += 1;
  }

  #addShown(text: string, parts: unknown): void {
    this.#counts.shownUsers += 1;
    this.#shown ??= text || (isArray(parts) && parts.length > 0 ? IMAGE : undefined);
  }

  #addSettings(settings: JsonObject): void {
    this.#provider = getString(settings, 'model_provider_id') ?? this.#provider;
    this.#movedTo = getString(settings, 'cwd') ?? this.#movedTo;
    this.#addDirectories(settings);
  }

  #addTurn(payload: JsonObject): void {
    this.#addDirectories(payload);
    this.#setModel(getString(payload, 'model'));
  }

  #addDirectories(holder: JsonObject): void {
    for (const directory of listDirectories(holder)) this.#addCwd(directory);
  }

  #addCwd(cwd: string | undefined): void {
    if (cwd !== undefined) this.#cwds.add(cwd);
  }

  #setModel(model: string | undefined): void {
    if (model === undefined) return;
    this.#model = model;
    this.#models.add(this.#getModel() ?? model);
  }

  #getModel(): string | undefined {
    if (this.#model === undefined) return undefined;
    return this.#provider === undefined ? this.#model : `${this.#provider}/${this.#model}`;
  }

  #sumUsage(): Pick<SessionSummary, 'usage' | 'entryUsages'> {
    if (!this.#options.usage) return {};
    const { usages } = this.#usages;
    return { usage: sumUsage(usages), entryUsages: usages };
  }
}
