import { join } from 'node:path';
import type { AssistantMessage, SessionWorld, UserMessage } from '../../src/index.ts';

export const QUESTION: UserMessage = { role: 'user', content: 'Hi', timestamp: 1 };

export const ANSWER: AssistantMessage = {
  role: 'assistant',
  content: [{ type: 'text', text: 'Hello.' }],
  api: 'x',
  provider: 'acme',
  model: 'oak-1',
  usage: {
    input: 1,
    output: 1,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 2,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
  stopReason: 'stop',
  timestamp: 2,
};

/** A world whose clock stands still and whose ids count. */
export function createWorld(agentDir: string): SessionWorld {
  let count = 0;
  return {
    now: () => Date.parse('2026-03-02T09:30:00.000Z'),
    createId: () => {
      count += 1;
      return `0199a000-0000-7000-8000-0000${String(count).padStart(8, '0')}`;
    },
    agentDir: join(agentDir),
  };
}
