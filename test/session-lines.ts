/** Small sessions for tests, as pi 0.87.1 writes them. */

const TIME = '2026-03-01T10:00:00.000Z';
const NO_COST = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
const MODEL = { api: 'anthropic-messages', provider: 'anthropic', model: 'claude-test' };

export const HEADER = { type: 'session', version: 3, id: 'session-1', timestamp: TIME, cwd: '/a' };

export function toUsage(totalTokens: number): object {
  return { input: totalTokens, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens, cost: NO_COST };
}

export function user(text: string | readonly object[]): object {
  return { role: 'user', content: text, timestamp: Date.parse(TIME) };
}

export function assistant(text: string, more: object = {}): object {
  const content = text === '' ? [] : [{ type: 'text', text }];
  return { ...answer(content, 'stop'), ...more };
}

export function call(id: string, name: string, args: object): object {
  return answer([{ type: 'toolCall', id, name, arguments: args }], 'toolUse');
}

export function result(id: string, toolName: string, content: string | readonly object[]): object {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const common = { role: 'toolResult', toolCallId: id, toolName, content: blocks };
  return { ...common, isError: false, timestamp: Date.parse(TIME) };
}

function answer(content: readonly object[], stopReason: string): object {
  const common = { role: 'assistant', content, ...MODEL, usage: toUsage(0), stopReason };
  return { ...common, timestamp: Date.parse(TIME) };
}

/** A header and its entries in one chain, with ids `e0`, `e1` …; messages become entries. */
export function toSession(entries: readonly object[], first = 0): readonly object[] {
  return [HEADER, ...toChain(entries, first)];
}

export function toChain(entries: readonly object[], first = 0): readonly object[] {
  return entries.map((entry, index) => {
    const at = first + index;
    const place = { id: `e${at}`, parentId: at === 0 ? null : `e${at - 1}`, timestamp: TIME };
    return 'role' in entry ? { type: 'message', ...place, message: entry } : { ...place, ...entry };
  });
}
