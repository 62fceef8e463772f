import { toHeaderPlace } from '../../../rules/place.ts';
import type { Rule } from '../../../dialect/rule.ts';

/** A fork of a session that is no longer there. */
export const parentMissing: Rule = {
  id: 'parent-missing',
  level: 'info',
  fixable: false,
  summary: 'a parent session that does not exist',
  help:
    'The header names the session that this one was forked from. That was removed, or moved with ' +
    'its project: it is not at its path, and no file has its name beside the fork or in a project of ' +
    'its name beside that of the fork. The fork is complete without it; only the lineage cannot be ' +
    'followed. `coppice migrate --cwd <old>=<new>` corrects the path after a move.',
  check: (report) => ({
    session({ session, parentSessionExists }) {
      if (parentSessionExists !== false) return;
      report(toHeaderPlace(session.header), 'the session it was forked from does not exist');
    },
  }),
};
