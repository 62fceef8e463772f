/** A session of Claude Code with one line, and its place in a home. */
export const HOME = '.claude/projects/-w';
export const ID = 'aaaaaaaa-1111-4111-8111-111111111111';
export const SESSION = `${HOME}/${ID}.jsonl`;

export const LINE = {
  parentUuid: null,
  isSidechain: false,
  cwd: '/w',
  sessionId: ID,
  type: 'user',
  message: { role: 'user', content: 'Hi' },
  uuid: '10000000-0000-4000-8000-000000000001',
  timestamp: '2026-01-02T09:30:00.000Z',
};
