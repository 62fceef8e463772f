import type { Base, Entry, Header, LineSpan } from '../../../model/entry.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { LinePlan } from '../../../jsonl/scanner/plan.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Session } from '../../../model/session.ts';
import type { LineFold, SourceFile } from '../../../dialect/fold.ts';
import { CopiedPart } from './copied-part.ts';
import { writesHalfPair } from '../entry/fields/half-pairs.ts';
import { toEntry, toSkipped } from '../entry/to-entry.ts';
import {
  BARE_VERSION,
  CURRENT_VERSION,
  isBareHeader,
  getVersion,
  isCodexLine,
  isEnveloped,
  openLine,
} from '../format.ts';
import { INDEX_PLAN } from './plans.ts';
import { findForkParent, nameSource, readBase } from './relations.ts';
import { TurnTree } from './turn-tree.ts';
import { readCwd } from '../entry/typed.ts';

/**
 * Builds the index of a rollout of any era. A line that does not parse is skipped, as Codex 0.169
 * does; the first `session_meta` is the header, wherever it stands.
 */
export class SessionIndexer implements LineFold<Session> {
  readonly #entries: Entry[] = [];
  readonly #tree = new TurnTree();
  #header: Header | undefined;
  #base: Base | undefined;
  #copied: CopiedPart | undefined;
  #copiedEnd = 0;
  #version: number | undefined;
  /** The header as it was read, with the source of an old fork. */
  #stored: JsonObject | undefined;
  /** The working directory that the model was given, for a file whose header has none. */
  #statedCwd: string | undefined;

  /** Lines of old releases have what they hold elsewhere. */
  get plan(): LinePlan | undefined {
    return this.#version === BARE_VERSION ? undefined : INDEX_PLAN;
  }

  visit(line: Line, content: LineContent): void {
    if (content.kind !== 'object') return;
    const { number, offset, length } = line;
    const { value } = content;
    const span = { line: number, offset, length };
    const { type, payload } = openLine(value);
    if (type === 'session_meta' && !this.#header && (isBareHeader(value) || payload !== value)) {
      this.#header = toHeader(payload, span);
      this.#stored = payload;
      this.#base = readBase(payload);
      this.#copied = new CopiedPart(payload);
      this.#version = isBareHeader(value) ? BARE_VERSION : getVersion(payload);
      return;
    }
    if (type === 'session_meta' && this.#stored && this.#entries.length === 0) {
      this.#stored = nameSource(this.#stored, payload);
    }
    this.#version ??= guessVersion(value);
    if (this.#version === BARE_VERSION) this.#statedCwd ??= readCwd(payload);
    const isSkipped = type === 'compacted' && writesHalfPair(line);
    const entry = isSkipped
      ? toSkipped(value, span)
      : toEntry(value, span, this.#version ?? BARE_VERSION);
    const isCopied = this.#copied?.has(value) ?? false;
    if (isCopied) this.#copiedEnd = offset + length;
    this.#entries.push(this.#tree.add(entry, value, isCopied && this.#copied?.isSpawned === true));
  }

  finish({ path, stamp }: SourceFile): Session {
    return {
      path,
      agent: 'codex',
      formatVersion: this.#version ?? BARE_VERSION,
      header: this.#header && {
        ...this.#header,
        cwd: this.#header.cwd || (this.#statedCwd ?? ''),
        parentSession: this.#stored && findForkParent(this.#stored, path),
      },
      release: this.#stored && getString(this.#stored, 'cli_version'),
      base: this.#base,
      entries: this.#entries,
      copiedEnd: this.#copied?.isSure === true ? this.#copiedEnd : 0,
      stamp,
    };
  }
}

/** Guesses the version of a file without a header by its first line. */
function guessVersion(value: JsonObject): number | undefined {
  if (!isEnveloped(value)) return isCodexLine(value) ? BARE_VERSION : undefined;
  return 'ordinal' in value ? CURRENT_VERSION : getVersion({});
}

function toHeader(payload: JsonObject, span: LineSpan): Header {
  return {
    ...span,
    id: getString(payload, 'id') ?? '',
    timestamp: getString(payload, 'timestamp'),
    cwd: getString(payload, 'cwd') ?? '',
    parentSession: undefined,
    branchedFrom: undefined,
  };
}
