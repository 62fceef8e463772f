const time = (second: number): string => new Date(1_772_443_800_000 + second * 1000).toISOString();

function message(second: number, id: string, parentId: string | null, content: object): object {
  const timestamp = 1_772_443_800_000 + second * 1000;
  const entry = { type: 'message', id, parentId, timestamp: time(second) };
  return { ...entry, message: { ...content, timestamp } };
}

const answer = (text: string): object => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  api: 'x',
  provider: 'acme',
  model: 'oak-1',
  usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost: { total: 0 } },
  stopReason: 'stop',
});

/**
 * A v3 session with two branches below the label `start`, which is an entry on the path of both:
 * user → answer → label → user → answer, and label → user (the leaf).
 */
export function branchedSession(): object[] {
  const cwd = '/home/dev/orchard';
  return [
    { type: 'session', version: 3, id: 'branched', timestamp: time(0), cwd },
    message(1, 'aaaa0001', null, { role: 'user', content: 'Plant a tree' }),
    message(2, 'aaaa0002', 'aaaa0001', answer('Planted.')),
    {
      type: 'label',
      id: 'bbbb0001',
      parentId: 'aaaa0002',
      timestamp: time(3),
      targetId: 'aaaa0002',
      label: 'start',
    },
    message(4, 'aaaa0003', 'bbbb0001', {
      role: 'user',
      content: [
        { type: 'text', text: 'Water ' },
        { type: 'image', data: '', mimeType: 'image/png' },
        { type: 'text', text: 'it' },
      ],
    }),
    message(5, 'aaaa0004', 'aaaa0003', answer('Watered.')),
    message(6, 'cccc0005', 'bbbb0001', { role: 'user', content: 'Cut it' }),
  ];
}
