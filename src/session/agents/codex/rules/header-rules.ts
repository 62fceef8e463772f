import type { FileFacts, MovedLine, Place, Rule } from '../../../dialect/rule.ts';
import { INDEX_PLAN } from '../index/plans.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { toHeaderPlace, toPlace, withoutFix } from '../../../rules/place.ts';
import { quote } from '../../../rules/wording.ts';
import { findHeaderFault, HEADER_FIELDS, isHeaderRead } from '../entry/fields/line-fields.ts';
import { isKnownItem } from '../context/context.ts';
import { getNumber, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { readHeader } from './read-header.ts';
import {
  BARE_VERSION,
  CURRENT_VERSION,
  getVersion,
  isCodexLine,
  isEnveloped,
  isLineType,
  openLine,
  UNKNOWN_VERSION,
} from '../format.ts';

/** A rollout that does not begin with a header that Codex accepts. */
export const rolloutHeader: Rule = {
  id: 'rollout-header',
  level: 'error',
  fixable: true,
  summary: 'a rollout of Codex that does not begin with a header that Codex accepts',
  help:
    'Codex reads the first line that is not blank as the `session_meta` of the thread. If that is ' +
    'another line, lacks `id`, `timestamp`, `cwd`, `originator` or `cli_version`, has a field of the ' +
    'wrong type, or names an unknown history mode, Codex lists the thread but does not open it, or does not list it at ' +
    'all. `--fix` moves a header that is below other lines to the start, if ordinals do not ' +
    'contradict that. Any other header has to come from a backup.',
  reads: { payload: HEADER_FIELDS },
  check(report, file) {
    const start = new Start();
    starts.set(file, start);
    return {
      line(line, content) {
        if (content.kind === 'object') start.visit(line, content.value);
      },
      session() {
        const { place, faults, late } = start;
        if (!place) return;
        for (const fault of faults) {
          report(late ? place : withoutFix(place), fault);
        }
      },
    };
  },
  changeLines({ file }) {
    const { place, late } = starts.get(file) ?? {};
    return place && late ? [{ offset: place.offset, edits: [], preceded: late }] : [];
  },
};

const starts = new WeakMap<FileFacts, Start>();

/** Finds out how a rollout begins, handed its records in file order. */
class Start {
  readonly faults: string[] = [];
  /** A header that could be moved to the start. */
  late: MovedLine | undefined;
  place: Place | undefined;
  #ordinal: number | undefined;
  #seeksLate = false;
  /** The first line has no envelope: in a file of lines that have none, no other has. */
  #isBare = false;

  visit(line: Line, value: JsonObject): void {
    if (!this.place) this.#visitFirst(line, value);
    else if (this.#isBare && isEnveloped(value)) {
      this.#isBare = false;
      this.#refuse('begins with a line without an envelope', value);
    }
    if (this.#seeksLate && openLine(value).type === 'session_meta') {
      this.#seeksLate = false;
      if (this.#mayBegin(value)) {
        this.late = { from: line.offset, bytes: Buffer.from(line.bytes) };
      }
    }
  }

  #visitFirst(line: Line, value: JsonObject): void {
    this.place = toPlace(line);
    this.#isBare = !isEnveloped(value);
    if (this.#isBare) return;
    const { type, payload } = openLine(value);
    if (type !== 'session_meta') {
      this.#refuse(`begins with a line of type ${quote(type)}`, value);
      return;
    }
    const fault = findHeaderFault(payload);
    if (fault !== undefined) {
      this.faults.push(`the header is invalid: ${fault}: Codex does not open it`);
    }
    if (getVersion(payload) === UNKNOWN_VERSION) {
      this.faults.push('the history mode in the header is unknown: Codex does not open it');
    }
  }

  /** A header that is the first line in an envelope may begin the file, whatever its ordinal. */
  #refuse(fault: string, first: JsonObject): void {
    this.faults.push(`${fault}: Codex does not open it`);
    this.#seeksLate = true;
    this.#ordinal =
      openLine(first).type === 'session_meta' ? Infinity : getNumber(first, 'ordinal');
  }

  /** Ordinals that go back hide lines from the list of turns. */
  #mayBegin(value: JsonObject): boolean {
    const { payload } = openLine(value);
    const version = getVersion(payload);
    const ordinal = getNumber(value, 'ordinal');
    const isInOrder =
      version === CURRENT_VERSION
        ? ordinal !== undefined && this.#ordinal !== undefined && ordinal < this.#ordinal
        : ordinal === undefined && [undefined, Infinity].includes(this.#ordinal);
    return version !== UNKNOWN_VERSION && findHeaderFault(payload) === undefined && isInOrder;
  }
}

/** A second header below other lines, behind which the context of a paginated file begins. */
export const rolloutHeaderRepeated: Rule = {
  id: 'rollout-header-repeated',
  level: 'error',
  fixable: true,
  summary: 'a rollout of Codex with a second header below other lines',
  help:
    'In a file with ordinals, the model is sent only the lines after the last `session_meta`, ' +
    'while the list of turns still shows those before it. A second header directly below the ' +
    'first, as in forks and sub-agents, does no harm. Older files are read whole. `--fix` moves a ' +
    'header of the same thread to the `.rejected` file; one of another thread is kept, since ' +
    'lines of that thread may follow.',
  reads: INDEX_PLAN,
  check(report) {
    const headers = new Headers();
    return {
      line(line, content) {
        const found = content.kind === 'object' ? headers.visit(content.value) : undefined;
        if (!found) return;
        const place = toPlace(line);
        report(
          found.isOwn ? place : withoutFix(place),
          'the model is sent only the lines below this second header',
        );
      },
    };
  },
  takesOut() {
    const headers = new Headers();
    return (record) => headers.visit(record)?.isOwn === true;
  },
};

/** Finds headers below other lines of a file with ordinals, handed its records in file order. */
class Headers {
  #id: string | undefined;
  #isPaginated = false;
  #hasOthers = false;

  /** Undefined for every other record; `isOwn`: the header is that of the same thread. */
  visit(record: JsonObject): { readonly isOwn: boolean } | undefined {
    const { type, payload } = openLine(record);
    if (type !== 'session_meta') {
      this.#hasOthers ||= type === 'response_item' || type === 'compacted';
      return undefined;
    }
    const id = getString(payload, 'id') ?? '';
    const isFirst = this.#id === undefined;
    if (!isFirst && !isHeaderRead(payload)) return undefined;
    this.#id ??= id;
    if (isFirst) this.#isPaginated = getVersion(payload) === CURRENT_VERSION;
    return isFirst || !this.#isPaginated || !this.#hasOthers
      ? undefined
      : { isOwn: id === this.#id };
  }
}

/** A rollout of a release before 0.40. */
export const rolloutOld: Rule = {
  id: 'rollout-old',
  level: 'info',
  fixable: false,
  summary: 'a rollout of an early Codex, which newer releases do not list',
  help:
    'Releases before 0.40 wrote items without an envelope. No newer release lists or opens such a file; ' +
    'coppice lists and exports it. Nothing to repair.',
  check: (report) => ({
    session({ session: { formatVersion, header, entries } }) {
      const at = header ?? entries[0];
      if (formatVersion !== BARE_VERSION || !at) return;
      report(toHeaderPlace(at), 'written before 0.40: newer releases do not list it');
    },
  }),
};

/** Headers of threads that have nothing to do with the one that the file is of. */
export const rolloutHeaderForeign: Rule = {
  id: 'rollout-header-foreign',
  level: 'warning',
  fixable: false,
  summary: 'a rollout of Codex with the header of a thread that it does not come from',
  help:
    'Forks and sub-agents of older releases hold the headers of the threads that they have ' +
    'copied. The header of another thread means that lines of two threads are in one file; in a ' +
    'file with ordinals, the model is sent only the lines after it. Compare the file with a ' +
    'backup.',
  reads: { session_id: 'whole', payload: { session_id: 'whole' } },
  check(report) {
    let known: Set<string> | undefined;
    return {
      line(line, content) {
        if (content.kind !== 'object') return;
        const { type, payload } = openLine(content.value);
        if (type !== 'session_meta') return;
        const id = getString(payload, 'id') ?? '';
        if (known && !known.has(id)) {
          report(toPlace(line), `the header of ${quote(id)}, which the thread does not come from`);
        }
        known ??= new Set([id]);
        for (const key of ORIGINS) known.add(getString(payload, key) ?? id);
      },
    };
  },
};

/** The members in which a header names the threads that its own comes from. */
const ORIGINS = ['forked_from_id', 'parent_thread_id', 'session_id'] as const;

/** A thread that was started by something that no release is known to write. */
export const rolloutSourceUnknown: Rule = {
  id: 'rollout-source-unknown',
  level: 'info',
  fixable: false,
  summary: 'a rollout of Codex that was started by an unknown program',
  help:
    'Codex opens the thread, but does not list it among those that a user has started. Nothing to ' +
    'repair.',
  reads: INDEX_PLAN,
  check: (report) => ({
    line: readHeader(({ source }, line) => {
      if (typeof source !== 'string' || SOURCES.has(source)) return;
      report(toPlace(line), `started by ${quote(source)}, which is unknown`);
    }),
  }),
};

const SOURCES: ReadonlySet<string> = new Set(['cli', 'vscode', 'exec', 'mcp', 'unknown']);

/** A line or an item of a type that no release is known to write. */
export const rolloutTypeUnknown: Rule = {
  id: 'rollout-type-unknown',
  level: 'info',
  fixable: false,
  summary: 'a line of a rollout of Codex, or an item on it, of an unknown type',
  help: 'Codex skips lines and items of a type that it does not know, and so does coppice. Nothing to repair.',
  reads: INDEX_PLAN,
  check: (report) => ({
    line(line, content) {
      if (content.kind !== 'object' || typeof content.value['type'] !== 'string') return;
      const { type, kind } = openLine(content.value);
      if (type === 'response_item') {
        if (kind !== undefined && !isKnownItem(kind)) {
          report(toPlace(line), `an item of the unknown type ${quote(kind)}`);
        }
      } else if (!isLineType(type) && !isCodexLine(content.value)) {
        report(toPlace(line), `unknown type ${quote(type)}`);
      }
    },
  }),
};
