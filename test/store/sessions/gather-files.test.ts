import { rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { SessionSummary } from '../../../src/session/model/summary.ts';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import { createGatherer } from '../../../src/store/sessions/gather-files.ts';
import {
  EARLY,
  LATE,
  makeFamily,
  PARENT,
  toPlace,
} from '../../session/agents/codex/made-family.ts';
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

it.each<[string, (header: string) => string]>([
  ['as Codex writes it', (header) => `${header}\n`],
  ['long', (header) => `${header.replace('cli', 'x'.repeat(100_000))}\n`],
  ['behind a byte order mark, with CR', (header) => `\u{FEFF}${header}\r\n`],
  ['behind a line that does not parse', (header) => `{"type": \n\n${header}\n`],
  ['without a line break', (header) => header],
])('finds a sub-agent whose header is %s', async (_, write) => {
  const home = await makeTempDir();
  const paths = makeFamily(home);
  const id = '0199a213-81c0-7000-8000-00000000000f';
  const header = { id, parent_thread_id: PARENT, timestamp: '2026-03-01T11:00:00.000Z', cwd: '/w' };
  const payload = { ...header, cli_version: 'cli', history_mode: 'paginated', source: 'cli' };
  const line = { timestamp: header.timestamp, ordinal: 0, type: 'session_meta', payload };
  writeFileSync(toPlace(home, id), write(JSON.stringify(line)));
  const gather = createGatherer({ complete: (one) => one, usage: false, subagents: true });
  const { subagents } = await gather(await summarize(paths.get(PARENT)));
  expect(subagents).toMatchObject([{ id }]);
});
