import type { Problem } from '../../../model/summary.ts';
import type { Entry, Header, LineSpan, TitleLine } from '../../../model/entry.ts';
import { getString, type JsonObject, toIso, toTime } from '../../../jsonl/edit/json.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import {
  type Line,
  type LineSkimmer,
  NO_LINES,
  type SkimmedLines,
} from '../../../jsonl/read/line-splitter.ts';
import type { Session } from '../../../model/session.ts';
import { EntryIds } from './entry-ids.ts';
import { INDEX_PLAN } from './plans.ts';
import type { LinePlan } from '../../../jsonl/scanner/plan.ts';
import {
  AGENT_CORE_VERSION,
  CURRENT_VERSION,
  getFileVersion,
  isAgentCoreHeader,
  isAnyHeader,
  isTitleLine,
  isTitleSlot,
  isWithoutPlace,
} from '../format.ts';
import { toToolUse } from '../rules/tool-uses.ts';
import { EntryLines } from '../scanner/entry-lines.ts';
import { getScanner } from '../scanner/scanner.ts';
import { NeighbourTimes } from '../entry/neighbour-times.ts';
import { toEntry } from '../entry/to-entry.ts';
import type { Framing, IndexFold, SourceFile } from '../../../dialect/fold.ts';
import type { KnownShapes, UnparsedEntry } from '../../../dialect/known-shapes.ts';
import type { RuleLevels } from '../../../dialect/levels.ts';

export const NO_HEADER: Problem = {
  code: 'header-missing',
  message: 'has no header: pi does not open it',
};

/** No rule checks lines that are only indexed. */
const NO_LEVELS: RuleLevels = new Map();
/** Types of entries, and roles of messages, that are nothing to anyone but for what the scanner reads. */
const READABLE_TYPES: ReadonlySet<string> = new Set([
  'custom',
  'model_change',
  'thinking_level_change',
]);
const READABLE_ROLES: ReadonlySet<string | undefined> = new Set([
  'user',
  'assistant',
  'toolResult',
]);

/**
 * Builds the index of a pi session of any version, with the ids and references that the file will
 * have once it is migrated. Lines that do not parse are skipped, as pi does.
 */
export class SessionIndexer implements IndexFold {
  readonly shapes: KnownShapes = {
    skim: (...lines) => this.#skim(...lines),
    learn: (...line) => this.#learn(...line),
  };
  #header: Header | undefined;
  #title: TitleLine | undefined;
  #version = 1;
  /** Entries had neither ids nor parents before v2: each is attached to the one before it. */
  #linear = false;
  readonly #framing: Framing;
  #ids: EntryIds | undefined;
  readonly #times = new NeighbourTimes(Number.NaN);
  readonly #entries: Entry[] = [];
  /** The entries by position among the parsed lines, which is how v1 counts; the header and others are holes. */
  readonly #parsed: (Entry | undefined)[] = [];
  /** Entries below a current header that have places of their own, as the newest one has. */
  #isCurrent = false;
  #lines: EntryLines | undefined;
  /** True if no rule checks these lines, so that their shapes need no levels. */
  #isAlone = false;

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  get sharedPlan(): LinePlan | undefined {
    return this.#header && INDEX_PLAN;
  }

  get isSkimming(): boolean {
    return this.#isCurrent && getScanner() !== undefined;
  }

  /** Nothing that could be wrong with an entry is in the index. */
  skim(...slice: Parameters<LineSkimmer>): SkimmedLines {
    this.#isAlone = true;
    return this.#skim(NO_LEVELS, () => undefined, ...slice);
  }

  #skim(
    levels: RuleLevels,
    visit: (unparsed: UnparsedEntry) => void,
    ...slice: Parameters<LineSkimmer>
  ): SkimmedLines {
    const scanner = this.#isCurrent ? getScanner() : undefined;
    if (!scanner) return NO_LINES;
    const lines = (this.#lines ??= new EntryLines(scanner, levels));
    lines.begin(...slice);
    for (let next = lines.next(); next !== undefined; next = lines.next()) {
      this.#entries.push(next.entry);
      visit(next);
    }
    return lines.taken;
  }

  #learn(line: Line, content: LineContent, isFaultless: boolean): void {
    const lines = this.#lines;
    if (!lines?.isUnseen) return;
    const known =
      isFaultless && content.kind === 'object' ? this.#describe(line, content.value) : undefined;
    if (known) lines.learn(line.bytes, known);
    else lines.refuse();
  }

  visit(line: Line, content: LineContent): void {
    if (content.kind === 'scalar' && content.value) this.#addParsed(undefined);
    if (content.kind !== 'object' || this.#version === AGENT_CORE_VERSION) return;
    const { value } = content;
    if (isAnyHeader(value)) this.#addHeader(line, value);
    else if (this.#header !== undefined || !isTitleLine(value)) this.#addEntry(line, value);
    else if (line.number === 1 && isTitleSlot(value)) this.#title = toTitle(line, value);
    if (this.#isAlone) this.#learn(line, content, true);
  }

  finish({ path, stamp }: SourceFile): Session {
    const formatVersion = this.#version;
    const header = this.#header;
    const problem = header ? undefined : NO_HEADER;
    const session = { path, agent: 'pi', formatVersion, header, problem, stamp } as const;
    if (formatVersion !== 0) return { ...session, entries: this.#entries };
    const start = this.#times.first ?? stamp.mtimeMs;
    const entries = this.#entries.map((one) =>
      Number.isNaN(one.time) ? { ...one, time: start } : one,
    );
    return { ...session, header: this.#header && startAt(this.#header, start), entries };
  }

  /** Later headers are a known defect of old releases; pi ignores them. */
  #addHeader(line: Line, value: JsonObject): void {
    this.#addParsed(undefined);
    if (this.#header) return;
    this.#version = getFileVersion(value, this.#framing);
    this.#linear = this.#framing === 'lines' && this.#version < 2;
    if (this.#version === 0) this.#times.next(value);
    const header = toHeader(value, toSpan(line));
    this.#header = this.#title ? { ...header, title: this.#title } : header;
  }

  #addEntry(line: Line, value: JsonObject): void {
    const placement = this.#linear ? (this.#ids ??= new EntryIds()).next(line.bytes) : undefined;
    const written = toEntry(value, toSpan(line), this.#version, placement);
    const entry = this.#version === 0 ? { ...written, time: this.#times.next(value) } : written;
    this.#addParsed(entry);
    this.#isCurrent ||= this.#version === CURRENT_VERSION && !isWithoutPlace(value);
    this.#entries.push(this.#linear ? this.#resolve(entry) : entry);
  }

  #addParsed(entry: Entry | undefined): void {
    if (this.#linear || this.#header === undefined) this.#parsed.push(entry);
  }

  /** Describes the line visited last, if its entry could be read without parsing. */
  #describe(line: Line, value: JsonObject): UnparsedEntry | undefined {
    const entry = this.#entries.at(-1);
    if (entry?.offset !== line.offset || value['parentId'] === undefined) return undefined;
    if (!isReadable(entry, value)) return undefined;
    const use = toToolUse(value);
    return { entry, calls: use?.calls ?? [], resultOf: use?.resultOf };
  }

  /**
   * An index that points at the header, ahead or nowhere names no entry, as in pi, which numbers
   * the entries one after another: nothing from before the compaction is kept.
   */
  #resolve(entry: Entry): Entry {
    const { firstKeptEntryIndex: index, ...rest } = entry;
    if (entry.type !== 'compaction' || index === undefined) return entry;
    return { ...rest, firstKeptEntryId: this.#parsed[index]?.id ?? rest.firstKeptEntryId };
  }
}

/** The header of an array, which has the time of the first line that has any. */
function startAt(header: Header, time: number): Header {
  return Number.isNaN(toTime(header.timestamp)) ? { ...header, timestamp: toIso(time) } : header;
}

/** Blocks of a message that an extension wrote count, and are not a part of a line's shape. */
function isReadable({ type, role }: Entry, value: JsonObject): boolean {
  if (type === 'custom_message') return typeof value['content'] === 'string';
  return READABLE_TYPES.has(type) || READABLE_ROLES.has(role);
}

function toTitle(line: Line, value: JsonObject): TitleLine {
  return { ...toSpan(line), name: getString(value, 'title') ?? '' };
}

export function toSpan(line: Line): LineSpan {
  return { line: line.number, offset: line.offset, length: line.length };
}

/** Members behind a spread would cost Node 20 as much as parsing the line. */
export function toHeader(value: JsonObject, { line, offset, length }: LineSpan): Header {
  return {
    line,
    offset,
    length,
    id: getString(value, 'id') ?? '',
    timestamp:
      getString(value, 'timestamp') ?? toIso(toTime(value['timestamp'] ?? value['createdAt'])),
    cwd: getString(value, 'cwd') ?? '',
    parentSession: findParentSession(value),
    branchedFrom: getString(value, 'branchedFrom'),
  };
}

/** The storage of pi-agent-core names the parent by its id, or by its path where it found no file there. */
function findParentSession(value: JsonObject): string | undefined {
  const keys = isAgentCoreHeader(value) ? ['parentSessionId', 'legacyParentSessionPath'] : [];
  for (const key of [...keys, 'parentSession']) {
    const parent = getString(value, key);
    if (parent !== undefined) return parent;
  }
  return undefined;
}
