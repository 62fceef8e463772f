import { basename, dirname, join } from 'node:path';
import { PINNED, type PinDialect, readPinnedIds } from '../../../dialect/surroundings/pins.ts';

/**
 * The sessions that a user of oh-my-pi has pinned (`src/session/session-pins.ts` of 18.3.4): beside all sessions. Where
 * these are in a data directory by XDG, the list remains in the agent's own, of the same profile
 * (`DirResolver` of pi-utils 18.2.9).
 */
export const pins: PinDialect = {
  listPlaces(path, home) {
    const store = dirname(dirname(path));
    if (basename(store) !== 'sessions') return [];
    const data = dirname(store);
    const own = findAgentDirectory(data, home);
    return [data, ...(own === undefined ? [] : [own])].map((at) => join(at, 'session-pins.json'));
  },
  read(place, files) {
    const ids = readPinnedIds(place, files);
    return (id) => (ids.has(id) ? { pin: PINNED } : {});
  },
};

/** Finds the agent's own directory for a data directory: `<data>/omp`, or `<data>/omp/profiles/<name>`. */
function findAgentDirectory(data: string, home: string): string | undefined {
  if (basename(data) === 'omp') return join(home, '.omp/agent');
  const profiles = dirname(data);
  const isProfile = basename(profiles) === 'profiles' && basename(dirname(profiles)) === 'omp';
  return isProfile ? join(home, '.omp/profiles', basename(data), 'agent') : undefined;
}
