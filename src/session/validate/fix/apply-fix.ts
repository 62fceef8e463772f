import { appendLines } from '../../jsonl/write/append-file.ts';
import { flush, NOTHING_FLUSHED } from '../../jsonl/files/flush.ts';
import type { Line } from '../../jsonl/read/line-splitter.ts';
import { parseLine } from '../../jsonl/read/parse-line.ts';
import type { FileStamp } from '../../jsonl/read/read-lines.ts';
import { type Replaced, replaceFile } from '../../jsonl/write/replace-file.ts';
import type { LineTransform } from '../../jsonl/write/line-transform.ts';
import type { Rule } from '../../dialect/rule.ts';
import type { Repairs } from './repairs.ts';
import { LineRepairer, type Repair } from './line-repairer.ts';
import { formatRejected, type RejectedBytes } from './rejected.ts';
import { getRejectedPath } from '../../model/sidecar.ts';

interface ApplyFixOptions {
  /** The rules that are fixed. */
  readonly rules: readonly Rule[];
  readonly repairs: Repairs;
  /** The state in which the file was planned. */
  readonly stamp: FileStamp;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

const LF = Buffer.from('\n');

/**
 * Repairs a file in place. What is taken out of it is on the disk, in `<file>.rejected`, before the
 * file changes; if the file then cannot be replaced, it is kept there, and added again by the next run.
 * @throws FileError if it cannot be replaced, or has changed since it was planned.
 */
export async function applyFix(path: string, options: ApplyFixOptions): Promise<Replaced> {
  const taken: RejectedBytes[] = [];
  return await replaceFile(
    path,
    toTransform(new LineRepairer(options.rules, options.repairs), taken),
    {
      planned: options.stamp,
      signal: options.signal,
      async beforeCommit() {
        const pieces = taken.splice(0);
        if (pieces.length === 0) return NOTHING_FLUSHED;
        const rejected = getRejectedPath(path);
        await appendLines(rejected, formatRejected(pieces, path, options.now()));
        return flush([rejected]);
      },
    },
  );
}

function toTransform(repairer: LineRepairer, taken: RejectedBytes[]): LineTransform {
  return (line) => {
    const repair = repairer.repair(line, parseLine(line));
    if (!repair) return undefined;
    for (const { start, end, rule } of repair.taken) {
      // The line's own bytes are valid only now.
      const bytes = Buffer.from(line.bytes.subarray(start, end));
      const byteOffset = line.offset + start;
      taken.push({ line: line.number, byteOffset, length: bytes.length, rule, bytes });
    }
    return toBytes(line, repair);
  };
}

function toBytes(line: Line, { kept }: Repair): Buffer[] {
  return kept.flatMap(({ start, end, terminated, bytes: moved }) => {
    const bytes = moved ?? line.bytes.subarray(start, end);
    return terminated ? [bytes, LF] : [bytes];
  });
}
