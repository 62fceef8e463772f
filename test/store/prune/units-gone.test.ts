import { cp, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { summarizeSession } from '../../../src/session/read/summarize-session.ts';
import { searchStores } from '../../../src/store/find/targets.ts';
import { toPrunableUnits } from '../../../src/store/prune/units.ts';
import { readPrunables } from '../../../src/store/read/read-prunable.ts';
import { createCompleter } from '../../../src/store/read/surroundings.ts';
import { Survey } from '../../../src/store/remove/survey.ts';
import { makeTempDir } from '../../temp-dir.ts';

const HOME = fileURLToPath(new URL('../../fixtures/codex/home', import.meta.url));

it('keeps a session that another shard removes between reading it and looking at its files', async () => {
  const dir = await makeTempDir();
  await cp(join(HOME, 'sessions'), join(dir, 'sessions'), { recursive: true });
  const { files } = await searchStores([dir]);
  const { signal } = new AbortController();
  const shared = { survey: new Survey(), complete: createCompleter() };
  const read = await readPrunables(files, shared, async (paths) => {
    const found = paths.map(async (path) => {
      return [path, await summarizeSession(path, { usage: false, signal })] as const;
    });
    return new Map(await Promise.all(found));
  });
  const gone = read.find(({ file }) => basename(file.path).includes('_'))?.file.path ?? '';
  await rm(gone);
  const units = await toPrunableUnits(
    read.map((one) => ({ ...one, isTarget: true })),
    [],
  );
  const { whole } = units.find(({ members }) => members.includes(gone)) ?? {};
  expect([whole?.obstacle, whole?.files]).toEqual(['another run is removing it', undefined]);
});
