import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cp } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { putBackRows } from '../../../src/store/database/put-back-rows.ts';
import { makeTempDir } from '../../temp-dir.ts';

const HOME = join(import.meta.dirname, '../../fixtures/codex/home');
const OWN = '01a1fffd-5c5c-7740-8733-f25d59bb2ffe';
const OTHER = '01a1fffd-53cf-7253-9911-3110f15894fd';
const ROLLOUT = `sessions/2026/11/21/rollout-2026-11-21T21-22-36-${OWN}.jsonl`;

it('puts back no rows of another session that is there', async () => {
  const home = join(await makeTempDir(), '.codex');
  await cp(HOME, home, { recursive: true });
  const file = join(home, `${ROLLOUT}.rows.json`);
  const write = (id: string) => {
    const row = { thread_id: id, turn_id: 't', started_at: 1 };
    const content = { schemaVersion: 1, databases: { thread_history: { thread_turns: [row] } } };
    return writeFile(file, JSON.stringify(content));
  };
  await write(OTHER);
  const put = () => putBackRows(file, { dryRun: true });
  await expect(put()).rejects.toThrow('of another session');
  await write(OWN);
  expect(await put()).toMatchObject({ added: 0 });
});
