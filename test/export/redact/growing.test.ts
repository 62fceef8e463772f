import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRows } from '../../../src/export/formats/parquet/rows.ts';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import { createSubagentReader } from '../../../src/store/sessions/subagents.ts';
import { createSourceReader } from '../../../src/store/sessions/surroundings.ts';
import { makeTempDir, toJsonl } from '../../temp-dir.ts';
import { makeKey } from './kinds.ts';

const TIME = '2026-01-05T10:00:00.000Z';
const HEADER = { type: 'session', version: 3, id: 's1', timestamp: TIME, cwd: '/x' };

function say(nth: number, content: string): object {
  const message = { role: 'user', content, timestamp: 0 };
  const parentId = nth === 1 ? null : `e${nth - 1}`;
  return { type: 'message', id: `e${nth}`, parentId, timestamp: TIME, message };
}

/** The rows of the entries of a session, which changes when its redactor has learnt from it. */
async function readRows(before: string, change: (path: string) => Promise<void>): Promise<string> {
  const path = join(await makeTempDir(), 's.jsonl');
  await writeFile(path, before);
  const summary = await summarizeSession(path, { usage: true });
  if (!('path' in summary)) throw new Error('no session');
  const { signal } = new AbortController();
  const facts = { secrets: [], inherited: new Map(), generator: 'test', onGap: () => {}, signal };
  const readWhole = createSourceReader({ env: {} });
  const addSubagents = createSubagentReader({ usage: true });
  const tables = await createRows({ ...facts, readWhole, addSubagents });
  const rows: object[] = [];
  for await (const row of tables.sessions([summary])) rows.push(row);
  await change(path);
  for await (const row of tables.entries([summary])) rows.push(row);
  return rows.map((row) => Object.values(row).join(' ')).join('\n');
}

it('takes out what a line gives away that was written after the secrets were learnt', async () => {
  const secret = 'Zk4tR9wQ7xLm2Ue8';
  const before = toJsonl([HEADER, say(1, 'hello'), say(2, `try ${secret} now`)]);
  const shown = await readRows(before, (path) =>
    appendFile(path, toJsonl([say(3, `DB_PASSWORD=${secret}`)])),
  );
  expect(shown).toContain('DB_PASSWORD=[REDACTED');
  expect(shown).not.toContain(secret);
});

it('searches each line of a file that was rewritten meanwhile', async () => {
  const key = makeKey('rewritten');
  const kept = [say(2, 'there'), say(3, 'now')];
  const before = `${toJsonl([HEADER, say(1, 'hello')])}{torn\n{torn\n${toJsonl(kept)}`;
  const after = toJsonl([HEADER, say(1, 'hello'), ...kept, say(4, `it is ${key}`)]);
  const shown = await readRows(before, (path) => writeFile(path, after));
  expect(shown).toContain('it is [REDACTED');
  expect(shown).not.toContain(key);
});
