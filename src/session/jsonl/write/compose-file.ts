import { closeSync, openSync } from 'node:fs';
import type { FileError } from '../../../errors.ts';
import { changedError, toFileError } from '../files/file-error.ts';
import { actAsPlanned, type FileStamp, isSameState } from '../files/identity/file-stamp.ts';
import type { PrefixSum } from '../read/spans/prefix-sum.ts';
import { ReadAhead, type Span } from '../read/chunks/read-ahead.ts';
import { getStampSync } from '../files/sync-calls.ts';
import type { FileSpan } from '../read/spans/read-spans.ts';
import { refuseCompressed } from '../zstd/is-compressed.ts';

/** One line of a file that is made from another one. */
export type Piece =
  /** A line of the source; as it is, unless `change` says otherwise. */
  | { readonly span: FileSpan; readonly change?: ((bytes: Buffer) => Buffer) | undefined }
  /** Several lines of the source that become one, or a few. */
  | { readonly spans: readonly FileSpan[]; readonly join: (lines: readonly Buffer[]) => Buffer }
  /** A new line, without its LF. */
  | { readonly text: string };

export interface SourceState {
  readonly path: string;
  readonly stamp: FileStamp;
  /**
   * The hash of the bytes that were read, if lines may have been appended since; any other change is refused.
   */
  readonly sum?: PrefixSum | undefined;
}

const CHUNK_BYTES = 256 * 1024;
const LF = Buffer.from('\n');

/**
 * The bytes of a file that is made of lines of another one, in any order, each ended by LF. Holds no
 * more than one chunk, or one line that changes. A chunk is valid until the next one is asked for.
 * @throws FileError if the source cannot be read, or is not the one that was read before.
 */
export function* composeFile(source: SourceState, pieces: Iterable<Piece>): Generator<Buffer> {
  try {
    refuseCompressed(source.path);
    const reader = new SourceReader(openSync(source.path, 'r'), source);
    try {
      if (!reader.mayBePlanned()) throw reader.changed();
      yield* inChunks(toBytes(reader, pieces));
      if (!reader.isAsPlanned()) throw reader.changed();
    } finally {
      reader.close();
    }
  } catch (error) {
    throw toFileError(error, source.path, 'read');
  }
}

function* toBytes(reader: SourceReader, pieces: Iterable<Piece>): Generator<Buffer> {
  for (const piece of joinRuns(pieces)) {
    if ('text' in piece) yield Buffer.from(piece.text);
    else if ('spans' in piece) yield reader.join(piece.spans, piece.join);
    else if (piece.change) yield reader.change(piece.span, piece.change);
    else yield* reader.copy(piece.span);
    yield LF;
  }
}

/** A write for each line would take longer than the lines. */
function* inChunks(parts: Iterable<Buffer>): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  for (const part of parts) {
    if (filled + part.length > chunk.length) {
      if (filled > 0) yield chunk.subarray(0, filled);
      filled = 0;
    }
    if (part.length > chunk.length) yield part;
    else filled += part.copy(chunk, filled);
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}

/** Lines that follow each other in the source and are kept as they are become one span. */
function* joinRuns(pieces: Iterable<Piece>): Generator<Piece> {
  let run: Span | undefined;
  for (const piece of pieces) {
    if ('span' in piece && !piece.change) {
      const { offset, length } = piece.span;
      if (run && run.offset + run.length + 1 === offset) {
        run = { offset: run.offset, length: run.length + 1 + length };
        continue;
      }
      if (run) yield { span: run };
      run = piece.span;
      continue;
    }
    if (run) yield { span: run };
    run = undefined;
    yield piece;
  }
  if (run) yield { span: run };
}

/** Reads lines by their place, most of them with no call of their own. */
class SourceReader {
  readonly #fd: number;
  readonly #source: SourceState;
  readonly #ahead: ReadAhead;

  constructor(fd: number, source: SourceState) {
    this.#fd = fd;
    this.#source = source;
    this.#ahead = new ReadAhead(fd);
  }

  /** Valid until the next call. */
  read(span: Span): Buffer {
    const bytes = this.#ahead.read(span);
    if (!bytes) throw this.changed();
    return bytes;
  }

  /** Any number of bytes, a chunk at a time. */
  *copy({ offset, length }: Span): Generator<Buffer> {
    for (let at = 0; at < length; at += CHUNK_BYTES) {
      yield this.read({ offset: offset + at, length: Math.min(CHUNK_BYTES, length - at) });
    }
  }

  /** Replaces a span with the result of `change`. */
  change(span: Span, change: (bytes: Buffer) => Buffer): Buffer {
    const bytes = this.read(span);
    return actAsPlanned(
      () => change(bytes),
      () => this.isAsPlanned(),
      () => this.changed(),
    );
  }

  /** Replaces several spans with the result of `join`. */
  join(spans: readonly Span[], join: (lines: readonly Buffer[]) => Buffer): Buffer {
    const lines = spans.map((span) => Buffer.from(this.read(span)));
    return actAsPlanned(
      () => join(lines),
      () => this.isAsPlanned(),
      () => this.changed(),
    );
  }

  /** Returns whether it is the file that was read before, and no shorter: the rest is asked at the end. */
  mayBePlanned(): boolean {
    const { stamp, sum } = this.#source;
    const { dev, ino, size } = getStampSync(this.#fd);
    const isSameFile = dev === stamp.dev && ino === stamp.ino;
    return isSameFile && (sum ? size >= stamp.size : size === stamp.size);
  }

  /** Returns whether it is as it was read before, but for what was appended where that may be. */
  isAsPlanned(): boolean {
    const { stamp, sum } = this.#source;
    if (isSameState(getStampSync(this.#fd), stamp)) return true;
    return sum !== undefined && this.mayBePlanned() && sum.isPrefixOf(this.#fd);
  }

  close(): void {
    this.#ahead.close();
    closeSync(this.#fd);
  }

  changed(): FileError {
    return changedError(this.#source.path, ': try again');
  }
}
