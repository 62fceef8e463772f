import { toJsonl } from '../../temp-dir.ts';
import { runIn, type Texts, toScenario, without } from './to-scenario.ts';
import type { Scenario } from './walk.ts';

const TIME = '2026-01-02T09:30:00.000Z';
const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const OTHER_ID = 'bbbbbbbb-0000-4000-8000-000000000002';

const toClaude = (sessionId: string, cwd: string, more: object = {}): string =>
  toJsonl([
    {
      type: 'user',
      uuid: `u-${sessionId}`,
      parentUuid: null,
      isSidechain: false,
      sessionId,
      cwd,
      timestamp: TIME,
      message: { role: 'user', content: 'Hello.' },
      ...more,
    },
  ]);
const toPrompts = (...ids: readonly string[]): string =>
  toJsonl(ids.map((sessionId) => ({ display: 'Hi', timestamp: 1, project: '/home/u', sessionId })));
const SIDECHAIN = { isSidechain: true, agentId: 'a1b2c3d' };
/** It stays as it is when its session moves. */
const AGENT = toClaude(ID, '/home/u/elsewhere', SIDECHAIN);

const PROJECT = 'home/.claude/projects/-home-u-old';
/** A session of Claude Code with what lies beside it, in its folder, and in other directories. */
const CLAUDE: Texts = {
  [`${PROJECT}/${ID}.jsonl`]: toClaude(ID, '/home/u/old'),
  [`${PROJECT}/${ID}/subagents/agent-a1b2c3d.jsonl`]: AGENT,
  [`${PROJECT}/${ID}/tool-results/r1.txt`]: 'a result\n',
  [`${PROJECT}/agent-0a1b2c3d.jsonl`]: AGENT,
  [`home/.claude/file-history/${ID}/f@v1`]: 'old\n',
  [`home/.claude/todos/${ID}-agent-${ID}.json`]: '[]',
  'home/.claude/history.jsonl': toPrompts(ID, OTHER_ID, ID),
  [`home/.claude/projects/-home-u-new-other/${OTHER_ID}.jsonl`]: toClaude(
    OTHER_ID,
    '/home/u/other',
  ),
};

/** A session of Neovate with what is kept of it elsewhere. */
const NEOVATE: Texts = Object.fromEntries([
  ...['0a1b2c3d', '1b2c3d4e'].map((sessionId) => [
    `home/.neovate/projects/home-u-${sessionId}/${sessionId}.jsonl`,
    toJsonl([
      {
        type: 'message',
        uuid: `u-${sessionId}`,
        parentUuid: null,
        role: 'user',
        content: 'Hello.',
        timestamp: TIME,
        sessionId,
      },
    ]),
  ]),
  ['home/.neovate/projects/home-u-0a1b2c3d/0a1b2c3d.jsonl.rejected', 'torn\n'],
  ['home/.neovate/todos/0a1b2c3d.json', '[]'],
  ['home/.neovate/file-history/0a1b2c3d/f@v1', 'old\n'],
]);

const LIMITS = ['--older-than', '30d', '--grace', '0s', '--jobs', '1', '--no-cache', '--apply'];
const TO_ARCHIVE = ['--archive', 'archive'];
/** What is beside a session goes after it, if it can. */
const AROUND = {
  litter: /subagents|tool-results|agent-0a1b2c3d|file-history|todos|history\.jsonl|\.rejected$/,
};

/** Whose the files in other directories are is not known where a file cannot be read: they stay then. */
function withoutElsewhere(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([path]) => path.includes('/projects/')));
}

/** Removals of one of two sessions, for good and to an archive, and the way back. */
function toRemovals(agent: string, texts: Texts, kept: string): readonly Scenario[] {
  const prune = ['prune', '--agent', agent, '--keep-id', kept, ...LIMITS];
  const restore = ['prune', ...TO_ARCHIVE, '--restore', 'all', '--jobs', '1'];
  const normalize = without(/index\.ndjson$/);
  return [
    toScenario(`prune --delete of ${agent}`, texts, [...prune, '--delete'], AROUND),
    toScenario(`prune --archive of ${agent}`, withoutElsewhere(texts), [...prune, ...TO_ARCHIVE], {
      ...AROUND,
      normalize,
    }),
    toScenario(`prune --restore of ${agent}`, texts, restore, {
      prepare: (root) => runIn(root, [...prune, ...TO_ARCHIVE]),
    }),
  ];
}

const MOVE = ['migrate', '--cwd', '/home/u/old=/home/u/new', '--apply', '--jobs', '1'];
const MOVED = `home/.claude/projects/-home-u-new/${ID}.jsonl`;

/** Commands on sessions of Claude Code and Neovate that have files in several directories. */
export const AGENTS: readonly Scenario[] = [
  ...toRemovals('claude-code', CLAUDE, OTHER_ID),
  ...toRemovals('neovate', NEOVATE, '1b2c3d4e'),
  toScenario('migrate --cwd of Claude Code', CLAUDE, MOVE),
  toScenario(
    'migrate --cwd to where another run has put the session',
    { ...CLAUDE, [MOVED]: toClaude(ID, '/home/u/new') },
    MOVE,
  ),
];
