import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { SummaryFacts, SummaryOptions } from '../../../dialect/dialect.ts';
import type { LineFold, PlainFold, SourceFile } from '../../../dialect/fold.ts';
import {
  getObject,
  getString,
  type JsonObject,
  listTexts,
  toIso,
  toTime,
} from '../../../jsonl/edit/json.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { LinePlan } from '../../../jsonl/scanner/plan.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { buildTree, getCurrentPath } from '../../../model/tree/tree.ts';
import { listOtherCwds, type SessionSummary } from '../../../model/summary.ts';
import { sumUsage } from '../../../model/usage.ts';
import { isLikelyTime } from '../../../read/summaries/unread.ts';
import { isBoundary, isLeafCandidate, isMessage, toEntry } from '../entry/to-entry.ts';
import { type Counts, countMessages, isQueued, PlainTree } from './plain/plain-tree.ts';
import { getEntryUsage, getModelName } from '../entry/entry-usage.ts';
import { toTyped } from '../entry/user-text.ts';
import { getMessage, isBoundaryLine, isNode, isSidechainLine, toSessionId } from '../format.ts';
import { findEnds } from '../fork/find-ends.ts';
import { toFolderName } from '../places/default-stores.ts';
import { Entrypoints } from './entrypoints.ts';
import { CopiedLines } from './copied-lines.ts';
import { OpenPrompts } from './open-prompts.ts';
import { SUMMARY_PLANS } from './plans.ts';
import { listDirectories, listRepositories } from './list-directories.ts';
import { readObject } from './read-object.ts';
import { Titles } from './titles.ts';
import { UsageTable } from './usage-table.ts';
import { type ClaudeCodeSession, SessionIndexer } from './index-session.ts';

const NO_MESSAGES = '(no messages)';

/** Computes the facts of the client's own list of sessions (2.1.332) in one pass, without bodies. */
export class SessionSummarizer implements LineFold<SummaryFacts> {
  readonly #facts: FactReader;
  readonly #indexer: SessionIndexer;

  /** `isSubagent`: the file holds the conversation of a sub-agent, and nothing else. */
  constructor(options: SummaryOptions, isSubagent = false) {
    this.#facts = new FactReader(options, isSubagent);
    this.#indexer = new SessionIndexer(isSubagent);
  }

  get plan(): LinePlan {
    return this.#facts.plan;
  }

  visit(line: Line, content: LineContent): void {
    const read = readObject(line, content);
    if (!read) return;
    this.#facts.add(read.value, this.#indexer.add(line, read));
  }

  finish(file: SourceFile): SummaryFacts {
    return this.#facts.describe(file, countEntries(this.#indexer.finish(file)));
  }
}

/** Summarizes a file whose lines are in order, without an index; undefined for any other. */
export class PlainSummarizer implements PlainFold<SummaryFacts> {
  readonly #facts: FactReader;
  readonly #tree = new PlainTree();
  readonly #copied = new CopiedLines();

  constructor(options: SummaryOptions) {
    this.#facts = new FactReader(options, false);
  }

  get plan(): LinePlan {
    return this.#facts.plan;
  }

  get isRefused(): boolean {
    return this.#tree.isRefused;
  }

  visit(line: Line, content: LineContent): void {
    const read = this.isRefused ? undefined : readObject(line, content);
    if (!read) return;
    const { number, offset } = line;
    const span = { line: number, offset, length: read.length };
    this.#tree.add(toEntry(read.value, span, { isSubagent: false, before: undefined }));
    this.#facts.add(read.value, this.#copied.add(read.value));
  }

  finish(file: SourceFile): SummaryFacts | undefined {
    const counts = this.#tree.count(file.stamp.size);
    return counts && this.#facts.describe(file, counts);
  }
}

/** Reads the facts that do not depend on how lines are attached to each other. */
class FactReader {
  readonly #options: SummaryOptions;
  readonly #isSubagent: boolean;
  readonly #models = new Set<string>();
  readonly #usages = new UsageTable();
  readonly #titles = new Titles();
  #untimed = 0;
  #firstTyped: string | undefined;
  /** The directories in the order of their first line. */
  readonly #cwds = new Set<string>();
  readonly #otherCwds = new Set<string>();
  /** The directory to which the session was moved last: the client lists it there. */
  #movedTo: string | undefined;
  #created: number | undefined;
  /** The time of the last line that was copied from another session. */
  #copiedUntil: number | undefined;
  #lastSpoken: number | undefined;
  #hasLaterLine = false;
  #gitBranch: string | undefined;
  readonly #entrypoints = new Entrypoints();
  /** The ids of sessions that this one is a fork of, and of those in which copied answers were made. */
  readonly #forkedFrom = new Set<string>();
  readonly #copiedFrom = new Set<string>();
  /** The id of the first entry, unless that is an answer. */
  #firstId: string | undefined;
  /** The first answer to each prompt that has none before it, as after a rewind to the start: a fork has one of these. */
  readonly #firstAnswers = new Set<string>();
  #isAtRoot = true;
  /** The ids of the prompts that have none before them, those of sub-agents too. */
  readonly #roots = new Set<string>();
  readonly #prompts = new OpenPrompts();
  readonly #boundaries = new Set<string>();
  readonly #plans = new Set<string>();

  constructor(options: SummaryOptions, isSubagent: boolean) {
    this.#options = options;
    this.#isSubagent = isSubagent;
  }

  get plan(): LinePlan {
    const { first, firstWithUsage, rest, restWithUsage } = SUMMARY_PLANS;
    const isFound = this.#firstTyped !== undefined;
    if (this.#options.usage) return isFound ? restWithUsage : firstWithUsage;
    return isFound ? rest : first;
  }

  add(value: JsonObject, isCopied: boolean): void {
    for (const directory of listDirectories(value)) this.#otherCwds.add(directory);
    if (value['type'] === 'relocated') this.#movedTo = getString(value, 'relocatedCwd');
    if (isNode(value)) this.#addNode(value, isCopied);
    else this.#titles.add(value);
    // A copied line has the time of the session that it is from, not the time at which it was copied.
    if (Titles.isGiven(value) || isCopied) this.#hasLaterLine = true;
    else if (isLikelyTime(toTime(value['timestamp']))) this.#hasLaterLine = false;
  }

  describe({ path, stamp }: SourceFile, counts: Counts): SummaryFacts {
    const fileModified = new Date(stamp.mtimeMs).toISOString();
    const [parent = null, ...otherParents] = this.#listParents(path);
    const spoken = Math.min(stamp.mtimeMs, this.#lastSpoken ?? stamp.mtimeMs);
    return {
      path,
      agent: 'claude-code',
      formatVersion: null,
      id: toSessionId(path),
      ...this.#describeDirectories(path),
      ...this.#titles.describe(),
      created: toIso(this.#created ?? this.#copiedUntil ?? Number.NaN) ?? null,
      modified: toIso(spoken) ?? fileModified,
      ...(this.#lastSpoken === undefined && { listedByFile: true }),
      messageCount: counts.messageCount,
      firstMessage: this.#firstTyped ?? NO_MESSAGES,
      parentSessionPath: parent,
      branchedFrom: null,
      size: stamp.size,
      entryCount: counts.entryCount,
      leafCount: counts.leafCount,
      compactionCount: counts.compactionCount,
      models: [...this.#models],
      userMessageCount: counts.userMessageCount,
      workCount: counts.workCount,
      unread: { times: this.#untimed },
      ...(this.#hasLaterLine && { hasLaterLine: true }),
      fileModified,
      ...(this.#gitBranch !== undefined && { gitBranch: this.#gitBranch }),
      ...this.#entrypoints.describe(this.#isSubagent),
      ...(!this.#isSubagent && this.#describeOrigins()),
      ...(otherParents.length > 0 && { otherParents }),
      ...(this.#plans.size > 0 && { claims: [...this.#plans].map((name) => `plans/${name}.md`) }),
      ...this.#sumUsage(),
      ...pickRare(counts),
    };
  }

  #addNode(value: JsonObject, isCopied: boolean): void {
    const { type } = value;
    const time = toTime(value['timestamp']);
    const isSpoken =
      (type === 'user' || type === 'assistant') && (this.#isSubagent || !isSidechainLine(value));
    if (isSpoken && !isLikelyTime(time)) this.#untimed += 1;
    if (isLikelyTime(time)) {
      this.#addStart(time, isCopied);
      if (isSpoken) this.#lastSpoken = time;
    }
    const cwd = getString(value, 'cwd');
    if (cwd !== undefined) this.#cwds.add(cwd);
    else for (const one of listTexts(value['cwd'])) this.#otherCwds.add(one);
    this.#gitBranch = getString(value, 'gitBranch') || this.#gitBranch;
    this.#entrypoints.add(getString(value, 'entrypoint'), isCopied);
    this.#addParents(value);
    this.#addPlan(value);
    this.#addRootAnswer(value);
    if (!isSidechainLine(value)) this.#addOrigin(value);
    if (isSpoken) this.#firstTyped ??= toTyped(value);
    if (type === 'assistant') this.#addAnswer(value);
  }

  /**
   * A fork starts behind the lines that are copied, which have the times of their own session. The client may write an
   * answer before its prompt.
   */
  #addStart(time: number, isCopied: boolean): void {
    if (isCopied) {
      this.#created = undefined;
      this.#copiedUntil = time;
    } else this.#created = Math.min(this.#created ?? time, time);
  }

  #addAnswer(value: JsonObject): void {
    const model = getModelName(value);
    if (model !== undefined) this.#models.add(model);
    const usage = this.#options.usage ? getEntryUsage(value) : undefined;
    if (usage) this.#usages.add(usage);
  }

  /** The words that name a plan are on every line from where there is one. */
  #addPlan(value: JsonObject): void {
    const slug = getString(value, 'slug');
    if (slug !== undefined && PLAN_NAME.test(slug)) this.#plans.add(slug);
  }

  /** A fork of 2.0.20 may continue a question of the client itself, which is not part of the conversation. */
  #addRootAnswer(value: JsonObject): void {
    const id = getString(value, 'uuid');
    if (value['type'] === 'user' && value['parentUuid'] === null && id !== undefined) {
      this.#roots.add(id);
    }
    const answer = getString(getMessage(value) ?? {}, 'id');
    const isFirst = this.#roots.has(getString(value, 'parentUuid') ?? '');
    if (isFirst && answer !== undefined && getModelName(value) !== undefined) {
      this.#firstAnswers.add(answer);
    }
  }

  #addOrigin(value: JsonObject): void {
    const id = getString(value, 'uuid');
    if (id !== undefined && isBoundaryLine(value)) this.#boundaries.add(id);
    this.#firstId ??= id;
    this.#prompts.add(value);
    if (value['type'] === 'user' && value['parentUuid'] === null) this.#isAtRoot = true;
    if (!this.#isAtRoot || getModelName(value) === undefined) return;
    const answer = getString(getMessage(value) ?? {}, 'id');
    if (answer === undefined) return;
    this.#firstAnswers.add(answer);
    this.#isAtRoot = false;
  }

  /**
   * Describes where lines come from: up to 1.0.59, copies have ids of their own, but for those of answers; a
   * later one may begin at a boundary, or hold no answer.
   */
  #describeOrigins(): Pick<SessionSummary, 'origins'> {
    const isCut = this.#firstId !== undefined && this.#boundaries.has(this.#firstId);
    const own = isCut ? [] : [...this.#firstAnswers].map(toOrigin);
    const origins = [...own, ...this.#boundaries, ...this.#prompts.list().map(toOrigin)];
    return origins.length === 0 ? {} : { origins };
  }

  #addParents(value: JsonObject): void {
    const from = getString(getObject(value, 'forkedFrom') ?? {}, 'sessionId');
    this.#forkedFrom.add(from ?? '');
    this.#copiedFrom.add(getString(value, 'requestSessionId') ?? '');
  }

  #describeDirectories(path: string): Pick<SummaryFacts, 'cwd' | 'otherCwds'> {
    const cwd = this.#findCwd(path);
    const named = [...this.#cwds, ...this.#otherCwds];
    return { cwd, ...listOtherCwds(cwd, [...named, ...named.flatMap(listRepositories)]) };
  }

  /**
   * Finds the directory in which the client lists the session: that to which it was moved, or that of its project. The
   * first lines of a fork may be of another one.
   */
  #findCwd(path: string): string {
    const folder = basename(dirname(path));
    const named = [...this.#cwds].find((cwd) => toFolderName(cwd) === folder);
    const [first = ''] = this.#cwds;
    return this.#movedTo ?? named ?? first;
  }

  /** The nearest first: a fork names it on every line, and the origins of its lines in their order. */
  #listParents(path: string): readonly string[] {
    // A copied line may have the id of the session that it was copied from: only the name of the file is sure.
    const own = new Set(['', toSessionId(path)]);
    const ids = [this.#forkedFrom, this.#copiedFrom].flatMap((some) => [...some].toReversed());
    const others = [...new Set(ids)].filter((id) => !own.has(id));
    return others.map((id) => join(dirname(path), `${id}.jsonl`));
  }

  #sumUsage(): Pick<SessionSummary, 'usage' | 'entryUsages'> {
    if (!this.#options.usage) return {};
    const entryUsages = this.#usages.list();
    return { usage: sumUsage(entryUsages), entryUsages };
  }
}

/** An id of a line may look like a key, and no summary that may hold one is kept in the cache. */
function toOrigin(id: string): string {
  const hash = createHash('sha256').update(id).digest('hex');
  return `${hash.slice(0, 12)}-${hash.slice(12, 24)}`;
}

/** Words with hyphens; any other name is not a plan. */
const PLAN_NAME = /^[\w-]{1,200}$/;

/** The counts and problems that few sessions have. */
function pickRare({
  branchMessageCount,
  problem,
}: Counts): Pick<SummaryFacts, 'branchMessageCount' | 'problem'> {
  return {
    ...(branchMessageCount !== undefined && { branchMessageCount }),
    ...(problem && { problem }),
  };
}

function countEntries(session: ClaudeCodeSession): Counts {
  const { entries, problem } = session;
  const tree = buildTree(entries, session);
  const path = getCurrentPath(tree).filter(isLeafCandidate);
  const spoken = entries.filter(isMessage);
  const prompts = countUsers(spoken);
  const queued = entries.filter(isQueued).length;
  return {
    ...countMessages(
      countUsers(path) + countAnswers(path),
      prompts + queued + countAnswers(spoken),
    ),
    entryCount: entries.length,
    leafCount: findEnds(session, tree).length,
    compactionCount: entries.filter(isBoundary).length,
    userMessageCount: prompts,
    workCount: entries.filter(({ aside, name }) => !aside || name !== undefined).length,
    ...(problem && { problem }),
  };
}

type Spoken = Pick<ClaudeCodeSession['entries'][number], 'role' | 'messageId' | 'id'>;

function countUsers(entries: readonly Spoken[]): number {
  return entries.filter(({ role }) => role === 'user').length;
}

/** An answer has a line for each of its blocks. */
function countAnswers(entries: readonly Spoken[]): number {
  const answers = entries.flatMap(({ role, messageId, id }) =>
    role === 'assistant' ? (messageId ?? id ?? []) : [],
  );
  return new Set(answers).size;
}
