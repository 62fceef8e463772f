/** 0.87.1 writes v3 as of today: system messages, usage, context edits, checkpoints. */
import {
  computeFileLists,
  formatFileOperations,
  prepareCompaction,
} from '../../test/conformance/reference/node_modules/@earendil-works/pi-coding-agent/dist/core/compaction/index.js';
import { SessionManager } from '../../test/conformance/reference/node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js';
import { later } from './determinism.mjs';
import {
  assistant,
  bashExecution,
  CWD,
  EDIT_GRAFTING,
  extensionMessage,
  image,
  OTHER_CWD,
  READ_GRAFTING,
  READ_README,
  start,
  summary,
  text,
  thinking,
  toolCall,
  toolResult,
  turn,
  usage,
  user,
  WRITE_TEST,
} from './messages.mjs';

export const release = '0.87.1';

const MODEL = ['anthropic', 'claude-sonnet-4-5'];

export const recordings = {
  'every-message': (dir) => {
    const { session, say } = start(SessionManager, dir);
    say(system({ sections: { preamble: 'You keep an orchard.' }, toolsAdded: [tool('read')] }));
    say({ ...user(), content: 'What is on this label?' });
    say(assistant([{ ...thinking(''), redacted: true }, 'Which label?']));
    say(user('This one.', image(), 'It fell off.'));
    say(assistant([thinking('A pear, by the shape.'), 'A pear.'], { responseModel: 'sonnet' }));
    say(bashExecution('ls src', 'grafting.ts\nharvest.ts\n'));
    say(bashExecution('cat secrets.env', 'PASSPHRASE=pear', { excludeFromContext: true }));
    const fullOutputPath = '/tmp/pi-bash-1.log';
    const cut = { exitCode: undefined, cancelled: true, truncated: true, fullOutputPath };
    say(bashExecution('npm test', '…', cut));
    say(extensionMessage('custom', 'weather', [text('Frost tonight.')], { details: { low: -3 } }));
    say(user('Show me the shed.'));
    const calls = [toolCall('call_1', 'read', { path: 'shed.png' }), toolCall('call_2', 'ls', {})];
    say(assistant([...calls, { ...toolCall('call_3', 'delegate', {}), namespace: 'barn' }]));
    say(toolResult('call_1', 'read', ['Read image file', image()], { details: { width: 1 } }));
    say(toolResult('call_2', 'ls', 'no such tool: ls', { isError: true }));
    const nestedCalls = [toolCall('call_4', 'write', { path: 'roof.txt', content: 'slate' })];
    say(toolResult('call_3', 'delegate', 'Done.', { usage: usage(90, 12), nestedCalls }));
    say(assistant(['The roof is of slate now.'], { responseId: 'msg_01' }));
    return session.getSessionFile();
  },

  interrupted: (dir) => {
    const { session, say } = start(SessionManager, dir);
    say(user('Rename every module.'));
    say(assistant([toolCall('call_1', 'bash', { command: 'git mv src lib' })]));
    say(user('Stop, that is not what I meant.'));
    say(assistant(['I'], { stopReason: 'aborted', usage: usage(12, 1, 3100) }));
    say(user('Go on.'));
    const overloaded = { stopReason: 'error', errorMessage: '529 overloaded_error' };
    say(assistant([], { ...overloaded, usage: usage(0, 0) }));
    say(assistant([], { ...overloaded, usage: usage(3000, 0) }));
    say(assistant(['I am here, but'], { stopReason: 'length' }));
    session.appendModelChange('openai', 'gpt-5.1-codex');
    session.appendThinkingLevelChange('xhigh');
    return session.getSessionFile();
  },

  'system-messages': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const sections = { preamble: 'You keep an orchard.', tools: 'Use read.', cwd: CWD };
    say(system({ sections, toolsAdded: [tool('read'), tool('edit')] }));
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    say(system({ sections: { tools: null, skills: '<skills>pruning</skills>' } }));
    say(system({ toolsAdded: [tool('write')], toolsRemoved: [{ name: 'edit' }] }));
    turn(say, 'Write a test for it.', WRITE_TEST);
    compact(session, 60, summary('A testable graft()', 'Wrote a test', 'Hand the time in'));
    say(system({ content: 'The time is handed in.', sections: { cwd: OTHER_CWD } }));
    turn(say, 'Is it in the README?', READ_README);
    return session.getSessionFile();
  },

  'context-edits': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [question, , result, answer] = turn(say, 'Is it in the README?', READ_README);
    session.appendContextEdit(result, { content: '[result dropped]' });
    session.appendContextEdit(answer, { content: [text('No.')] });
    session.appendContextEdit(question, { content: 'README?' });
    const note = session.appendCustomMessageEntry('weather', 'Frost tonight.', true);
    session.appendContextEdit(note, { content: 'Frost.' });
    const failed = say(assistant([], { stopReason: 'error', errorMessage: 'socket closed' }));
    session.appendContextEdit(failed, null);
    session.appendContextEdit(result, null);
    session.appendContextEdit(question, null);
    session.appendContextEdit(question, { content: [text('Is grafting in the README?')] });
    session.branch(failed);
    say(user('And in the changelog?'));
    session.appendContextEdit(answer, null);
    say(assistant(['Neither.']));
    return session.getSessionFile();
  },

  compactions: (dir) => {
    const { session, say } = start(SessionManager, dir);
    const goal = 'A testable graft()';
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    compact(session, 60, summary(goal, 'Read graft()', 'Hand the time in'));
    turn(say, 'Write a test for it.', WRITE_TEST);
    compact(session, 45, summary(goal, 'Handed the time in', 'Write a test'));
    turn(say, 'Is it in the README?', READ_README);
    session.appendThinkingLevelChange('low');
    const kept = say(user('Add it.'));
    const state = { artifacts: ['README.md'] };
    session.appendCompaction('By an extension.', kept, 5100, state, true, usage(900, 80));
    say(assistant(['Added.']));
    return session.getSessionFile();
  },

  'compaction-keeps-nothing': (dir) => {
    const { session, say } = start(SessionManager, dir);
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    session.appendCompaction('graft() takes its time from the clock.', null, 4120);
    turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    session.appendCompaction('The time is handed in.', null, 4300, { readFiles: [] }, false);
    return session.getSessionFile();
  },

  'branches-and-summaries': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [question, , , answer] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    for (const idea of ['a clock', 'an argument', 'a wrapper']) {
      session.branch(answer);
      const asked = say(user(`What about ${idea}?`));
      say(assistant([`With ${idea} it would be easy.`]));
      session.branch(asked);
      say(assistant([`On second thought, ${idea} is not needed.`]));
    }
    const details = { readFiles: ['src/grafting.ts'], modifiedFiles: [] };
    session.branchWithSummary(answer, 'Three ideas.', details, false, usage(700, 60));
    say(user('Let us take the argument.'));
    session.appendLabelChange(question, 'start');
    session.appendLabelChange(answer, 'the reason');
    session.appendLabelChange(question, undefined);
    session.branchWithSummary(null, 'graft() will take an argument.', undefined, true);
    say(assistant(['A fresh start.']));
    session.resetLeaf();
    turn(say, 'Is it in the README?', READ_README);
    session.appendLabelChange(question, 'the first start');
    return session.getSessionFile();
  },

  'extension-state': (dir) => {
    const { session, say } = start(SessionManager, dir);
    session.appendCustomEntry('weather', { asked: 1, low: -3 });
    turn(say, 'Is it in the README?', READ_README);
    session.appendCustomEntry('weather', { asked: 2, low: -1 });
    session.appendCustomMessageEntry('weather', [text('The yard now:'), image()], true, { at: 9 });
    session.appendCustomEntry('todo');
    session.appendUsage('cache_warm', ...MODEL, usage(0, 0, 3100), 'extension override');
    session.appendUsage('my-extension', 'local', 'tiny', usage(10, 2));
    session.appendCustomMessageEntry('weather', 'Hidden frost.', false);
    session.appendCustomEntry('weather', { asked: 3, low: 2 });
    say(assistant(['It thaws.']));
    return session.getSessionFile();
  },

  names: (dir) => {
    const { session, say } = start(SessionManager, dir);
    session.appendSessionInfo('  Grafting,\nfirst try ');
    turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    session.appendSessionInfo('Grafting – 接ぎ木 🌳');
    session.appendSessionInfo('');
    return session.getSessionFile();
  },

  'fork-at-entry': (dir) => {
    const { session, say } = start(SessionManager, dir);
    const [question, , , answer] = turn(say, 'Why is graft() hard to test?', READ_GRAFTING);
    const label = session.appendLabelChange(answer, 'the reason');
    turn(say, 'Then hand the time in.', EDIT_GRAFTING);
    session.appendLabelChange(question, 'start');
    session.appendCompaction('graft() takes its time from the clock.', label, 4120);
    const end = say(user('Go on.'));
    say(assistant(['Not in the fork.']));
    session.appendLabelChange(answer, 'why');
    return session.createBranchedSession(end);
  },

  'forked-v1-under-v3-header': (dir, recorded) =>
    forkWhole(recorded.get('0.30.2-two-compactions'), dir),

  'forked-v2-under-v3-header': (dir, recorded) =>
    forkWhole(recorded.get('0.32.3-hook-messages'), dir),
};

function system(fields) {
  return { role: 'system', content: '', ...fields, timestamp: later(1) };
}

function tool(name) {
  const parameters = { type: 'object', properties: { path: { type: 'string' } } };
  return { name, description: `The ${name} tool.`, parameters };
}

/** As pi's own `/compact` does, but for the model's part. */
function compact(session, keepRecentTokens, words) {
  const settings = { enabled: true, reserveTokens: 16384, keepRecentTokens };
  const prepared = prepareCompaction(session.getBranch(), settings);
  const files = computeFileLists(prepared.fileOps);
  session.appendCompaction(
    words + formatFileOperations(files.readFiles, files.modifiedFiles),
    prepared.firstKeptEntryId,
    prepared.tokensBefore,
    files,
    false,
    usage(800, 150),
  );
}

function forkWhole(source, dir) {
  return SessionManager.forkFrom(source, OTHER_CWD, dir).getSessionFile();
}
