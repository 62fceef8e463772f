import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { getDialect } from '../../../src/session/agents/index.ts';
import { neighbours } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { getPromptsPath } from '../../../src/session/dialect/surroundings/history.ts';
import { fileExists } from '../../../src/session/jsonl/read/read-lines.ts';
import { PromptHistory } from '../../../src/store/prune/prompts/prompt-history.ts';
import type { RemovalTarget } from '../../../src/store/remove/remove-whole.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { makeTempDir } from '../../temp-dir.ts';

const FIXTURE = join(import.meta.dirname, '../../fixtures/claude-code/home/.claude');
const ID = '9ea00f87-f67b-45df-9923-ae7bf95e99d0';

it.each([
  ['none', undefined],
  ['those that waited there', `{"display":"old","timestamp":1,"sessionId":"${ID}"}\n`],
])('leaves beside a session that could not be removed %s', async (_, waiting) => {
  const config = join(await makeTempDir(), '.claude');
  await cp(FIXTURE, config, { recursive: true });
  await rm(join(config, 'sessions'), { recursive: true });
  const path = join(config, `projects/-home-u-demo-project/${ID}.jsonl`);
  const owner = { agent: 'claude-code' as const, id: ID, path };
  const files = await readSessionFiles(path, getDialect('claude-code').sidecars ?? neighbours);
  const history = await PromptHistory.read([owner]);
  const prompts = getPromptsPath(path);
  if (waiting !== undefined) await writeFile(prompts, waiting);
  const read = () => readFile(prompts, 'utf8').catch(() => undefined);
  const seen: (string | undefined)[] = [];
  const fail = async (): Promise<never> => {
    seen.push(await read());
    throw new FileError(path, 'EIO', 'cannot remove');
  };
  const leaving = { candidate: owner, files } as unknown as RemovalTarget;
  await expect(history.removeWith(leaving, fail)).rejects.toThrow('cannot remove');
  const lines = (await readFile(join(config, 'history.jsonl'), 'utf8')).split('\n');
  const own = lines.filter((line) => line.includes(ID));
  expect(seen).toEqual([`${waiting ?? ''}${own.join('\n')}\n`]);
  expect(await read()).toBe(waiting);
});

it('takes out the lines that a run which was killed has left, and none of a session that is there', async () => {
  const config = join(await makeTempDir(), '.claude');
  await cp(FIXTURE, config, { recursive: true });
  await rm(join(config, 'sessions'), { recursive: true });
  const list = join(config, 'history.jsonl');
  const toOwner = (id: string) => ({
    agent: 'claude-code' as const,
    id,
    path: join(config, `projects/-home-u-demo-project/${id}.jsonl`),
  });
  const [removed, there] = [toOwner(ID), toOwner('62070c02-3ff3-438d-8a64-9ef9f43b5b5b')];
  const before = await readFile(list, 'utf8');
  const killed = await PromptHistory.read([removed, there]);
  await killed.begin([removed, there]);
  await rm(removed.path);
  expect(await readFile(list, 'utf8')).toBe(before);
  // Nothing is to be removed any more but what that run has left.
  const next = await PromptHistory.read([], [there]);
  await next.begin([]);
  expect(await next.removeLines([])).toEqual([]);
  const after = await readFile(list, 'utf8');
  expect([after.includes(ID), after.includes(there.id)]).toEqual([
    false,
    before.includes(there.id),
  ]);
  expect(await fileExists(`${list}.leaving`)).toBe(false);
});

it('forgets what a run which was killed had noted of sessions that are there', async () => {
  const config = join(await makeTempDir(), '.claude');
  await cp(FIXTURE, config, { recursive: true });
  await rm(join(config, 'sessions'), { recursive: true });
  const path = join(config, `projects/-home-u-demo-project/${ID}.jsonl`);
  const owner = { agent: 'claude-code' as const, id: ID, path };
  const list = join(config, 'history.jsonl');
  const before = await readFile(list, 'utf8');
  await (await PromptHistory.read([owner])).begin([owner]);
  const next = await PromptHistory.read([], [owner]);
  await next.begin([]);
  await next.removeLines([]);
  expect(await readFile(list, 'utf8')).toBe(before);
  expect(await fileExists(`${list}.leaving`)).toBe(false);
});
