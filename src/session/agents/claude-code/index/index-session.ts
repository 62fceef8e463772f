import type { IndexFold, SourceFile } from '../../../dialect/fold.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { findFirstObject } from '../../../rules/find-records.ts';
import { type ClaudeCodeEntry, toEntry } from '../entry/to-entry.ts';
import { arrangeMessages } from './tree/arrange-messages.ts';
import { CURRENT_VERSION } from '../format.ts';
import { CopiedLines } from './copied-lines.ts';
import { type ReadObject, readObject } from './read-object.ts';
import { INDEX_PLAN } from './plans.ts';
import { SpreadRecords, type SpreadSession } from './spread-records.ts';
import { placeNodes } from './tree/place-nodes.ts';

/** A session of Claude Code as an index; every field that an entry of it has more is optional. */
export interface ClaudeCodeSession extends SpreadSession {
  readonly entries: readonly ClaudeCodeEntry[];
}

/** Builds the index of a session of Claude Code. Lines that do not parse are skipped. */
export class SessionIndexer implements IndexFold {
  readonly plan = INDEX_PLAN;
  readonly #entries: ClaudeCodeEntry[] = [];
  readonly #isSubagent: boolean;
  readonly #copied = new CopiedLines();
  readonly #spread = new SpreadRecords();
  #copiedEnd = 0;
  #release: string | undefined;
  /** The last one of the tree. */
  #before: ClaudeCodeEntry | undefined;

  /** `isSubagent`: the file holds the conversation of a sub-agent, and nothing else. */
  constructor(isSubagent = false) {
    this.#isSubagent = isSubagent;
  }

  visit(line: Line, content: LineContent): void {
    this.#spread.visit(line, content);
    const read = readObject(line, content);
    if (read) this.add(line, read);
  }

  findObject(line: Line): JsonObject | undefined {
    return findFirstObject(line)?.value;
  }

  /** Returns whether the line was copied from another session. */
  add({ number, offset }: Line, { value, length }: ReadObject): boolean {
    const span = { line: number, offset, length };
    const entry = toEntry(value, span, { isSubagent: this.#isSubagent, before: this.#before });
    if (entry.aside !== true) this.#before = entry;
    this.#release = getString(value, 'version') ?? this.#release;
    this.#entries.push(entry);
    const isCopied = this.#copied.add(value);
    if (isCopied) this.#copiedEnd = offset + length;
    return isCopied;
  }

  finish({ path, stamp }: SourceFile): ClaudeCodeSession {
    const { entries, leaf, problem } = placeNodes(this.#entries, stamp.size);
    return {
      path,
      agent: 'claude-code',
      formatVersion: CURRENT_VERSION,
      header: undefined,
      release: this.#release,
      entries,
      copiedEnd: this.#copiedEnd,
      pathOrder: arrangeMessages,
      leaf: leaf ? { line: leaf.line } : null,
      problem,
      spread: this.#spread.found,
      stamp,
    };
  }
}
