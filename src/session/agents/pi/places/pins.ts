import { basename, dirname, join } from 'node:path';
import { PINNED, type PinDialect, readPinnedIds } from '../../../dialect/surroundings/pins.ts';

/** The sessions that a user of oh-my-pi has pinned (`src/session/session-pins.ts` of 18.3.4): beside all sessions. */
export const pins: PinDialect = {
  findPlace(path) {
    const store = dirname(dirname(path));
    return basename(store) === 'sessions' ? join(dirname(store), 'session-pins.json') : undefined;
  },
  read(place, files) {
    const ids = readPinnedIds(place, files);
    return (id) => (ids.has(id) ? { pin: PINNED } : {});
  },
};
