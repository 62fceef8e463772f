import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getDialect } from '../../../src/session/agents/index.ts';
import type { Candidate } from '../../../src/session/prune/candidate.ts';
import { openRemover } from '../../../src/store/prune/remove.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { makeTempDir } from '../../temp-dir.ts';

/** A thread that nothing goes on from, and that is not pinned. */
const ID = '01a1fffd-5af9-75b0-aac2-5de81901cecc';

describe('a thread that was agreed to be removed', () => {
  it.each([
    [undefined, 'removed'],
    ['UPDATE threads SET is_pinned = 1 WHERE id = ?', 'changed'],
  ])('is kept where it was pinned since: %s', async (sql, removal) => {
    const home = await makeTempDir();
    cpSync(join(FIXTURES, 'home'), home, { recursive: true });
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
    const path = join(home, files.find((name) => name.endsWith(`${ID}.jsonl`)) ?? '');
    const { sidecars } = getDialect('codex');
    if (!sidecars) throw new Error('Codex has sidecars');
    const found = await readSessionFiles(path, sidecars);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is looked at
    const candidate = {
      agent: 'codex',
      path,
      id: ID,
      ids: [ID],
      stores: [home],
    } as unknown as Candidate;
    const leaving = { candidate, files: found };
    const signal = new AbortController().signal;
    const environment = { env: {}, home, cwd: home, signal };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing goes to a trash
    const remove = await openRemover({ kind: 'nowhere' }, environment as never, [leaving]);
    if (sql !== undefined) {
      const database = openWritable(join(home, 'state_5.sqlite'));
      database.prepare(sql).run(ID);
      database.close();
    }
    expect(await remove(leaving)).toEqual({ removal });
    expect(existsSync(path)).toBe(removal !== 'removed');
  });
});
