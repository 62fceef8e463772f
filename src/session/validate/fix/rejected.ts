import { isUtf8 } from 'node:buffer';
import { toIso } from '../../jsonl/edit/json.ts';

/** A part that a repair takes out of a file. */
export interface Rejected {
  /** 1-based, in the file before the repair. */
  readonly line: number;
  /** Bytes from the start of the file before the repair. */
  readonly byteOffset: number;
  readonly length: number;
  /** The rule that it broke. */
  readonly rule: string;
}

export interface RejectedBytes extends Rejected {
  readonly bytes: Buffer;
}

/** JSON text takes up to six times the bytes; a string must not get too long. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * One JSON line, with its LF, for every piece: `{path, line, byteOffset, rule, time}` and its bytes
 * as `text`, or as `base64` when they are not UTF-8. A long piece takes several lines.
 */
export function* formatRejected(
  pieces: readonly RejectedBytes[],
  path: string,
  time: number,
): Generator<Buffer> {
  for (const { line, byteOffset, rule, bytes } of pieces) {
    for (let at = 0; at < bytes.length; at += MAX_BYTES) {
      const part = bytes.subarray(at, at + MAX_BYTES);
      const place = { path, line, byteOffset: byteOffset + at, rule, time: toIso(time) };
      const kept = isUtf8(part)
        ? { text: part.toString('utf8') }
        : { base64: part.toString('base64') };
      yield Buffer.from(`${JSON.stringify({ ...place, ...kept })}\n`);
    }
  }
}
