import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { getDialect } from '../../../src/session/agents/index.ts';
import type { Candidate } from '../../../src/session/prune/candidate.ts';
import { openRemover } from '../../../src/store/prune/remove.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const LINE = { type: 'user', sessionId: ID, uuid: 'u', message: { role: 'user', content: 'Hi' } };

it('keeps a session that its agent opens while it is copied to the archive', async () => {
  const home = await makeTempDir();
  const path = join(home, `.claude/projects/p/${ID}.jsonl`);
  await writeFiles(home, { [`.claude/projects/p/${ID}.jsonl`]: [LINE] });
  const { sidecars } = getDialect('claude-code');
  if (!sidecars) throw new Error('Claude Code has sidecars');
  const files = await readSessionFiles(path, sidecars);
  const store = join(home, '.claude/projects');
  const facts = { agent: 'claude-code', id: ID, cwd: '/p', title: 'Hi', modified: 0 };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is looked at
  const candidate = { ...facts, path, stores: [store] } as unknown as Candidate;
  const leaving = { candidate, files };
  let open = (): void => undefined;
  // The clock is read once it was seen that the session is not open.
  const now = (): number => {
    open();
    return 0;
  };
  const environment = { env: {}, home, cwd: home, now, signal: new AbortController().signal };
  const destination = { kind: 'archive', directory: { path: join(home, 'archive') } } as const;
  const remove = await openRemover(destination, environment, [leaving]);
  open = () => {
    mkdirSync(join(home, '.claude/sessions'));
    const note = join(home, `.claude/sessions/${process.pid}.json`);
    writeFileSync(note, JSON.stringify({ pid: process.pid, sessionId: ID }));
  };
  expect(await remove(leaving)).toMatchObject({ removal: 'open' });
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(LINE);
});
