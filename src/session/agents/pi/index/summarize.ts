import type { SummaryFacts, SummaryOptions } from '../../../dialect/dialect.ts';
import {
  getString,
  isObject,
  type JsonObject,
  type JsonValue,
  listStrings,
  listTexts,
  toIso,
  toJsonText,
  toTime,
} from '../../../jsonl/edit/json.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { LinePlan } from '../../../jsonl/scanner/plan.ts';
import { type Line, NO_LINES, type SkimmedLines } from '../../../jsonl/read/line-splitter.ts';
import { listOtherCwds, type Problem, type SessionSummary } from '../../../model/summary.ts';
import { isLikelyTime } from '../../../read/summaries/unread.ts';
import { sumUsages, type UsageSums } from '../../../model/tree/condense-usage.ts';
import {
  addUsageTo,
  type EntryUsage,
  type Mutable,
  NO_USAGE,
  type Usage,
} from '../../../model/usage.ts';
import { getEntryUsage, getModelName, getOwnUsage, readUsage } from '../entry/entry-usage.ts';
import {
  AGENT_CORE_VERSION,
  CURRENT_VERSION,
  getActivityTime,
  getFileVersion,
  getMessage,
  isAnyHeader,
  isBookkeeping,
  isTitleLine,
} from '../format.ts';
import { NO_HEADER, toHeader, toSpan } from './index-session.ts';
import { CanonicalLines } from '../scanner/canonical-lines.ts';
import { USAGE_MEMBERS } from '../scanner/layout.ts';
import { getScanner } from '../scanner/scanner.ts';
import { LeafCounter } from './leaf-counter.ts';
import { SUMMARY_PLANS } from './plans.ts';
import type { Header } from '../../../model/entry.ts';
import type { Framing, LineFold, SourceFile } from '../../../dialect/fold.ts';
import { joinTexts } from '../entry/join-texts.ts';

/** Versions as text: pi accepts `"3"` for 3. */
const KNOWN_VERSIONS: ReadonlySet<string> = new Set(['1', '2', '3']);

const NO_MESSAGES = '(no messages)';

/**
 * Computes the facts of pi's own listing (1.6.0, `buildSessionInfo`) in one pass, without keeping bodies. pi
 * drops a session if one message has no content; coppice continues.
 */
export class SessionSummarizer implements LineFold<SummaryFacts> {
  readonly #framing: Framing;
  readonly #options: SummaryOptions;
  #header: Header | undefined;
  #version = 1;
  /** The version in the header. */
  #writtenVersion: JsonValue | undefined;
  /** The name that the last entry about it gives; empty where that takes it away. */
  #name: string | undefined;
  /** The line in which oh-my-pi keeps the name: one before the header, or the header in older releases. */
  #title: JsonObject | undefined;
  /** A workspace of oh-my-pi may have several directories. */
  #addedCwds: readonly string[] = [];
  #earlierPaths: readonly string[] = [];
  #oddParents: readonly string[] = [];
  #firstMessage = '';
  #lastActivity = 0;
  /** No entry behind the last of those without a time has one. */
  #endsUntimed = false;
  #counts = { entries: 0, messages: 0, userMessages: 0, compactions: 0, work: 0, untimed: 0 };
  readonly #leaves = new LeafCounter();
  #canonical: CanonicalLines | undefined;
  readonly #models = new Set<string>();
  readonly #labeled = new Set<string>();
  readonly #usages: EntryUsage[] = [];
  /** The sums of usage, in a session of which no entry can be in another. */
  #sums: UsageSums | undefined;
  readonly #usage: Mutable<Usage> = { ...NO_USAGE };

  constructor(framing: Framing, options: SummaryOptions) {
    this.#framing = framing;
    this.#options = options;
  }

  get plan(): LinePlan | undefined {
    if (!this.#header) return undefined;
    if (!this.#canonical) {
      return this.#firstMessage ? SUMMARY_PLANS.rest : SUMMARY_PLANS.first;
    }
    // A first message without a text holds images, and so may all that follow until one has a text.
    const seeksText = this.#counts.userMessages > 0 && !this.#firstMessage;
    return seeksText ? SUMMARY_PLANS.first : undefined;
  }

  skim(chunk: Buffer, start: number): SkimmedLines {
    const lines = this.#canonical;
    if (!lines) return NO_LINES;
    lines.begin(chunk, start);
    let lastTime = 0;
    // The first message of a user is for the listing.
    while (lines.next(!this.#firstMessage)) {
      this.#addCanonical(lines);
      lastTime = Math.max(lastTime, lines.lastWritten);
    }
    return { ...lines.taken, lastTime };
  }

  visit(line: Line, content: LineContent): void {
    if (content.kind !== 'object' || this.#version === AGENT_CORE_VERSION) return;
    const { value } = content;
    if (isAnyHeader(value)) this.#addHeader(line, value);
    else if (this.#header !== undefined || !isTitleLine(value)) this.#addEntry(value);
    else this.#title = value;
  }

  finish({ path, stamp }: SourceFile): SummaryFacts {
    const problem = findProblem(this.#header, this.#version, this.#writtenVersion);
    const created = toIso(toTime(this.#header?.timestamp));
    const fileModified = new Date(stamp.mtimeMs).toISOString();
    return {
      path,
      agent: 'pi',
      formatVersion: this.#version,
      id: this.#header?.id ?? '',
      cwd: this.#header?.cwd ?? '',
      name: this.#name || this.#getTitle() || null,
      created: created ?? null,
      modified: (this.#lastActivity > 0 && toIso(this.#lastActivity)) || created || fileModified,
      messageCount: this.#counts.messages,
      firstMessage: this.#firstMessage || NO_MESSAGES,
      parentSessionPath: this.#header?.parentSession ?? null,
      branchedFrom: this.#header?.branchedFrom ?? null,
      size: stamp.size,
      entryCount: this.#counts.entries,
      leafCount: this.#leaves.finish(),
      compactionCount: this.#counts.compactions,
      models: [...this.#models],
      userMessageCount: this.#counts.userMessages,
      workCount: this.#counts.work,
      labelCount: this.#labeled.size,
      fileModified,
      ...listOtherCwds(this.#header?.cwd ?? '', this.#addedCwds),
      ...(this.#oddParents.length > 0 && { otherParents: this.#oddParents }),
      ...(this.#earlierPaths.length > 0 && { earlierPaths: this.#earlierPaths }),
      unread: { times: this.#counts.untimed, ...this.#describeOtherName() },
      ...((this.#endsUntimed || this.#hasUntimedTitle()) && { hasLaterLine: true }),
      ...this.#describeTitle(),
      ...this.#describeUsage(),
      ...(problem && { problem }),
    };
  }

  /** Neither of pi and oh-my-pi shows the name that the other has given. */
  #describeOtherName(): Pick<SummaryFacts['unread'], 'otherName'> {
    const title = this.#getTitle();
    return this.#name === undefined || title === '' || title === this.#name
      ? {}
      : { otherName: true };
  }

  #getTitle(): string {
    return getString(this.#title ?? {}, 'title')?.trim() ?? '';
  }

  /** The time of the name is not that of a line: its place is written again and again. */
  #describeTitle(): Pick<SummaryFacts, 'namedAt'> {
    const time = toTime(this.#title?.['updatedAt']);
    const namedAt = isLikelyTime(time) ? toIso(time) : undefined;
    return namedAt === undefined ? {} : { namedAt };
  }

  /** Releases of oh-my-pi up to 14 or so write a new name into the header, and not when. */
  #hasUntimedTitle(): boolean {
    return this.#getTitle() !== '' && this.#describeTitle().namedAt === undefined;
  }

  #addHeader(line: Line, value: JsonObject): void {
    if (this.#header) return;
    this.#addedCwds = listTexts(value['additionalDirectories']);
    this.#earlierPaths = listStrings(value['previousSessionFiles']);
    this.#oddParents = listOddParents(value['parentSession']);
    this.#version = getFileVersion(value, this.#framing);
    // The lines of that storage are not read, nor are their times.
    if (this.#version === AGENT_CORE_VERSION) this.#endsUntimed = true;
    this.#writtenVersion = value['version'];
    this.#title ??= value;
    this.#header = toHeader(value, toSpan(line));
    this.#leaves.linear = this.#framing === 'lines' && this.#version < 2;
    const { usage, sumsUsage, whole } = this.#options;
    const { parentSession, branchedFrom } = this.#header;
    if (sumsUsage === true && parentSession === undefined && branchedFrom === undefined) {
      this.#sums = sumUsages({ entryUsages: this.#usages });
    }
    const isSkimmable =
      whole !== true && (this.#version === 2 || this.#version === CURRENT_VERSION);
    const scanner = isSkimmable ? getScanner() : undefined;
    const kept = usage ? (this.#sums ? 'numbers' : 'answers') : 'nothing';
    this.#canonical = scanner && new CanonicalLines(scanner, kept);
  }

  #addCanonical(lines: CanonicalLines): void {
    this.#counts.entries += lines.entries;
    this.#endsUntimed = false;
    this.#counts.messages += lines.messages;
    this.#counts.work += lines.messages + lines.notes;
    this.#counts.userMessages += lines.userMessages;
    this.#leaves.addMarked(lines.marks);
    if (lines.model) this.#models.add(lines.model);
    if (lines.lastTime > this.#lastActivity) this.#lastActivity = lines.lastTime;
    if (this.#sums) this.#addNumbers(this.#sums, lines.parseNumbers(), lines.model);
    else if (this.#options.usage) this.#addAnswers(lines.parseAnswers(), lines.model);
  }

  #addEntry(value: JsonObject): void {
    this.#counts.entries += 1;
    const time = toTime(value['timestamp']);
    this.#endsUntimed = !isLikelyTime(time) && !isLikelyTime(getActivityTime(value));
    if (!isBookkeeping(value)) this.#counts.work += 1;
    this.#leaves.add(getString(value, 'id'), getString(value, 'parentId'));
    if (this.#options.usage) this.#addUsage(value);
    switch (value['type']) {
      case 'message':
        return this.#addMessage(value);
      case 'session_info':
        this.#name = getString(value, 'name')?.trim() ?? '';
        return;
      case 'compaction':
        this.#counts.compactions += 1;
        return;
      case 'label':
        return this.#addLabel(value);
    }
  }

  #addAnswers(answers: readonly JsonObject[], model: string): void {
    for (const answer of answers) this.#addUsage(answer, model);
  }

  #addNumbers(sums: UsageSums, numbers: readonly number[], model: string): void {
    for (let at = 0; at < numbers.length; at += 1 + USAGE_MEMBERS) {
      const usage = readUsage(numbers, at + 1);
      sums.add({ model, time: numbers[at] ?? Number.NaN, usage });
      addUsageTo(this.#usage, usage);
    }
  }

  #addUsage(value: JsonObject, model?: string): void {
    const entry = this.#sums ? undefined : getEntryUsage(value, model);
    if (entry) this.#usages.push(entry);
    const own = entry ?? getOwnUsage(value, model);
    if (!own) return;
    this.#sums?.add(own);
    addUsageTo(this.#usage, own.usage);
  }

  #addMessage(entry: JsonObject): void {
    this.#counts.messages += 1;
    const message = getMessage(entry);
    const role = message?.['role'];
    if (!message) this.#counts.untimed += 1;
    if (!message || (role !== 'user' && role !== 'assistant')) return;
    if (role === 'user') this.#counts.userMessages += 1;
    else this.#addModel(message);
    const time = getActivityTime(entry);
    if (!isLikelyTime(time)) this.#counts.untimed += 1;
    if (!('content' in message)) return;
    if (time > this.#lastActivity) this.#lastActivity = time;
    if (role === 'user' && !this.#firstMessage)
      this.#firstMessage = joinTexts(message['content'], ' ') ?? '';
  }

  #addModel(message: JsonObject): void {
    const name = getModelName(message);
    if (name !== undefined) this.#models.add(name);
  }

  #addLabel(entry: JsonObject): void {
    const target = getString(entry, 'targetId') ?? '';
    if (getString(entry, 'label')) this.#labeled.add(target);
    else this.#labeled.delete(target);
  }

  #describeUsage(): Pick<SessionSummary, 'usage' | 'entryUsages'> {
    if (!this.#options.usage) return {};
    return { usage: this.#usage, entryUsages: this.#sums?.list() ?? this.#usages };
  }
}

function toText(value: JsonValue): string {
  return typeof value === 'string' ? value : toJsonText(value);
}

function findProblem(
  header: Header | undefined,
  version: number,
  written: JsonValue | undefined,
): Problem | undefined {
  if (!header) return NO_HEADER;
  if (header.id === '') {
    return { code: 'header-invalid', message: 'the header has no id: pi does not open it' };
  }
  if (version > CURRENT_VERSION) {
    return {
      code: 'version-unknown',
      message: `is of format version ${version}, newer than this coppice knows`,
    };
  }
  if (written !== undefined && !KNOWN_VERSIONS.has(toText(written))) {
    return {
      code: 'version-unknown',
      message: 'is of a format version that no release of pi writes',
    };
  }
  return undefined;
}

/** No release names a parent by more than a text: each text in anything else may be its path or its id. */
function listOddParents(parent: JsonValue = null): readonly string[] {
  if (typeof parent === 'string' || parent === null) return [];
  const open = (one: JsonValue = null) => Object.values(isObject(one) ? one : [one].flat());
  return open(parent)
    .flatMap(open)
    .filter((one) => typeof one === 'string');
}
