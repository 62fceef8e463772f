import { createHash } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forkSession } from '../../../src/index.ts';
import { makeSession } from '../../torture/old-store.ts';
import { assistant, toSession, user } from '../../session-lines.ts';
import { toJsonl } from '../../temp-dir.ts';
import { type HostileWorld, listOutside, makeHostileWorld } from './hostile-world.ts';

const image = {
  type: 'image',
  data: Buffer.alloc(900, 7).toString('base64'),
  mimeType: 'image/png',
};
const TALK = toSession([
  user([{ type: 'text', text: 'Look.' }, image]),
  assistant('Seen. '.repeat(200)),
  user('So?'),
]);
/** Old, torn and full of images: there is something for every command to do. */
const TORN = `${toJsonl(TALK)}{"torn`;
const CURRENT = toJsonl(TALK);
const OLD = makeSession(3);

/** A store in which everything is a link that leads out of it: to files, to a directory, in circles. */
async function makeLinkedStore(): Promise<HostileWorld> {
  const world = await makeHostileWorld();
  world.write('precious/current.jsonl', CURRENT);
  world.write('precious/old.jsonl', OLD);
  world.write('precious/torn.jsonl', TORN);
  for (const name of ['current', 'old', 'torn']) {
    world.link(`precious/${name}.jsonl`, `store/link-${name}.jsonl`);
  }
  world.link('precious', 'store/--a--');
  world.link('store', 'store/--loop--');
  world.link('store/itself.jsonl', 'store/itself.jsonl');
  world.link('/nowhere', 'store/dangling.jsonl');
  return world;
}

function readOutside(root: string): readonly string[] {
  return listOutside(join(root, 'precious'), []).map(
    (name) => `${name} ${readFileSync(join(root, 'precious', name), 'latin1')}`,
  );
}

const STORE = ['--store', 'store'];
const APPLY = [...STORE, '--apply'];
const PRUNE = ['prune', ...APPLY, '--older-than', '30d', '--allow-empty'];

describe('what is reached through a link that leads out of the store', () => {
  it.each([
    ['list', ...STORE],
    ['list', ...STORE, '--lineage', '--usage'],
    ['validate', ...STORE],
    ['validate', ...STORE, '--fix'],
    ['migrate', ...APPLY],
    ['migrate', ...APPLY, '--backup', '.bak'],
    ['migrate', ...APPLY, '--cwd', '/p=/q'],
    ['migrate', ...APPLY, '--out', 'out'],
    ['fork', ...STORE, '--last', '9', '--cwd', '/p'],
    ['fork', ...STORE, '--last', '9'],
    ['compact', ...APPLY, '--force', '--keep-recent-tokens', '10'],
    ['compact', ...APPLY, '--images', 'extract'],
    ['compact', ...APPLY, '--tool-output', '1kB', '--abandoned-branches'],
    ['export', ...STORE, '--as', 'md', '--images', 'extract', '--out', 'out'],
    ['export', ...STORE, '--as', 'parquet', '--out', 'out'],
    [...PRUNE, '--delete'],
    [...PRUNE, '--archive', 'archive'],
    PRUNE,
  ])('is left as it is: %s %s %s %s %s %s %s', async (...argv) => {
    const { root, run } = await makeLinkedStore();
    const before = readOutside(root);
    const { exitCode } = await run(...argv);
    expect([0, 1, 2, 3]).toContain(exitCode);
    expect(readOutside(root)).toEqual(before);
    expect(listOutside(root, ['store', 'out', 'archive', 'home', 'precious'])).toEqual([]);
    expect(lstatSync(join(root, 'store', '--a--')).isSymbolicLink()).toBe(true);
  });

  it('is shown as left unchanged, in the preview as well', async () => {
    const { run } = await makeLinkedStore();
    for (const more of [[], ['--apply']]) {
      const { exitCode, out } = await run('migrate', ...STORE, '--json', ...more);
      // The link to itself is told of, and is no reason to stop.
      expect(exitCode).toBe(3);
      expect(out).toContain('"reasons":["reached through a symbolic link; name it to change it"]');
      expect(out).not.toContain('"action":"migrate"');
    }
    expect((await run('migrate', ...STORE, '--check', '--json')).out).toContain(
      '"action":"migrate"',
    );
    const fixed = await run('validate', ...STORE, '--fix');
    expect(fixed.err).toContain('not repaired: reached through a symbolic link');
  });

  it('is reported in the order of the files, with those that are changed', async () => {
    const { run, write, link } = await makeHostileWorld();
    write('precious/old.jsonl', OLD);
    for (const name of ['a', 'c']) write(`store/${name}.jsonl`, OLD);
    link('precious/old.jsonl', 'store/b.jsonl');
    const { out } = await run('migrate', ...APPLY, '--json');
    const { results } = JSON.parse(out) as { results: readonly { path: string; action: string }[] };
    expect(results.map(({ path, action }) => [path.at(-7), action])).toEqual([
      ['a', 'migrate'],
      ['b', 'skip'],
      ['c', 'migrate'],
    ]);
  });

  it('is changed when it is asked for by name', async () => {
    const { root, run } = await makeLinkedStore();
    const read = (name: string): string => readFileSync(join(root, 'precious', name), 'utf8');
    await run('migrate', 'store/link-old.jsonl', '--apply');
    await run('compact', 'store/link-current.jsonl', '--apply', '--images', 'drop');
    await run('validate', 'store/--a--', '--fix');
    expect(read('old.jsonl')).toContain('"version":3');
    expect(read('current.jsonl').length).toBeLessThan(CURRENT.length);
    expect(read('torn.jsonl')).toBe(CURRENT);
    expect((await run('fork', 'store/--a--/current.jsonl')).exitCode).toBe(0);
  });
});

describe('a link in the place where something is to be written', () => {
  it.each([
    ['migrate --out', 'out/--b--', ['migrate', ...APPLY, '--out', 'out']],
    ['migrate --cwd', 'store/--new--', ['migrate', ...APPLY, '--cwd', '/p=/new']],
    ['fork --cwd', 'store/--new--', ['fork', ...STORE, '--last', '1', '--cwd', '/new']],
    ['export --as parquet', 'out/entries', ['export', ...STORE, '--as', 'parquet', '--out', 'out']],
    ['the index of an archive', 'archive/index.ndjson', [...PRUNE, '--archive', 'archive']],
  ])('is not followed by %s', async (_, link, argv) => {
    const { root, run, write, link: makeLink } = await makeHostileWorld();
    write('store/--p--/s.jsonl', OLD);
    write('store/--b--/t.jsonl', OLD);
    makeLink(link.endsWith('ndjson') ? 'precious/file' : 'precious', link);
    const { exitCode, out, err } = await run(...argv);
    expect(exitCode).toBeGreaterThan(1);
    expect(`${out}${err}`).toMatch(/link/);
    expect(readOutside(root)).toEqual(['file precious']);
  });

  it.each([
    ['the command', false],
    ['the library', true],
  ])('is not followed by a fork for another directory that %s makes', async (_who, isLibrary) => {
    const { root, run, write, link } = await makeHostileWorld();
    write('store/--a--/s.jsonl', CURRENT);
    link('precious', 'store/--w--');
    const path = join(root, 'store/--a--/s.jsonl');
    const message = isLibrary
      ? await forkSession(path, { cwd: '/w' }).then(() => '', String)
      : (await run('fork', path, '--cwd', '/w')).err;
    expect(message).toContain('a symbolic link is at this path');
    expect(readOutside(root)).toEqual(['file precious']);
  });

  it('is not followed by the images of an export', async () => {
    const { root, run, write, link } = await makeHostileWorld();
    write('store/s.jsonl', CURRENT);
    const argv = ['export', ...STORE, '--as', 'md', '--images', 'extract', '--out'];
    await run(...argv, 'first');
    const names = listOutside(join(root, 'first'), []);
    const [folder = ''] = names.flatMap((name) => /^.*\.images(?=\/)/.exec(name) ?? []);
    link('precious', `second/${folder}`);
    const { exitCode, err } = await run(...argv, 'second');
    expect([exitCode, readOutside(root)]).toEqual([3, ['file precious']]);
    expect(err).toContain('a symbolic link is at this path');
  });
});

describe('the index of an export folder', () => {
  it.each(['../precious/file', 'x/../../precious/file', 'link/file', '/precious/file', '..'])(
    'cannot have %s removed',
    async (name) => {
      const { root, run, write, link } = await makeHostileWorld();
      write('store/s.jsonl', CURRENT);
      link('precious', 'out/link');
      const argv = ['export', ...STORE, '--as', 'parquet', '--out', 'out'];
      await run(...argv);
      const path = join(root, 'out', '.coppice-export.json');
      const index = readFileSync(path, 'utf8');
      // A month that holds nothing any more is cleared away.
      const [, prefix = ''] = /"([^"]*)agent=pi/.exec(index) ?? [];
      const content = readFileSync(join(root, 'precious/file'));
      const sha256 = createHash('sha256').update(content).digest('hex');
      const file = { name, size: content.length, sha256, stamp: '' };
      const record = { made: '', redacted: false, files: [file], problems: [] };
      const lie = `{"${prefix}agent=pi/month=2001-01":${JSON.stringify(record)},`;
      write('out/.coppice-export.json', index.replace('"records":{', `"records":${lie}`));
      expect((await run(...argv)).exitCode).not.toBe(70);
      expect(readOutside(root)).toEqual(['file precious']);
    },
  );
});
