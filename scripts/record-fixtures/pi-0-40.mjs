/** 0.40.1 writes v3: extension messages have the role `custom`. */
import { SessionManager } from '../../test/conformance/reference/node_modules/pi-0.40.1/dist/core/session-manager.js';
import {
  assistant,
  EDIT_GRAFTING,
  extensionMessage,
  image,
  READ_GRAFTING,
  READ_README,
  start,
  summary,
  text,
  turn,
  user,
  WRITE_TEST,
} from './messages.mjs';

export const release = '0.40.1';

export const recordings = {
  'extension-messages': (dir) => {
    const { session, say } = start(SessionManager, dir);
    say(extensionMessage('custom', 'weather', 'Frost tonight.', { details: { low: -3 } }));
    session.appendCustomEntry('weather', { lastAsked: '2026-03-02' });
    turn(say, 'Is it in the README?', READ_README);
    session.appendCustomMessageEntry('weather', [text('The yard now:'), image()], true, { at: 9 });
    session.appendCustomEntry('weather');
    say(assistant(['It is dry.']));
    return session.getSessionFile();
  },

  'two-compactions': (dir) => {
    const { session, say } = start(SessionManager, dir);
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    const [first] = turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    const files = { readFiles: ['src/grafting.ts'], modifiedFiles: [] };
    const goal = 'A testable graft()';
    session.appendCompaction(summary(goal, 'Read graft()', 'Hand it in'), first, 4120, files);
    const [second] = turn(say, 'Write a test for it.', WRITE_TEST);
    const later = { readFiles: [], modifiedFiles: ['src/grafting.ts'] };
    session.appendCompaction(summary(goal, 'Handed it in', 'Test it'), second, 5230, later, true);
    turn(say, 'Is it in the README?', READ_README);
    return session.getSessionFile();
  },

  'nested-branches': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [question, , , answer] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    for (const idea of ['a clock', 'an argument', 'a wrapper']) {
      session.branch(answer);
      const asked = say(user(`What about ${idea}?`));
      say(assistant([`With ${idea} it would be easy.`]));
      session.branch(asked);
      say(assistant([`On second thought, ${idea} is not needed.`]));
    }
    session.branchWithSummary(question, 'Three ideas were weighed.', undefined, false);
    say(assistant(['Let us take the argument.']));
    return session.getSessionFile();
  },

  'fork-without-its-beginning': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const question = say(user('Why is graft() hard to test?'));
    say(assistant(['Because of the clock.']));
    const fork = SessionManager.open(session.createBranchedSession(question));
    fork.appendModelChange('openai', 'gpt-5.1-codex');
    fork.appendMessage(assistant(['It stamps the time itself.']));
    fork.appendMessage(user('Then hand the time in.'));
    return fork.getSessionFile();
  },
};
