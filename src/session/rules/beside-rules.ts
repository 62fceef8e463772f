import type { Rule } from '../dialect/rule.ts';

/** Found in a store and not in a session: what looks through stores reports them. */
const check: Rule['check'] = () => ({});

/** Sidecars of a session that no longer exists. */
export const sidecarOrphaned: Rule = {
  id: 'sidecar-orphaned',
  level: 'warning',
  fixable: false,
  summary: 'files that belong to a session which is gone, in a store that was searched',
  help:
    'Beside their sessions, agents keep outputs, earlier states of files, tasks and sub-agents. The clean-up ' +
    'of older releases leaves them behind, and so does a session file that is removed by hand. Nothing needs ' +
    'them. `coppice prune --orphans` removes them.',
  check,
};

/** A note that a killed process has left. */
export const noteStale: Rule = {
  id: 'note-stale',
  level: 'info',
  fixable: false,
  summary: 'a note that a process has a session open, without such a process',
  help:
    'While it runs, the agent notes down which session it has open. Such a note without its process is ' +
    'what a killed one has left. It keeps nothing from working; the agent clears it away by itself. ' +
    'Do not copy what is beside it: keys are.',
  check,
};
