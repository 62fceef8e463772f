import { appendFile, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import {
  assistant,
  text as words,
  toNode,
  toText,
  user,
} from '../../session/agents/claude-code/healthy-session.ts';
import { forgeIndex } from '../../store/find/forge-index.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let home: string;
let index: string;

beforeEach(async () => {
  home = await makeTempDir();
  index = join(home, '.cache/coppice/sessions.ndjson');
  await writeFiles(home, {
    'store/a.jsonl': sampleSession({ id: 'ash', text: 'Plant an ash' }),
    'store/b.jsonl': sampleSession({ id: 'birch', text: 'Plant a birch' }),
    'store/notes.json': '{"not": "a session"}',
  });
});

async function list(...args: string[]): Promise<TestRun> {
  return runTest(['list', '--json', '--store', join(home, 'store'), ...args], { home });
}

/** Makes the index say of the ash what no file says. */
async function forge(said: string): Promise<void> {
  await forgeIndex(index, (text) => text.replace('Plant an ash', said));
}

describe('the list index', () => {
  it('gives the same answer as reading', async () => {
    const [first, second, fresh] = [await list(), await list(), await list('--no-cache')];
    expect(second).toEqual(first);
    expect(fresh).toEqual(first);
    expect(first.out).toContain('Plant an ash');
  });

  it('answers for files that have not changed', async () => {
    await list();
    await forge('Fell the oak');
    expect((await list()).out).toContain('Fell the oak');
    expect((await list('--no-cache')).out).not.toContain('Fell the oak');
    expect((await list('--usage')).out).not.toContain('Fell the oak');
  });

  it('answers for sessions of Claude Code, whose ids look like keys', async () => {
    const answer = assistant('msg_01XFDUDYJgAACzvnptvVoYEL', words('Planted.'));
    const lines = [toNode('n1', null, 1, user('Plant an ash')), toNode('n2', 'n1', 2, answer)];
    await rm(join(home, 'store'), { recursive: true });
    await writeFiles(home, { 'store/5e551011-0000-4000-8000-000000000001.jsonl': toText(lines) });
    const first = await list();
    await forge('Fell the oak');
    expect((await list()).out).toBe(first.out.replace('Plant an ash', 'Fell the oak'));
  });

  it('reads a file again that has changed', async () => {
    await list();
    await forge('Fell the oak');
    const named = { type: 'session_info', id: 'aaaaaaa9', parentId: 'aaaaaaa2', name: 'Ashes' };
    await appendFile(join(home, 'store/a.jsonl'), `${JSON.stringify(named)}\n`);
    const { out } = await list();
    expect(out).toContain('"name":"Ashes"');
    expect(out).not.toContain('Fell the oak');
  });

  it('forgets files that are gone, when it is written anew', async () => {
    await list();
    await rm(join(home, 'store/a.jsonl'));
    await writeFiles(home, { 'store/c.jsonl': sampleSession({ id: 'cedar' }) });
    await list();
    expect(await readFile(index, 'utf8')).not.toContain('Plant an ash');
    expect(await readFile(index, 'utf8')).toContain('cedar');
  });

  it('writes what it knows of a directory as it was, unless a name was added or is gone', async () => {
    const past = new Date('2025-01-02');
    await writeFiles(home, { 'store/still/d.jsonl': sampleSession({ id: 'dogwood' }) });
    await list();
    // No longer as it was written, which a block that is made anew would not be.
    const spoil = (text: string): string => text.replace('dogwood', 'dogw00d');
    await writeFile(index, spoil(await readFile(index, 'utf8')));
    const addAndList = async (name: string, still: Date): Promise<string> => {
      await utimes(join(home, 'store/still'), still, still);
      await writeFiles(home, { [`store/${name}.jsonl`]: sampleSession({ id: name }) });
      await runTest(['list', join(home, `store/${name}.jsonl`)], { home });
      return readFile(index, 'utf8');
    };
    expect(await addAndList('elm', past)).toContain('dogw00d');
    expect(await addAndList('fir', new Date(Date.now() + 60_000))).not.toContain('dogw00d');
  });

  it('answers for each of many files, and for those that come between them', async () => {
    const write = async (...names: readonly string[]): Promise<void> =>
      writeFiles(
        home,
        Object.fromEntries(
          names.map((name) => [`store/${name}.jsonl`, sampleSession({ id: name })]),
        ),
      );
    const names = Array.from({ length: 300 }, (_, number) => `n${number}`);
    await write(...names.filter((_, at) => at % 3 !== 1), 'größer', 'a "quoted\\ name');
    const fresh = await list('--no-cache');
    expect(await list()).toEqual(fresh);
    await forge('Fell the oak');
    expect((await list()).out).toBe(fresh.out.replace('Plant an ash', 'Fell the oak'));
    await write(...names);
    await rm(join(home, 'store/b.jsonl'));
    const { out } = await list();
    expect(out).toBe((await list('--no-cache')).out.replace('Plant an ash', 'Fell the oak'));
    expect((await list()).out).toBe(out);
  });

  it('does not trust a file that was written just now', async () => {
    const { mtimeMs } = await stat(join(home, 'store/a.jsonl'));
    await runTest(['list', '--store', join(home, 'store')], { home, now: () => mtimeMs + 500 });
    await expect(readFile(index)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['cut short', (text: string) => text.slice(0, -20)],
    [
      'of another version',
      (text: string) => text.replace(/^\["coppice","[^"]*"/, '["coppice","0.0.0"'),
    ],
    ['not as it was written', (text: string) => text.replace('Fell', 'Cut')],
    ['of another shape', () => '[1,["a"],null]\n'],
    ['empty', () => ''],
  ])('is nothing when it is %s', async (_, spoil) => {
    const first = await list();
    await forge('Fell the oak');
    await writeFile(index, spoil(await readFile(index, 'utf8')));
    expect(await list()).toEqual(first);
  });

  it('is for its user alone', async () => {
    await list();
    expect((await stat(index)).mode & 0o777).toBe(0o600);
    expect((await stat(join(home, '.cache/coppice'))).mode & 0o777).toBe(0o700);
  });

  it('goes where XDG_CACHE_HOME says', async () => {
    const env = { XDG_CACHE_HOME: join(home, 'elsewhere') };
    await runTest(['list', '--store', join(home, 'store')], { home, env });
    expect(await readFile(join(home, 'elsewhere/coppice/sessions.ndjson'), 'utf8')).toContain(
      'ash',
    );
    await expect(readFile(index)).rejects.toThrow('ENOENT');
  });

  it('is not there for a user without a home', async () => {
    const gone = join(home, 'gone');
    const { exitCode, err } = await runTest(['list', '--store', join(home, 'store')], {
      home: gone,
    });
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    await expect(stat(gone)).rejects.toThrow('ENOENT');
  });

  it('says so when it cannot be written, and lists all the same', async () => {
    await mkdir(index, { recursive: true });
    const { exitCode, out, err } = await list();
    expect(exitCode).toBe(0);
    expect(out).toContain('Plant an ash');
    expect(err).toContain('sessions.ndjson: cannot write');
    expect(err).toContain('--no-cache');
  });

  it.each([
    ['validate', ['--json']],
    ['compact', ['--json']],
    ['migrate', ['--json']],
  ])('selects the sessions of coppice %s', async (command, options) => {
    await list();
    const cwd = (await readFile(index, 'utf8')).match(/,\["pi","([^"]*)"/)?.[1] ?? '';
    await forgeIndex(index, (text) => text.replaceAll(cwd, '/forged'));
    const args = [command, ...options, '--store', join(home, 'store'), '--project', '/forged'];
    const count = async (...more: string[]): Promise<number> => {
      const { out } = await runTest([...args, ...more], { home });
      return Number(/"sessions":(\d+)/.exec(out)?.[1]);
    };
    expect([await count(), await count('--no-cache')]).toEqual([2, 0]);
  });
});
