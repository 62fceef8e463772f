/** Makes a home of sessions, each by the calls that oh-my-pi makes for what its user does. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const MODEL = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-sonnet-4-5' };
const USAGE = {
  input: 120,
  output: 30,
  cacheRead: 5,
  cacheWrite: 7,
  totalTokens: 162,
  cost: { input: 0.1, output: 0.2, cacheRead: 0.01, cacheWrite: 0.02, total: 0.33 },
};
/** Longer than what the agent keeps in a line. */
const IMAGE = {
  type: 'image',
  data: Buffer.alloc(3000, 7).toString('base64'),
  mimeType: 'image/png',
};
const TINY_IMAGE = { ...IMAGE, data: 'iVBORw0KGgo=' };
const RAN = { exitCode: 0, cancelled: false, truncated: false };

let clock = Date.UTC(2026, 1, 2);

function stamped(message) {
  clock += 1000;
  return { ...message, timestamp: clock };
}

function toBlock(one) {
  return typeof one === 'string' ? { type: 'text', text: one } : one;
}

function user(content) {
  return stamped({ role: 'user', content, attribution: 'user' });
}

function says(...blocks) {
  const content = blocks.map(toBlock);
  const stopReason = content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop';
  return stamped({ role: 'assistant', content, ...MODEL, usage: USAGE, stopReason });
}

function call(id, name, args) {
  return { type: 'toolCall', id, name, arguments: args };
}

function result(toolCallId, toolName, ...blocks) {
  const content = blocks.map(toBlock);
  return stamped({ role: 'toolResult', toolCallId, toolName, content, isError: false });
}

function say(manager, ...messages) {
  return messages.map((message) => manager.appendMessage(message));
}

function talk(manager, ...turns) {
  return turns.flatMap((turn) => say(manager, user(`${turn}?`), says(`${turn}.`)));
}

function useModes(one) {
  talk(one, 'modes');
  one.appendModeChange('plan', { planFilePath: 'plan.md' });
  one.appendServiceTierChange(null);
  one.appendTtsrInjection(['rule']);
  one.appendCredentialPin('anthropic', 'a'.repeat(64));
  one.appendCustomEntry('user_todo_edit', { phases: [] });
  one.appendCustomMessageEntry('skill-prompt', 'use this skill', true, { name: 'x' }, 'agent');
  const owner = { sessionId: one.getSessionId(), parentId: one.getLeafId() };
  one.appendModelUsage({ ...MODEL, purpose: 'title', usage: USAGE, stopReason: 'stop' }, owner);
  one.appendThinkingLevelChange();
  talk(one, 'later');
}

function useTools(one) {
  const thinking = { type: 'thinking', thinking: 'hm', thinkingSignature: 'sig' };
  say(
    one,
    user('read it'),
    says(thinking, call('c1', 'read', { path: 'a.ts' })),
    result('c1', 'read', 'one\n'.repeat(500)),
    says('done'),
    stamped({ role: 'bashExecution', command: 'ls', output: 'a.ts\n', ...RAN }),
    stamped({ role: 'developer', content: 'a hint', attribution: 'agent' }),
    stamped({ role: 'pythonExecution', code: '1+1', output: '2', ...RAN }),
    stamped({ role: 'fileMention', files: [{ path: 'a.ts', content: 'text', lineCount: 1 }] }),
  );
}

async function useSubAgent(one, { SessionManager, made, api }) {
  talk(one, 'sub-agents');
  await one.saveArtifact('long output', 'bash');
  await one.flush();
  const dir = one.getArtifactsDir();
  const path = join(dir, '0-Scout.jsonl');
  const options = { initialCwd: api, parentSession: one.getSessionFile() };
  const child = await SessionManager.open(path, undefined, undefined, options);
  child.appendSessionInit({ systemPrompt: 'You scout.', task: 'look around', tools: ['read'] });
  talk(child, 'a sub-agent');
  await child.close();
  writeFileSync(join(dir, '0-Scout.md'), 'what it found');
  made['sub-agent'] = path;
}

async function useForks(one, { SessionManager, made, web }) {
  const ids = talk(one, 'shared', 'only here');
  await one.setSessionName('The parent', 'user');
  await one.flush();
  const parent = one.getSessionFile();
  const branch = await SessionManager.open(parent);
  branch.createBranchedSession(ids[1]);
  talk(branch, 'in the branch');
  const whole = await SessionManager.open(parent);
  await whole.fork();
  const away = await SessionManager.forkFrom(parent, web);
  for (const [name, fork] of Object.entries({ branch, whole, away })) {
    await fork.flush();
    made[`fork: ${name}`] = fork.getSessionFile();
    await fork.close();
  }
}

/** The project of each session, and what happens in it. */
const SESSIONS = {
  plain: ['api', (one) => talk(one, 'plain', 'more')],
  elsewhere: ['other', (one) => talk(one, 'elsewhere')],
  'at home': ['home', (one) => talk(one, 'at home')],
  titled: [
    'api',
    async (one) => {
      talk(one, 'titled');
      await one.setSessionName('A title of its own', 'auto');
    },
  ],
  named: [
    'api',
    async (one) => {
      talk(one, 'named');
      await one.setSessionName('A first name', 'auto');
      await one.setSessionName('By its user: \u201cname\u201d', 'user', 'rename');
    },
  ],
  'long name': [
    'api',
    async (one) => {
      talk(one, 'long name');
      await one.setSessionName('n\u00e4me '.repeat(60), 'user');
    },
  ],
  'one question': [
    'api',
    async (one) => {
      say(one, user('no answer yet'));
      await one.ensureOnDisk();
    },
  ],
  draft: ['api', (one) => one.saveDraft('typed and not sent')],
  tools: ['web', useTools],
  'open call': [
    'web',
    (one) => {
      const calls = [call('c1', 'bash', { command: 'sleep 9' }), call('c2', 'read', { path: 'b' })];
      say(one, user('start it'), says('at once', ...calls), result('c1', 'bash', 'slept'));
    },
  ],
  'failed turn': [
    'web',
    (one) => {
      const aborted = { ...says('half an ans'), stopReason: 'aborted', errorMessage: 'aborted' };
      const failed = { ...says(), stopReason: 'error', errorMessage: '529' };
      say(one, user('go'), aborted, user('again'), failed);
    },
  ],
  images: [
    'web',
    (one) => {
      say(one, user([toBlock('look'), IMAGE]), says(call('c1', 'read', { path: 'a.png' })));
      say(one, result('c1', 'read', 'a picture', IMAGE), says('seen'));
    },
  ],
  'small image': ['web', (one) => say(one, user([toBlock('tiny'), TINY_IMAGE]), says('seen'))],
  branched: [
    'api',
    (one) => {
      const [, first] = talk(one, 'trunk', 'left');
      one.branch(first);
      talk(one, 'right');
      one.appendLabelChange(first, 'here');
    },
  ],
  'summarized branch': [
    'api',
    (one) => {
      const [, first] = talk(one, 'trunk', 'left');
      one.branchWithSummary(first, 'the left one', { readFiles: ['a'], modifiedFiles: [] });
      talk(one, 'right');
    },
  ],
  compacted: [
    'api',
    (one) => {
      const ids = talk(one, 'old', 'kept', 'last');
      const details = { readFiles: ['a.ts'], modifiedFiles: [] };
      one.appendCompaction('the summary', 'short summary', ids[2], 4321, { details });
      talk(one, 'after');
    },
  ],
  'compacted twice': [
    'api',
    (one) => {
      const ids = talk(one, 'old', 'kept');
      one.appendCompaction('summary one', undefined, ids[2], 100);
      const later = talk(one, 'newer');
      one.appendCompaction('summary two', 'two', later[0], 200, { method: 'handoff' });
    },
  ],
  'compacted by its provider': [
    'api',
    (one) => {
      const ids = talk(one, 'old', 'kept');
      const replacementHistory = [{ type: 'compaction', encrypted_content: 'opaque' }];
      const preserveData = { openaiRemoteCompaction: { provider: 'openai', replacementHistory } };
      one.appendCompaction('of the provider', undefined, ids[2], 100, { preserveData });
      talk(one, 'after');
    },
  ],
  notes: [
    'api',
    (one) => {
      one.appendCustomEntry('experimental_context_notes', { version: 1, text: 'remember this' });
      talk(one, 'with notes');
    },
  ],
  cleared: [
    'api',
    (one) => {
      talk(one, 'before');
      one.appendResetBoundary();
      talk(one, 'fresh');
    },
  ],
  'cleared and compacted': [
    'api',
    (one) => {
      talk(one, 'before');
      one.appendResetBoundary();
      const ids = talk(one, 'fresh', 'kept');
      one.appendCompaction('of what is fresh', undefined, ids[2], 100);
      talk(one, 'after');
    },
  ],
  modes: ['api', useModes],
  workspace: [
    'api',
    async (one, { web, other }) => {
      talk(one, 'workspace');
      await one.setAdditionalDirectories([web, other]);
    },
  ],
  'sub-agents': ['api', useSubAgent],
  parent: ['api', useForks],
  moved: [
    'api',
    async (one, { web }) => {
      talk(one, 'moved');
      await one.saveArtifact('goes along', 'bash');
      await one.flush();
      await one.moveTo(web);
    },
  ],
};

/** Returns the paths of the sessions by their names. */
export async function makeHome(SessionManager) {
  const home = homedir();
  const dirs = { home, api: join(home, 'src/api'), web: join(home, 'src/web'), other: '/var/tmp' };
  for (const dir of [dirs.api, dirs.web]) mkdirSync(dir, { recursive: true });
  const made = {};
  for (const [name, [project, use]] of Object.entries(SESSIONS)) {
    const manager = SessionManager.create(dirs[project]);
    manager.appendModelChange(`${MODEL.provider}/${MODEL.model}`, 'default');
    manager.appendThinkingLevelChange('high', 'auto');
    await use(manager, { SessionManager, made, ...dirs });
    await manager.flush();
    made[name] = manager.getSessionFile();
    await manager.close();
  }
  return made;
}
