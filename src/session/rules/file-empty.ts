import type { Rule } from '../dialect/rule.ts';

/** Reported by the validator itself: an empty file belongs to no agent, and has no lines. */
export const emptyFile: Rule = {
  id: 'file-empty',
  level: 'warning',
  fixable: false,
  summary: 'a session file without a single line',
  help:
    'A crash or a full disk while the session was created leaves such a file, and so did Claude Code ' +
    '2.0.56 beside a session. It holds nothing: remove it by hand.',
  check: () => ({}),
};
