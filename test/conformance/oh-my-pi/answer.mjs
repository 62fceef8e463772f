/** Answers, with the session modules of the real oh-my-pi 18.3.4, what the conformance tests ask. Runs under Bun. */
import { openSync } from 'node:fs';
import { plugin } from 'bun';
import { answerRequests } from '../answer-requests.mjs';
import { makeHome } from './make-home.mjs';

plugin({
  name: 'stand-ins',
  setup(build) {
    // Of all that these modules import, the registry lacks this one, of pi-utils 18.3.4.
    build.module('@oh-my-pi/pi-utils/fs-open', () => ({
      loader: 'object',
      exports: { openCloexecSync: openSync },
    }));
  },
});
const { SessionManager } = await import('@oh-my-pi/pi-coding-agent/session/session-manager');

const handlers = {
  make: () => makeHome(SessionManager),
  list: () => SessionManager.listAll(),
  directory: ({ cwd }) => SessionManager.getDefaultSessionDir(cwd),
  open: ({ path }) => use(path, () => undefined),
  say: ({ path, text }) =>
    use(path, (one) => one.appendMessage({ role: 'user', content: text, timestamp: Date.now() })),
};

await answerRequests(handlers);

async function use(path, change) {
  const manager = await SessionManager.open(path, undefined, undefined, { throwIfMissing: true });
  change(manager);
  await manager.flush();
  const { messages, thinkingLevel } = manager.buildSessionContext();
  const opened = {
    header: manager.getHeader(),
    name: manager.getSessionName() ?? null,
    leafId: manager.getLeafId(),
    branch: manager.getBranch().map((entry) => entry.id),
    entryCount: manager.getEntries().length,
    usage: manager.getUsageStatistics(),
    messages,
    thinkingLevel,
  };
  await manager.close();
  return opened;
}
