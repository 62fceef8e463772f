/** What must be shown as text, wherever it stands; each would set `window.owned` if it ran. */
const PAYLOADS = [
  '<script>window.owned=1</script>',
  '</script><script>window.owned=2</script>',
  '<img src=x onerror="window.owned=3">',
  '<svg onload=window.owned=4>',
  '</style></title></textarea></details><iframe srcdoc="<script>parent.owned=5</script>">',
  '[click](javascript:window.owned=6)',
  '[click](JaVaScRiPt&colon;window.owned=7)',
  '<a href="javascript:window.owned=8">x</a>',
  '![i](http://attacker.invalid/pixel.png)',
  '<link rel=stylesheet href=http://attacker.invalid/x.css>',
  '<meta http-equiv=refresh content="0;url=http://attacker.invalid/">',
  '[a](data:text/html,<script>window.owned=9</script>)',
  '"><b onmouseover=window.owned=10>',
  '\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u0000 \u009b31m',
  '<!--<script>',
  '{{constructor.constructor("window.owned=11")()}} ${window.owned=12}',
] as const;

const ALL = PAYLOADS.join('\n\n');
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A session with all of it in every field that a page might show, and a line of 5 MB. */
export function hostileSession(): object[] {
  const time = Date.parse('2026-03-02T09:30:00.000Z');
  let count = 0;
  let previous: string | null = null;
  const entry = (fields: object, parentId = previous): object => {
    count += 1;
    const id = `e${String(count).padStart(7, '0')}`;
    previous = id;
    return { id, parentId, timestamp: new Date(time + count * 1000).toISOString(), ...fields };
  };
  const say = (message: object): object => entry({ type: 'message', message });
  const call = { type: 'toolCall', id: ALL, name: ALL, arguments: { [ALL]: ALL, path: ALL } };
  const text = { type: 'text', text: ALL };
  return [
    {
      type: 'session',
      version: 3,
      id: 'hostile',
      timestamp: new Date(time).toISOString(),
      cwd: ALL,
    },
    say({ role: 'system', content: ALL, sections: { [ALL]: ALL } }),
    say({ role: 'user', content: ALL }),
    say({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: ALL }, text, call],
      provider: ALL,
      model: ALL,
      stopReason: ALL,
      errorMessage: ALL,
    }),
    say({ role: 'toolResult', toolCallId: ALL, toolName: ALL, content: [text], isError: true }),
    say({ role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: PIXEL }] }),
    say({ role: 'user', content: [{ type: 'image', mimeType: 'image/svg+xml', data: ALL }] }),
    say({
      role: 'user',
      content: [{ type: 'image', mimeType: `image/png" onerror="x`, data: ALL }],
    }),
    say({ role: 'bashExecution', command: ALL, output: ALL, exitCode: 1 }),
    say({ role: ALL, content: ALL }),
    entry({ type: 'custom_message', customType: ALL, content: ALL, display: true }),
    entry({ type: 'branch_summary', fromId: ALL, summary: ALL }),
    entry({ type: 'model_change', provider: ALL, modelId: ALL }),
    entry({ type: 'label', targetId: 'e0000002', label: ALL }),
    entry({ type: 'session_info', name: ALL }),
    say({ role: 'user', content: `${ALL}${'x <b>y</b> '.repeat(500_000)}` }),
  ];
}

/** Many turns, with a second branch from the third entry on. */
export function largeSession(turns: number): object[] {
  const time = Date.parse('2026-03-02T09:30:00.000Z');
  const at = (step: number): string => new Date(time + step * 1000).toISOString();
  const lines: object[] = [
    { type: 'session', version: 3, id: 'large', timestamp: at(0), cwd: '/home/dev/orchard' },
  ];
  const add = (number: number, parentId: string | null, text: string): void => {
    const isUser = number % 4 === 0;
    const content = [{ type: 'text', text }];
    const message = isUser
      ? { role: 'user', content }
      : { role: 'assistant', content, provider: 'acme', model: 'oak-1', stopReason: 'stop' };
    lines.push({ type: 'message', id: `n${number}`, parentId, timestamp: at(number), message });
  };
  add(turns, null, 'The beginning');
  add(turns + 4, `n${turns}`, 'The other branch');
  add(turns + 1, `n${turns + 4}`, 'An answer on the other branch');
  for (let number = 0; number < turns; number += 1) {
    const parent = number === 0 ? `n${turns}` : `n${number - 1}`;
    add(number, parent, `Turn ${number} with \`code\` and **words**, needle-${number}-end.`);
  }
  return lines;
}
