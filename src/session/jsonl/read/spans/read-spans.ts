import { closeSync } from 'node:fs';
import { FileError } from '../../../../errors.ts';
import { toFileError } from '../../files/file-error.ts';
import { isCompressed } from '../../zstd/is-compressed.ts';
import { MemoryWatch } from '../memory-watch.ts';
import { openForReading } from '../open-for-reading.ts';
import { PackedSpans } from './packed-spans.ts';
import { ReadAhead, type Span } from '../chunks/read-ahead.ts';
import { takeTurn } from '../chunks/take-turn.ts';

export type { Span } from '../chunks/read-ahead.ts';

/** A stretch of the file that was opened, or of another one. */
export interface FileSpan extends Span {
  readonly file?: string | undefined;
}

/** Reads single lines of a file again, by where they are. */
export interface SpanReader {
  /**
   * Returns what `use` makes of the bytes, which are valid only during its call.
   * @throws FileError if they cannot be read or are not there; whatever `use` throws.
   */
  read<T>(span: FileSpan, use: (bytes: Buffer) => T): Promise<T>;
  /** Closes the file; call this once. */
  close(): void;
}

/**
 * Opens a file, read-only, for reading what an index says is in it; of a compressed one, in its text,
 * where spans that are asked for in the order of the file are read in one pass.
 * @throws FileError if it cannot be opened.
 */
export function openSpans(path: string): SpanReader {
  const readers = new Map([[path, openFile(path)]]);
  return {
    read(span, use) {
      const file = span.file ?? path;
      const reader = readers.get(file) ?? openFile(file);
      readers.set(file, reader);
      return reader.read(span, use);
    },
    close() {
      for (const reader of readers.values()) reader.close();
    },
  };
}

function openFile(path: string): SpanReader {
  if (isCompressed(path)) return openPackedSpans(path);
  const { fd } = translate(path, () => openForReading(path));
  const ahead = new ReadAhead(fd);
  const memory = new MemoryWatch(path, 'bodies');
  return {
    async read(span, use) {
      memory.add(span.length);
      await takeTurn(span.length, undefined);
      const bytes = translate(path, () => ahead.read(span));
      if (!bytes) throw new FileError(path, 'ECHANGED', 'was cut short while it was read');
      return use(bytes);
    },
    close() {
      ahead.close();
      translate(path, () => closeSync(fd));
    },
  };
}

function openPackedSpans(path: string): SpanReader {
  const spans = new PackedSpans(path);
  const memory = new MemoryWatch(path, 'bodies');
  return {
    async read(span, use) {
      memory.add(span.length);
      await takeTurn(span.length, undefined);
      const bytes = await spans.read(span);
      if (!bytes) throw new FileError(path, 'ECHANGED', 'was cut short while it was read');
      return use(bytes);
    },
    close: () => spans.close(),
  };
}

function translate<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}
