import { mkdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Candidate } from '../../../src/session/prune/candidate.ts';
import { openRemover } from '../../../src/store/prune/remove.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { getDialect } from '../../../src/session/agents/index.ts';
import { FIXTURES, getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

const CHILD = getRecorded('fork-child');
const PARENT_PLACE = CHILD.also[0]?.place ?? '';

let home: string;
let parent: string;
let child: string;

beforeEach(async () => {
  home = await makeTempDir();
  child = await placeIn(home, CHILD);
  parent = join(home, PARENT_PLACE);
});

/** A session that is to be removed. */
async function toTarget(path: string) {
  const { sidecars } = getDialect('codex');
  if (!sidecars) throw new Error('Codex has sidecars');
  const files = await readSessionFiles(path, sidecars);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is looked at
  const candidate = { agent: 'codex', path, id: 'x', stores: [home] } as unknown as Candidate;
  return { candidate, files };
}

/** A remover of the parent and of `others`, in turn, at the moment at which the plan has been agreed to. */
async function agree(...others: readonly string[]) {
  const leaving = await Promise.all([...others, parent].map(toTarget));
  const environment = { env: {}, home, cwd: home, signal: new AbortController().signal };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing goes to a trash
  const remove = await openRemover({ kind: 'nowhere' }, environment as never, leaving);
  return async () => {
    const removals = [];
    for (const one of leaving) removals.push(await remove(one));
    return removals.at(-1);
  };
}

describe('a session that is to be removed', () => {
  it('is kept where a fork of it was there, or came since the plan', async () => {
    expect(await (await agree())()).toEqual({ removal: 'needed' });
    const text = await readFile(child);
    await writeFile(child, await readFile(join(FIXTURES, 'linear-tools.jsonl')));
    const remove = await agree();
    const late = join(dirname(dirname(child)), '22', basename(child));
    await mkdir(dirname(late));
    await writeFile(late, text);
    expect(await remove()).toEqual({ removal: 'needed' });
    expect((await readFile(parent)).length).toBeGreaterThan(0);
  });

  it('is kept where one comes to a day that a link leads to, as on a larger disk', async () => {
    const text = await readFile(child);
    await writeFile(child, await readFile(join(FIXTURES, 'linear-tools.jsonl')));
    const [elsewhere, day] = [await makeTempDir(), join(dirname(dirname(child)), '22')];
    await symlink(elsewhere, day, 'junction');
    // A link that leads back ends no search.
    await symlink(dirname(day), join(elsewhere, 'back'), 'junction');
    const remove = await agree();
    await writeFile(join(day, basename(child)), text);
    expect(await remove()).toEqual({ removal: 'needed' });
  });

  it('is kept where one comes to a directory whose time is set back', async () => {
    const text = await readFile(child);
    await writeFile(child, await readFile(join(FIXTURES, 'linear-tools.jsonl')));
    const setBack = () => utimes(dirname(child), 1_700_000_000, 1_700_000_000);
    await setBack();
    // Another directory has changed last, which is always listed again.
    await mkdir(join(dirname(dirname(child)), '23'));
    const remove = await agree();
    await writeFile(child.replace('T21-', 'T22-'), text);
    await setBack();
    expect(await remove()).toEqual({ removal: 'needed' });
  });

  it('is kept where a new file does not yet tell what it goes on from', async () => {
    await writeFile(child, '');
    const remove = await agree();
    await writeFile(child.replace('T21-', 'T22-'), '');
    expect(await remove()).toEqual({ removal: 'needed' });
  });

  it('is kept where such a file was there when another session was looked at', async () => {
    await writeFile(child, '');
    const other = parent.replace('T21-', 'T20-').replace('.jsonl', '0.jsonl');
    await writeFile(other, await readFile(join(FIXTURES, 'linear-tools.jsonl')));
    const remove = await agree(other);
    await writeFile(child.replace('T21-', 'T22-'), '');
    expect(await remove()).toEqual({ removal: 'needed' });
  });

  it.each<[string, (text: string) => string]>([
    ['the form of the place', (text) => text.replace('"thread_id"', '"rollout_id"')],
    [
      'the history mode',
      (text) => text.replace('"paginated"', '"sharded"').replace('history_base', 'history_bases'),
    ],
  ])('is kept where a file came since the plan that may go on from any, by %s', async (_, edit) => {
    const [header = '', ...lines] = (await readFile(child, 'utf8')).split('\n');
    await writeFile(child, '');
    const remove = await agree();
    await writeFile(child.replace('T21-', 'T22-'), [edit(header), ...lines].join('\n'));
    expect(await remove()).toEqual({ removal: 'needed' });
  });

  it('is kept where a revert to before its first turn has begun another file of it', async () => {
    await writeFile(child, '');
    const remove = await agree();
    const next = parent.replace('.jsonl', '_01a2ffff-1111-7000-8000-000000000001.jsonl');
    await writeFile(next, await readFile(join(FIXTURES, 'linear-tools.jsonl')));
    expect(await remove()).toEqual({ removal: 'changed' });
  });

  it('is removed where none goes on from it', async () => {
    await writeFile(child, '');
    const remove = await agree();
    await writeFile(
      child.replace('T21-', 'T22-'),
      await readFile(join(FIXTURES, 'linear-tools.jsonl')),
    );
    expect(await remove()).toEqual({ removal: 'removed' });
  });
});
