import { basename, dirname, join } from 'node:path';
import type { PinDialect } from '../../../dialect/surroundings/pins.ts';
import { isArray, parseJson } from '../../../jsonl/edit/json.ts';

/** The sessions that a user of oh-my-pi has pinned, by their ids: beside the directory of all sessions. */
export const pins: PinDialect = {
  findFile(path) {
    const store = dirname(dirname(path));
    return basename(store) === 'sessions' ? join(dirname(store), 'session-pins.json') : undefined;
  },
  read(text) {
    const value = parseJson(text);
    if (!isArray(value)) return undefined;
    const ids = value.filter((one) => typeof one === 'string');
    return ids.length === value.length ? new Set(ids) : undefined;
  },
};
