import { basename, dirname, join } from 'node:path';
import type { LeaseDialect } from '../../../dialect/surroundings/liveness.ts';

/** The time at the beginning of a file's name, and the id of the session. */
const SESSION_FILE = /^\d{4}-\d\d-\d\dT[\d-]{1,20}Z_(.{1,200})\.jsonl$/;

/**
 * A process of oh-my-pi takes a lock on a session when it first writes to it, and keeps that until it leaves the
 * session or ends: since 18.5.0 by the id of the session (`getSessionOwnersDir`), and in 18.4.9 by its path.
 */
export const leases: LeaseDialect = {
  // A terminal has variables that a job at night lacks.
  listHomes: ({ env, home }) => {
    const { PI_CONFIG_DIR: own = '', XDG_STATE_HOME: state = '' } = env;
    const roots = [join(home, own || '.omp'), join(home, '.omp')];
    const states = [state, join(home, '.local/state')].filter((one) => one !== '');
    return [...new Set([...roots, ...states.map((one) => join(one, 'omp'))])];
  },
  listLocks(home, path) {
    const name = basename(path);
    const [, id] = SESSION_FILE.exec(name) ?? [];
    const byPath = join(dirname(path), `.${name}.owner.lock`);
    return id === undefined ? [byPath] : [join(home, 'run/session-owners', `${id}.lock`), byPath];
  },
};
