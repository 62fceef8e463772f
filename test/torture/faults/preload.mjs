// @ts-check
// For the program itself: node --import preload.mjs bin/coppice.js …, with
// COPPICE_FAULT={"root", "number", "code"}: the call of that number below that directory fails;
// with "signal" and "once" instead of "code": the process gets that signal before it, from the first
// thread that comes so far and can make the directory "once"; with "log": each thread appends to that
// file, when it ends, which of its calls changed something first, and how many it made.
import { realFs, startFaults } from './fault-layer.mjs';

const { root, number, code, signal, once, log } = JSON.parse(process.env['COPPICE_FAULT'] ?? '{}');
const CHANGE = /^(?:write|writev|writeFile|rename|link|unlink|fsync|mkdir)$/;
let [first, count] = [0, 0];

startFaults({
  root,
  onCall: (call) => {
    count = call.number;
    if (first === 0 && CHANGE.test(call.name)) first = count;
    if (call.number !== number) return undefined;
    if (signal !== undefined && isFirst()) process.kill(process.pid, signal);
    return code === undefined ? undefined : { code };
  },
});
if (log !== undefined) {
  process.on('exit', () => realFs.appendFileSync(log, `${first} ${count}\n`));
}

function isFirst() {
  try {
    realFs.mkdirSync(once);
    return true;
  } catch {
    return false;
  }
}
