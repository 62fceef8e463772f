import { FileError } from '../../../errors.ts';
import type { Line } from '../read/line-splitter.ts';
import type { OutputBuffer } from './output-buffer.ts';

/** A part of what is written instead of a line: bytes, or text that becomes UTF-8. */
export type LinePart = Buffer | string;

/**
 * The replacement of a line: parts to be written one after another, LFs included; none to take the line out;
 * undefined to keep it. Bytes need be valid only until the next call.
 */
export type LineTransform = (line: Line) => Iterable<LinePart> | undefined;

/** Returns the reason not to copy a line of which only the beginning is held; undefined for any other line. */
export function findCopyFault({ oversized, number }: Line): string | undefined {
  return oversized ? `has a line too long to copy: line ${number}` : undefined;
}

/**
 * Writes a line of a file as it is to be.
 * @throws FileError for a line of which only the beginning is held.
 */
export function transformLine(
  output: OutputBuffer,
  path: string,
  line: Line,
  transform: LineTransform,
): void {
  const fault = findCopyFault(line);
  if (fault !== undefined) throw new FileError(path, 'EFBIG', fault);
  putLine(output, line, transform(line));
}

/** Writes what stands instead of a line, or the line as it is. */
export function putLine(
  output: OutputBuffer,
  { bytes, terminated }: Line,
  replacement: Iterable<LinePart> | undefined,
): void {
  if (replacement) {
    for (const part of replacement) output.add(part);
    return;
  }
  output.add(bytes);
  if (terminated) output.add('\n');
}

export function joinParts(parts: Iterable<LinePart>): Buffer {
  return Buffer.concat(
    Array.from(parts, (part) => (typeof part === 'string' ? Buffer.from(part) : part)),
  );
}
