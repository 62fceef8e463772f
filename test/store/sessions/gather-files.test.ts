import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { SessionSummary } from '../../../src/session/model/summary.ts';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import { createGatherer } from '../../../src/store/sessions/gather-files.ts';
import { EARLY, LATE, makeFamily, PARENT } from '../../session/agents/codex/made-family.ts';
import { makeTempDir } from '../../temp-dir.ts';

async function summarize(path = ''): Promise<SessionSummary> {
  const summary = await summarizeSession(path, { usage: false });
  if ('kind' in summary) throw new TypeError(`${path} is no session`);
  return summary;
}

it('searches each directory once for many sessions, and reads each file once', async () => {
  const paths = makeFamily(await makeTempDir());
  const gather = createGatherer({ complete: (one) => one, usage: false, subagents: true });
  const [early, late] = [await summarize(paths.get(EARLY)), await summarize(paths.get(LATE))];
  await gather(early);
  rmSync(paths.get(PARENT) ?? '');
  const { messageCount, parentSessionPath } = await gather(late);
  expect(messageCount).toBeGreaterThan(late.messageCount);
  expect(parentSessionPath).toBe(paths.get(PARENT));
});
