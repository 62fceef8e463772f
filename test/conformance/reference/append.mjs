// @ts-check
// Appends to sessions with the real pi, as a person at work would: for each line `{"path", "count"}`
// on stdin one line of the ids of its entries on stdout, once all are written.
import { createInterface } from 'node:readline';
import { SessionManager } from './node_modules/pi-1.6.0/dist/core/session-manager.js';

/** About as often as a command looks at the file. */
const PAUSE_MS = 2;

const pause = new Int32Array(new SharedArrayBuffer(4));

for await (const line of createInterface({ input: process.stdin })) {
  const { path, count } = JSON.parse(line);
  const manager = SessionManager.open(path);
  process.stdout.write('open\n');
  const ids = [];
  for (let number = 0; number < count; number += 1) {
    const content = [{ type: 'text', text: `late ${number}` }];
    ids.push(manager.appendMessage({ role: 'user', content, timestamp: Date.now() }));
    Atomics.wait(pause, 0, 0, PAUSE_MS);
  }
  process.stdout.write(`${JSON.stringify(ids)}\n`);
}
