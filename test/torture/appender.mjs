// @ts-check
// Appends lines of v1 to a session, each by its name, as pi does:
// appender.mjs <path> <end> [<first number>].
import { appendFileSync } from 'node:fs';

const [path = '', end = '0', first = '0'] = process.argv.slice(2);
for (let number = Number(first); number < Number(end); number += 1) {
  const message = { role: 'user', content: `late ${number}`, timestamp: 1 };
  appendFileSync(path, `${JSON.stringify({ type: 'message', timestamp: 'x', message })}\n`);
  // About as often as a run looks: else they would meet only once.
  if (number % 20 === 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
