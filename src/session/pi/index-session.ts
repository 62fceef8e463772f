import type { Framing, LineFold, SourceFile } from '../dialect.ts';
import type { Entry, Header, LineSpan } from '../entry.ts';
import { getString, type JsonObject, toIso, toTime } from '../json.ts';
import type { LineContent } from '../jsonl/parse-line.ts';
import type { Line } from '../jsonl/line-splitter.ts';
import type { Session } from '../session.ts';
import { EntryIds } from './entry-ids.ts';
import {
  AGENT_CORE_VERSION,
  getVersion,
  isAgentCoreHeader,
  isHeader,
  isTitleLine,
} from './format.ts';
import { toEntry } from './to-entry.ts';

/**
 * Builds the index of a pi session of any version, with the ids and references that the file will
 * have once it is migrated. Lines that do not parse are passed over, as pi does.
 */
export class SessionIndexer implements LineFold<Session> {
  #header: Header | undefined;
  #version = 1;
  /** Before v2 entries had neither ids nor parents: each hangs on the one before it. */
  #linear = false;
  readonly #framing: Framing;
  readonly #ids = new EntryIds();
  readonly #entries: Entry[] = [];
  /** By position among the parsed lines, which is how v1 counts; the header and others are holes. */
  readonly #parsed: (Entry | undefined)[] = [];

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  visit(line: Line, content: LineContent): void {
    if (content.kind === 'scalar' && content.value) this.#addParsed(undefined);
    if (content.kind !== 'object' || this.#version === AGENT_CORE_VERSION) return;
    const { value } = content;
    if (isHeader(value) || isAgentCoreHeader(value)) this.#addHeader(line, value);
    else if (!(this.#header === undefined && isTitleLine(value))) this.#addEntry(line, value);
  }

  finish({ path, stamp }: SourceFile): Session {
    const formatVersion = this.#version;
    const entries = this.#entries;
    return { path, agent: 'pi', formatVersion, header: this.#header, entries, stamp };
  }

  /** Later headers are a known defect of old releases; pi ignores them. */
  #addHeader(line: Line, value: JsonObject): void {
    this.#addParsed(undefined);
    if (this.#header) return;
    this.#version = isAgentCoreHeader(value)
      ? AGENT_CORE_VERSION
      : getVersion(value, this.#framing);
    this.#linear = this.#framing === 'lines' && this.#version < 2;
    this.#header = toHeader(value, toSpan(line));
  }

  #addEntry(line: Line, value: JsonObject): void {
    const placement = this.#linear ? this.#ids.next(line.bytes) : undefined;
    const entry = toEntry(value, toSpan(line), this.#version, placement);
    this.#addParsed(entry);
    this.#entries.push(this.#linear ? this.#resolve(entry) : entry);
  }

  #addParsed(entry: Entry | undefined): void {
    if (this.#linear || this.#header === undefined) this.#parsed.push(entry);
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

export function toSpan(line: Line): LineSpan {
  return { line: line.number, offset: line.offset, length: line.length };
}

export function toHeader(value: JsonObject, span: LineSpan): Header {
  return {
    ...span,
    id: getString(value, 'id') ?? '',
    timestamp:
      getString(value, 'timestamp') ?? toIso(toTime(value['timestamp'] ?? value['createdAt'])),
    cwd: getString(value, 'cwd') ?? '',
    parentSession: getString(value, 'parentSession'),
    branchedFrom: getString(value, 'branchedFrom'),
  };
}
