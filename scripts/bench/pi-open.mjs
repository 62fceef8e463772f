// @ts-check
// Opens every session below a directory with the real pi, which migrates old ones in place:
// pi-open.mjs <module> <store>.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [module = '', store = ''] = process.argv.slice(2);
const { SessionManager } = await import(pathToFileURL(module).href);
for (const name of readdirSync(store, { recursive: true, encoding: 'utf8' })) {
  if (name.endsWith('.jsonl')) SessionManager.open(join(store, name));
}
