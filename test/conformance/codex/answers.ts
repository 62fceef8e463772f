export const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** What a model says. */
export const say = (text: string) => [
  { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
];

let calls = 0;

/** What a model does with a command that prints much, and what it says then. */
export function count() {
  calls += 1;
  const given = JSON.stringify({ cmd: 'seq 1 400' });
  return [
    [{ type: 'function_call', call_id: `call_${calls}`, name: 'exec_command', arguments: given }],
    say('I counted.'),
  ];
}
