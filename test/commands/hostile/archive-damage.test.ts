import { cp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { pick } from '../../harness/pick.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';

let dir: string;
let archive: string;

const run = (...args: string[]) => runTest(args, { cwd: dir, home: dir });
const check = () => run('prune', '--archive', archive, '--check', '--json');

async function makeArchive(): Promise<void> {
  dir = await makeTempDir();
  archive = join(dir, 'damaged');
  for (const name of ['a', 'b', 'c']) {
    await writeFiles(join(dir, 'store'), {
      [`proj/${name}.jsonl`]: sampleSession({ id: `0199-${name}`, text: name.repeat(300) }),
      [`proj/${name}/1.png`]: Buffer.alloc(2000, name),
    });
  }
  await run('export', 'store', '--as', 'archive', '--out', 'sound');
  const prune = ['--grace', '0s', '--older-than', '0s', '--apply'];
  await run('prune', '--store', 'store', '--max-sessions', '2', ...prune, '--archive', 'sound');
  await cp(join(dir, 'sound'), archive, { recursive: true, preserveTimestamps: true });
}

type Damage = (names: readonly string[], at: string) => Promise<void>;

const inArchive = (name = ''): string => join(archive, name);
const choose = (names: readonly string[], at: string): string =>
  inArchive(names[pick(names.length, `name ${at}`)]);

/** Changes one bit of a file. */
async function flip(path: string, at: string, until?: number): Promise<void> {
  const bytes = await readFile(path);
  const place = pick(until ?? bytes.length, `byte ${at}`);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << pick(8, `bit ${at}`));
  await writeFile(path, bytes);
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'a bit of a member': (names, at) => flip(choose(names, at), at),
  'a bit of its gzip header': (names, at) => flip(choose(names, at), at, 10),
  'a bit of the index': (_names, at) => flip(inArchive('index.ndjson'), at),
  'a member that is cut short': async (names, at) => {
    const path = choose(names, at);
    await truncate(path, pick((await readFile(path)).length, at));
  },
  'more behind a member': async (names, at) => {
    const path = choose(names, at);
    await writeFile(path, Buffer.concat([await readFile(path), Buffer.from('more')]));
  },
  'a member that is gone': (names, at) => rm(choose(names, at)),
  'a member of another name': (names, at) => rename(choose(names, at), inArchive('x.tar.gz')),
  'a member in the place of another': ([one, other]) => cp(inArchive(one), inArchive(other)),
  'a member that holds something else': async (names, at) => {
    const path = choose(names, at);
    const text = gunzipSync(await readFile(path)).toString('latin1');
    await writeFile(
      path,
      gzipSync(Buffer.from(text.replace('"role":"user"', '"role":"usef"'), 'latin1')),
    );
  },
  'a member that says something else of itself': async (names, at) => {
    const path = choose(names, at);
    const text = gunzipSync(await readFile(path)).toString('latin1');
    await writeFile(
      path,
      gzipSync(Buffer.from(text.replace('"id":"0199', '"id":"0198'), 'latin1')),
    );
  },
};

it('prune --check finds every one of 50 planted damages, and writes nothing', async () => {
  await makeArchive();
  expect((await check()).exitCode).toBe(0);
  const damages = Object.entries(DAMAGES);
  for (let at = 0; at < 50; at += 1) {
    const [name, damage] = damages[at % damages.length] ?? [];
    await rm(archive, { recursive: true });
    await cp(join(dir, 'sound'), archive, { recursive: true, preserveTimestamps: true });
    const names = (await readdir(archive)).filter((one) => one.endsWith('.tar.gz'));
    await damage?.(names, String(at));
    const before = await snapshot(archive);
    const { exitCode, out, err } = await check();
    expect({ name, at, exitCode, err }).toEqual({ name, at, exitCode: 1, err: '' });
    expect(out).toContain('"state":"damaged"');
    expect(await snapshot(archive)).toEqual(before);
  }
});
