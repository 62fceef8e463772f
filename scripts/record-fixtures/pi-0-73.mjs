/** 0.73.1 is the last release under the old package name: v3 with session names. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SessionManager } from '../../test/conformance/reference/node_modules/pi-0.73.1/dist/core/session-manager.js';
import {
  assistant,
  CWD,
  EDIT_GRAFTING,
  OTHER_CWD,
  READ_GRAFTING,
  READ_README,
  start,
  summary,
  turn,
  user,
} from './messages.mjs';

export const release = '0.73.1';

export const recordings = {
  names: (dir) => {
    const { session, say } = start(SessionManager, dir);
    session.appendSessionInfo('  Grafting,\nfirst try ');
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    session.appendSessionInfo('');
    turn(say, 'Is it in the README?', READ_README);
    session.appendSessionInfo('Grafting – 接ぎ木 🌳');
    return session.getSessionFile();
  },

  'roots-and-labels': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [first] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    session.appendLabelChange(first, 'start');
    session.appendLabelChange(first, 'the start');
    session.resetLeaf();
    const [second, , , answer] = turn(say, 'Is it in the README?', READ_README);
    session.appendLabelChange(second, 'readme');
    session.appendLabelChange(answer, 'answer');
    session.appendLabelChange(second, undefined);
    session.appendLabelChange(answer, '');
    session.branchWithSummary(first, 'The README was read.', { readFiles: ['README.md'] }, true);
    return session.getSessionFile();
  },

  'duplicate-header': (dir) => {
    const path = join(dir, 'chosen-by-hand.jsonl');
    writeFileSync(path, '');
    const session = SessionManager.open(path, dir, CWD);
    session.appendMessage(user('Why is graft() hard to test?'));
    session.appendMessage(assistant(['Because of the clock.']));
    session.appendMessage(user('Then hand the time in.'));
    return path;
  },

  'fork-cut-by-label': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [, , , answer] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    session.appendLabelChange(answer, 'the reason');
    const [, , , end] = turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    return session.createBranchedSession(end);
  },

  'fork-whole': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [, , , answer] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    say(user('Never mind.'));
    session.branch(answer);
    const [kept] = turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    const text = summary('A testable graft()', 'Read graft()', 'Hand the time in');
    session.appendCompaction(text, kept, 4120, { readFiles: [], modifiedFiles: [] }, false);
    const fork = SessionManager.forkFrom(session.getSessionFile(), OTHER_CWD, dir);
    fork.appendMessage(user('Do the same in this project.'));
    fork.appendMessage(assistant(['There is no graft() here.']));
    return fork.getSessionFile();
  },
};
