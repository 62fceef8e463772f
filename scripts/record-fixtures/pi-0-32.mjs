/** 0.32.3 writes v2: entries with ids, extension messages with the role `hookMessage`. */
import { SessionManager } from '../../test/conformance/reference/node_modules/pi-0.32.3/dist/core/session-manager.js';
import {
  assistant,
  bashExecution,
  EDIT_GRAFTING,
  extensionMessage,
  READ_GRAFTING,
  READ_README,
  start,
  summary,
  turn,
  user,
} from './messages.mjs';

export const release = '0.32.3';

export const recordings = {
  'hook-messages': (dir) => {
    const { session, say } = start(SessionManager, dir);
    say(extensionMessage('hookMessage', 'weather', 'Frost tonight.', { details: { low: -3 } }));
    session.appendCustomEntry('weather', { lastAsked: '2026-03-02' });
    turn(say, 'Is it in the README?', READ_README);
    session.appendCustomMessageEntry('weather', [{ type: 'text', text: 'It thaws.' }], false);
    say(bashExecution('cat secrets.env', 'PASSPHRASE=pear', { excludeFromContext: true }));
    say(extensionMessage('hookMessage', 'weather', 'Clear sky.', { display: false }));
    say(assistant(['Then we can graft tomorrow.']));
    return session.getSessionFile();
  },

  'branches-and-labels': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [question, , , answer] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    session.appendLabelChange(answer, 'the reason');
    session.appendLabelChange(question, 'start');
    turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    session.branch(answer);
    turn(say, 'Is it in the README?', READ_README);
    session.appendLabelChange(question, undefined);
    session.resetLeaf();
    say(user('Another beginning.'));
    say(assistant(['I am listening.']));
    return session.getSessionFile();
  },

  compaction: (dir) => {
    const { session, say } = start(SessionManager, dir);
    session.appendModelChange('anthropic', 'claude-sonnet-4-5');
    session.appendThinkingLevelChange('medium');
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    const [kept] = turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    const details = { readFiles: ['src/grafting.ts'], modifiedFiles: [] };
    const text = summary('A testable graft()', 'Read graft()', 'Hand the time in');
    session.appendCompaction(text, kept, 4120, details, false);
    say(user('Go on.'));
    say(assistant(['Done.']));
    return session.getSessionFile();
  },

  'branch-summaries': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [, , , answer] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    const details = { readFiles: [], modifiedFiles: ['src/grafting.ts'] };
    session.branchWithSummary(answer, 'The time was made an argument.', details, false);
    say(user('Try it with a clock instead.'));
    say(assistant(['A clock object, then.']));
    session.branchWithSummary(null, 'Two ways to hand the time in.', undefined, true);
    turn(say, 'Is it in the README?', READ_README);
    return session.getSessionFile();
  },

  'fork-cut-by-label': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [, , , answer] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    session.appendLabelChange(answer, 'the reason');
    const [, , , end] = turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    return session.createBranchedSession(end);
  },
};
