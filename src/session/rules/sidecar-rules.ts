import type { Rule } from '../dialect/rule.ts';

/** Checks nothing of a session: these are found in a store, and what looks through stores reports them. */
const check: Rule['check'] = () => ({});

/** Sidecars of a session that no longer exists. */
export const sidecarOrphaned: Rule = {
  id: 'sidecar-orphaned',
  level: 'warning',
  fixable: false,
  summary: 'sidecars of a session that is gone, in a store that was searched',
  help:
    'Agents keep outputs, earlier states of files, tasks and sub-agents beside their sessions. ' +
    'The clean-up of older releases leaves them behind, and so does the removal of a session file ' +
    'by hand. Nothing needs them. `coppice prune --orphans` removes them.',
  check,
};

/** A note that a killed process has left. */
export const staleNote: Rule = {
  id: 'note-stale',
  level: 'info',
  fixable: false,
  summary: 'a note that a process has a session open, without such a process',
  help:
    'While it runs, the agent records which session it has open. A process that was killed leaves ' +
    'such a note behind. The note does no harm, and the agent removes it by itself. Do not copy ' +
    'the files beside it: some are keys.',
  check,
};
