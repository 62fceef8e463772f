import { getNumber, type JsonObject, toTime } from '../../../jsonl/edit/json.ts';
import { getMessage } from '../format.ts';

/**
 * Times for the entries of an array, of which some have none: then that of their message, or else that of
 * the entry before, so that the order is kept. To be asked about the header and every entry, in order.
 */
export class NeighbourTimes {
  #last = Number.NaN;

  /** In milliseconds; NaN while no time was seen. */
  next(value: JsonObject): number {
    const message = getMessage(value);
    const spoken = new Date((message && getNumber(message, 'timestamp')) ?? Number.NaN).getTime();
    const times = [toTime(value['timestamp']), spoken];
    this.#last = times.find((time) => !Number.isNaN(time)) ?? this.#last;
    return this.#last;
  }
}
