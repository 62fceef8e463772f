import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { getDialect } from '../../../src/session/agents/index.ts';
import { readArchive } from '../../../src/store/archive/index/archive-index.ts';
import { toSessionKey } from '../../../src/store/archive/member/manifest.ts';
import { openArchive, writeMember } from '../../../src/store/archive/member/write-member.ts';
import { ArchivedBases } from '../../../src/store/prune/retention/archived-bases.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { NOW } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';

const PARENT = '01a1fff1-77da-7ae2-8853-7934d5b198c0';
const FORK = '01a1fff1-79ae-74c1-abfd-a7f241941747';
const OTHER = '01a1fff1-6b05-7230-8d0d-27ae6e7ae020';

/** Archives a fork, its parent and another thread; returns the ids of those that the fork needs. */
async function listNeeded(packed: Buffer): Promise<readonly string[]> {
  const dir = await makeTempDir();
  const { sidecars } = getDialect('codex');
  if (!sidecars) throw new Error('Codex has sidecars');
  await openArchive(join(dir, 'archive'), NOW);
  for (const [id, name, content] of [
    [PARENT, `37-${PARENT}.jsonl`, await readFile(join(FIXTURES, 'fork-parent.jsonl'))],
    [FORK, `38-${FORK}.jsonl.zst`, packed],
    [OTHER, `36-${OTHER}.jsonl`, await readFile(join(FIXTURES, 'linear-tools.jsonl'))],
  ] as const) {
    const store = join(dir, 'home/sessions');
    const own = `2026/11/21/rollout-2026-11-21T21-09-${name}`;
    await writeFiles(store, { [own]: content });
    const files = await readSessionFiles(join(store, own), sidecars);
    const lastActive = '2026-11-21T21:09:38.000Z';
    const facts = { agent: 'codex', id, cwd: '/w', title: id, lastActive, store };
    await writeMember(join(dir, 'archive'), files, facts, NOW);
  }
  const { sessions } = await readArchive(join(dir, 'archive'));
  const byKey = new Map(sessions.map((one) => [toSessionKey(one.facts), [one]]));
  const keys = new Map(sessions.map(({ facts }) => [facts.id, toSessionKey(facts)]));
  const needed = await new ArchivedBases(join(dir, 'archive'), byKey).listNeeded(
    keys.get(FORK) ?? '',
  );
  return [PARENT, OTHER].filter((id) => needed.includes(keys.get(id) ?? ''));
}

it('finds what a compressed fork continues from also if its end is damaged', async () => {
  const text = await readFile(join(FIXTURES, 'fork-child.jsonl'), 'utf8');
  const end = text.indexOf('\n') + 1;
  const [first, rest] = [toZstd(text.slice(0, end)), toZstd(text.slice(end))];
  expect(await listNeeded(toZstd(text))).toEqual([PARENT]);
  expect(await listNeeded(Buffer.concat([first, rest.subarray(0, -50)]))).toEqual([PARENT]);
});

it('takes a compressed fork for one of any thread if its first line cannot be read', async () => {
  const text = await readFile(join(FIXTURES, 'fork-child.jsonl'), 'utf8');
  const packed = toZstd(text);
  const half = packed.subarray(0, Math.floor(text.indexOf('\n') / 2));
  expect(await listNeeded(half)).toEqual([PARENT, OTHER]);
});
