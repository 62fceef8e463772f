import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { planPrune } from '../../../src/index.ts';
import { ReferrerSearch } from '../../../src/store/prune/reading/referrers.ts';
import { NOW } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

type Search = (
  this: ReferrerSearch,
  ...found: Parameters<ReferrerSearch['read']>
) => Promise<boolean>;

it.each([
  ['is still empty', 0, 2],
  ['has its first line', 1, 3],
])(
  'a fork keeps its parent that %s when the stores are listed again',
  async (_, count, searches) => {
    const store = await makeTempDir();
    const image = 'parent/0123.png';
    await writeFiles(store, {
      'parent.jsonl': sampleSession({ id: 'parent', start: '2126-01-01T00:00:00.000Z' }),
      [image]: 'image',
    });
    const parentSession = join(store, 'parent.jsonl');
    const lines = sampleSession({
      id: 'fork',
      ...(count === 0 ? { parentSession } : { text: image }),
    });
    // When the sessions are searched for what they name, all files are known; each listing comes behind a search.
    let calls = 0;
    const search = Object.getOwnPropertyDescriptor(ReferrerSearch.prototype, 'read')
      ?.value as Search;
    const spy = vi.spyOn(ReferrerSearch.prototype, 'read').mockImplementation(async function read(
      this: ReferrerSearch,
      ...found
    ) {
      const there = calls < searches ? lines.slice(0, count) : lines;
      calls += 1;
      await writeFile(join(store, 'fork.jsonl'), there.length === 0 ? '' : toJsonl(there));
      return search.apply(this, found);
    });
    const rules = { olderThan: '30d', allowEmpty: true };
    const { decisions } = await planPrune([store], rules, { now: () => NOW });
    spy.mockRestore();
    const parent = decisions.find(({ candidate }) => candidate.path === parentSession);
    expect(parent).toMatchObject({
      action: 'keep',
      reasons: [count === 0 ? 'parent of a kept fork' : 'a kept session refers to its files'],
    });
  },
);
