// @ts-check
// Opens a file as a program does that is at work with it, writes "open" into another one, and holds it until
// a third one is there: node hold.mjs <file> <open> <release>; %PID% in the first is the number of the process
import { appendFileSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs';

const [named = '', opened = '', release = ''] = process.argv.slice(2);
const file = named.replace('%PID%', String(process.pid));
const fd = openSync(file, 'a');
writeFileSync(opened, '');
const timer = setInterval(() => {
  if (!existsSync(release)) return;
  clearInterval(timer);
  closeSync(fd);
  appendFileSync(opened, 'closed');
}, 20);
