import { basename, dirname, join } from 'node:path';
import { PINNED, type PinDialect, readPinnedIds } from '../../../dialect/surroundings/pins.ts';

/**
 * The sessions that a user of oh-my-pi has pinned (`src/session/session-pins.ts` of 18.3.4), in the agent's own
 * directory: beside all sessions, unless these are in a data directory by XDG (of the same profile: `DirResolver` of
 * pi-utils 18.2.9), or in one that the user has named (`--session-dir`, PI_CODING_AGENT_SESSION_DIR).
 */
export const pins: PinDialect = {
  listPlaces(directory, { home }) {
    const store = dirname(directory);
    const data = dirname(store);
    const isBeside = basename(store) === 'sessions';
    const isOwn = isBeside && basename(data) === 'agent';
    const own = findAgentDirectory(data, home);
    return [...(isBeside ? [data] : []), ...(isOwn ? [] : [own])].map((at) =>
      join(at, 'session-pins.json'),
    );
  },
  read(place, files) {
    const ids = readPinnedIds(place, files);
    return (id) => (ids.has(id) ? { pin: PINNED } : {});
  },
};

/** Finds the agent's own directory for a data directory: `<data>/omp/profiles/<name>`, or any other. */
function findAgentDirectory(data: string, home: string): string {
  const profiles = dirname(data);
  const isProfile = basename(profiles) === 'profiles' && basename(dirname(profiles)) === 'omp';
  return isProfile
    ? join(home, '.omp/profiles', basename(data), 'agent')
    : join(home, '.omp/agent');
}
