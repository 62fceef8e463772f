import { getNumber, type JsonObject, toTime } from '../../../jsonl/edit/json.ts';
import { parseLine } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { StartFinder } from '../../../dialect/migration.ts';
import { getMessage } from '../format.ts';

/** The time of a line itself, else that of its message, in milliseconds; NaN where it has none. */
function getOwnTime(value: JsonObject): number {
  const own = toTime(value['timestamp']);
  if (!Number.isNaN(own)) return own;
  const message = getMessage(value);
  return new Date((message && getNumber(message, 'timestamp')) ?? Number.NaN).getTime();
}

/**
 * Times for the lines of an array, of which some have none: then that of the line before, so that the
 * order is kept. To be asked about the header and every entry, in order.
 */
export class NeighbourTimes {
  /** The first time that a line has; undefined while none has. */
  first: number | undefined;
  #last: number;

  /** `start`: the time of lines before the first that has one, in milliseconds. */
  constructor(start: number) {
    this.#last = start;
  }

  /** Returns milliseconds; NaN while no time is known. */
  next(value: JsonObject): number {
    const own = getOwnTime(value);
    if (!Number.isNaN(own)) {
      this.first ??= own;
      this.#last = own;
    }
    return this.#last;
  }
}

/** Finds the first time in an array: that of the lines before it. */
export class PiStartFinder implements StartFinder {
  time = Number.NaN;

  readonly visit = (line: Line): void => {
    if (!Number.isNaN(this.time)) return;
    const content = parseLine(line);
    if (content.kind === 'object') this.time = getOwnTime(content.value);
  };
}
