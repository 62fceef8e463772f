/** 0.30.2 writes v1: a plain list, and compactions that count entries. */
import { findCutPoint } from '../../test/conformance/reference/node_modules/pi-0.30.2/dist/core/compaction.js';
import { SessionManager } from '../../test/conformance/reference/node_modules/pi-0.30.2/dist/core/session-manager.js';
import {
  assistant,
  bashExecution,
  CWD,
  EDIT_GRAFTING,
  image,
  READ_GRAFTING,
  READ_README,
  summary,
  thinking,
  toolCall,
  toolResult,
  turn,
  usage,
  user,
  WRITE_TEST,
} from './messages.mjs';

export const release = '0.30.2';

export const recordings = {
  'every-message': (dir) => {
    const { session, say } = start(dir);
    session.saveModelChange('anthropic', 'claude-sonnet-4-5');
    session.saveThinkingLevelChange('medium');
    say(user('What is on this label?', image()));
    say(assistant([thinking('A pear, by the shape.'), 'A pear, of the variety Conference.']));
    say(bashExecution('ls src', 'grafting.ts\nharvest.ts\n'));
    say(bashExecution('npm test', '', { exitCode: null, cancelled: true }));
    session.saveThinkingLevelChange('high');
    session.saveModelChange('openai', 'gpt-5.1-codex');
    say(user('Show me the shed.'));
    say(
      assistant([toolCall('call_1', 'read', { path: 'shed.png' }), toolCall('call_2', 'ls', {})]),
    );
    say(toolResult('call_1', 'read', ['Read image file', image()], { details: { width: 1 } }));
    say(toolResult('call_2', 'ls', 'no such tool: ls', { isError: true }));
    say(assistant(['It needs a roof.'], { provider: 'openai', model: 'gpt-5.1-codex' }));
    return session.getSessionFile();
  },

  interrupted: (dir) => {
    const { session, say } = start(dir);
    const nothing = usage(0, 0);
    say(user('Rename every module.'));
    say(assistant([toolCall('call_1', 'bash', { command: 'git mv src lib' })]));
    say(user('Stop, that is not what I meant.'));
    say(assistant([], { stopReason: 'aborted', usage: nothing }));
    say(user('Go on.'));
    const errorMessage = '529 overloaded_error';
    say(assistant([], { stopReason: 'error', errorMessage, usage: nothing }));
    say(user('And now?'));
    say(assistant(['I am here.'], { stopReason: 'length' }));
    return session.getSessionFile();
  },

  'two-compactions': (dir) => {
    const { session, say } = start(dir);
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    compact(session, 60, summary('A testable graft()', 'Read graft()', 'Hand the time in'));
    turn(say, 'Write a test for it.', WRITE_TEST);
    session.saveThinkingLevelChange('low');
    turn(say, 'Is it in the README?', READ_README);
    compact(session, 60, summary('A testable graft()', 'Wrote the test', 'Update the README'));
    say(user('Thank you.'));
    say(assistant(['You are welcome.']));
    return session.getSessionFile();
  },

  'compaction-from-header': (dir) => {
    const { session, say } = start(dir);
    session.saveThinkingLevelChange('off');
    turn(say, 'Is it in the README?', READ_README);
    compact(session, 20000, summary('Know the README', 'Read it', 'Add grafting to it'));
    say(user('Add it.'));
    say(assistant(['Added.']));
    return session.getSessionFile();
  },

  'branched-from': (dir) => {
    const { session, say } = start(dir);
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    const before = session.getEntries().length;
    say(user('Never mind.'));
    const branch = session.createBranchedSessionFromEntries(session.getEntries(), before);
    const branched = SessionManager.open(branch);
    branched.saveMessage(user('Then hand the time in.'));
    branched.saveMessage(assistant(['Done.']));
    return branch;
  },
};

function start(dir) {
  const session = SessionManager.create(CWD, dir);
  return { session, say: (message) => session.saveMessage(message) };
}

/** As pi's own `compact()` does, but for the model's part. */
function compact(session, keepRecentTokens, text) {
  const entries = session.getEntries();
  const from = entries.findLastIndex((entry) => entry.type === 'compaction') + 1;
  const { firstKeptEntryIndex } = findCutPoint(entries, from, entries.length, keepRecentTokens);
  const timestamp = new Date().toISOString();
  session.saveCompaction({
    type: 'compaction',
    timestamp,
    summary: text,
    firstKeptEntryIndex,
    tokensBefore: 3712,
  });
}
