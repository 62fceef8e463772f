import {
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../../src/session/read/read-context.ts';
import { runTest } from '../../../memory-terminal.ts';
import { makeTempDir } from '../../../temp-dir.ts';
import { EARLY, LATE, makeFamily, PARENT } from './made-family.ts';

interface Result {
  readonly path: string;
  readonly action: string;
  readonly reasons: readonly string[];
}

async function compact(home: string, ...argv: readonly string[]) {
  const options = { cwd: home, home, env: { CODEX_HOME: home } };
  const { out } = await runTest(['compact', ...argv, '--grace', '0s', '--json'], options);
  const { results } = JSON.parse(out) as { readonly results: readonly Result[] };
  return new Map(results.map((one) => [one.path, one]));
}

async function readAll(paths: Iterable<string>) {
  const all = [...paths].map(async (path) => (await readContext(path)).messages);
  return Promise.all(all);
}

const readOwn = (path = '') => readFileSync(path, 'utf8').split('\n').slice(1);

describe('a thread that others go on from', () => {
  it('is made smaller, the others send what they did, and hold what they held', async () => {
    const home = await makeTempDir();
    const family = makeFamily(home);
    const path = family.get(PARENT) ?? '';
    const children = [EARLY, LATE].map((id) => family.get(id) ?? '');
    const before = await readAll(family.values());
    const own = children.map(readOwn);
    const { size } = statSync(path);
    const plan = await compact(home, '--superseded-state', path);
    const names = children.map((one) => basename(one)).join(', ');
    expect(plan.get(path)).toMatchObject({ action: 'reduce' });
    expect(plan.get(path)?.reasons.join('; ')).toContain(`from which they continue: ${names}`);
    expect(statSync(path).size).toBe(size);

    await compact(home, '--superseded-state', '--apply', path);
    expect(statSync(path).size).toBeLessThan(size - 2000);
    expect(readFileSync(path, 'utf8')).not.toMatch(/\n *\n/);
    expect(await readAll(family.values())).toEqual(before);
    expect(children.map(readOwn)).toEqual(own);
    const again = await compact(home, '--superseded-state', '--apply');
    expect(again.get(path)).toMatchObject({ action: 'unchanged' });
  });

  it('moves where another one begins also behind a byte order mark', async () => {
    const home = await makeTempDir();
    const family = makeFamily(home);
    const [path = '', early = ''] = [PARENT, EARLY].map((id) => family.get(id));
    const text = readFileSync(early, 'utf8');
    writeFileSync(early, `\uFEFF${text}`);
    const results = await compact(home, '--superseded-state', '--apply', path);
    expect(results.get(path)).toMatchObject({ action: 'reduce' });
    expect(readOwn(early)).toEqual(text.split('\n').slice(1));
    expect(readFileSync(early, 'utf8')).not.toBe(`\uFEFF${text}`);
  });

  it('keeps the outputs that another one sends, unless that one is selected, too', async () => {
    const home = await makeTempDir();
    const family = makeFamily(home);
    const path = family.get(PARENT) ?? '';
    const before = await readAll(family.values());
    const cutting = ['--tool-output', '500B', '--apply'];
    const alone = await compact(home, ...cutting, path);
    expect(alone.get(path)?.reasons.join()).toContain('select every file that continues from it');
    expect(await readAll(family.values())).toEqual(before);
    await compact(home, ...cutting);
    const after = await readAll(family.values());
    for (const messages of after) expect(JSON.stringify(messages)).toContain('cut by coppice');
    expect(after.map(({ length }) => length)).toEqual(before.map(({ length }) => length));
  });

  it('is left where one that goes on from it could not be changed with it', async () => {
    const home = await makeTempDir();
    const family = makeFamily(home);
    const [path = '', early = '', late = ''] = [PARENT, EARLY, LATE].map((id) => family.get(id));
    const reason = async (...argv: readonly string[]) => {
      const results = await compact(home, '--superseded-state', '--apply', path, ...argv);
      return results.get(path)?.reasons.join();
    };
    const text = readFileSync(early, 'utf8');
    writeFileSync(early, text.replace(/"end_byte_offset":\d+/, '"end_byte_offset":7'));
    expect(await reason()).toContain('continues from the middle of a line');
    writeFileSync(early, text.replace(/,"end_byte_offset":\d+/, ''));
    expect(await reason()).toContain('does not record from which byte');
    renameSync(early, `${home}/elsewhere`);
    symlinkSync(`${home}/elsewhere`, early);
    writeFileSync(`${home}/elsewhere`, text);
    expect(await reason()).toContain('a symbolic link leads there');
    renameSync(late, `${home}/late`);
    expect(readdirSync(dirname(path))).toHaveLength(3);
  });
});
