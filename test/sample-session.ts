/** A small healthy v3 session: two messages, unless told otherwise. */
export interface SampleOptions {
  readonly id?: string;
  readonly cwd?: string;
  readonly name?: string;
  readonly model?: string;
  readonly parentSession?: string;
  /** ISO time of the header; entries follow at steps of a second. */
  readonly start?: string;
  readonly text?: string;
}

export function sampleSession(options: SampleOptions = {}): object[] {
  const {
    id = 'sample-1',
    cwd = '/home/dev/orchard',
    start = '2026-03-02T09:30:00.000Z',
  } = options;
  const begin = Date.parse(start);
  const at = (step: number): string => new Date(begin + step * 1000).toISOString();
  const usage = {
    input: 10,
    output: 5,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 15,
    cost: { input: 0.01, output: 0.02, cacheRead: 0, cacheWrite: 0, total: 0.03 },
  };
  const answer = {
    role: 'assistant',
    content: [{ type: 'text', text: 'Hello.' }],
    api: 'x',
    provider: 'acme',
    model: options.model ?? 'oak-1',
    usage,
    stopReason: 'stop',
    timestamp: begin + 2000,
  };
  const question = { role: 'user', content: options.text ?? 'Hi', timestamp: begin + 1000 };
  const lines: object[] = [
    {
      type: 'session',
      version: 3,
      id,
      timestamp: at(0),
      cwd,
      parentSession: options.parentSession,
    },
    { type: 'message', id: 'aaaaaaa1', parentId: null, timestamp: at(1), message: question },
    { type: 'message', id: 'aaaaaaa2', parentId: 'aaaaaaa1', timestamp: at(2), message: answer },
  ];
  if (options.name !== undefined) {
    const info = { id: 'aaaaaaa3', parentId: 'aaaaaaa2', timestamp: at(3), name: options.name };
    lines.push({ type: 'session_info', ...info });
  }
  return lines;
}
