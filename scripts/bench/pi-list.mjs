// @ts-check
// Lists every session with the real pi, one JSON line each: pi-list.mjs <module> with the store
// under PI_CODING_AGENT_DIR. Only what pi needs for it is loaded, which is kind to pi.
import { pathToFileURL } from 'node:url';

const [module = ''] = process.argv.slice(2);
const { SessionManager } = await import(pathToFileURL(module).href);
for (const { allMessagesText: _, ...info } of await SessionManager.listAll()) {
  process.stdout.write(`${JSON.stringify(info)}\n`);
}
