import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { OutputDirectory } from '../../../src/store/output/output-directory.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';
import { takeSome } from '../../harness/runs.ts';

const KEY = ['ghp_', 'a8Kd93jfLs02mNvbQ1xZ7yTrEwPo56UiHgCd'].join('');

let dir: string;

interface Summary {
  readonly exported: number;
  readonly unchanged: number;
}

async function exportAll(...args: string[]): Promise<Summary> {
  const argv = ['export', '--store', 'in', '--out', 'out', '--json', ...args];
  const { out } = await runTest(argv, { cwd: dir });
  return (JSON.parse(out) as { summary: Summary }).summary;
}

/** Every file of the folder but the record, by its name. */
async function readOut(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(join(dir, 'out'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  const contents = await Promise.all(names.map((name) => readFile(name, 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, contents[index] ?? '']));
}

const readRecord = (): Promise<string> => readFile(join(dir, 'out/.coppice-export.json'), 'utf8');

async function findOutput(): Promise<string> {
  return Object.keys(await readOut())[0] ?? '';
}

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, {
    'in/a.jsonl': sampleSession({ id: 'a', text: `my key is ${KEY}`, cwd: `/work/${KEY}` }),
    'in/b.jsonl': sampleSession({ id: 'b', name: `the ${KEY}` }),
  });
});

describe('an export with other options into the same folder', () => {
  it.each(takeSome(['md', 'html', 'text', 'json', 'jsonl', 'chat', 'atif', 'sts'], 3))(
    'makes every file anew as %s: A, B, A leaves A',
    async (as) => {
      await exportAll('--as', as, '--redact');
      const first = await readOut();
      expect(JSON.stringify(first)).not.toContain(KEY);
      await exportAll('--as', as, '--no-redact');
      expect(JSON.stringify(await readOut())).toContain(KEY);
      expect(await exportAll('--as', as, '--redact')).toMatchObject({ exported: 2, unchanged: 0 });
      expect(await readOut()).toEqual(first);
      expect(await exportAll('--as', as, '--redact')).toMatchObject({ exported: 0, unchanged: 2 });
    },
  );

  it('makes anew what another format has overwritten', async () => {
    await exportAll('--as', 'chat');
    const first = await readOut();
    await exportAll('--as', 'sts');
    expect(await readOut()).not.toEqual(first);
    expect(await exportAll('--as', 'chat')).toMatchObject({ exported: 2 });
    expect(await readOut()).toEqual(first);
  });

  it('removes what it does not write again, and nothing that was changed since', async () => {
    const [header, question, answer] = sampleSession();
    const other = { ...answer, id: 'bbbbbbb2' };
    const lines = toJsonl([header ?? {}, question ?? {}, answer ?? {}, other]);
    await writeFiles(dir, { 'in/tree.jsonl': lines });
    await exportAll('--all-branches');
    const branches = Object.keys(await readOut()).filter((name) => /_[ab]{7}2\.md$/.test(name));
    expect(branches).toHaveLength(3);
    const kept = branches.find((name) => name.includes('bbbbbbb2')) ?? '';
    await writeFile(kept, 'my own notes');
    await exportAll();
    const left = Object.keys(await readOut()).filter((name) => /_[ab]{7}2\.md$/.test(name));
    expect(left).toEqual([kept]);
  });

  it('makes anew what other secrets were taken out of', async () => {
    await writeFiles(dir, { keys: 'orchard\n' });
    await exportAll('--secret-file', 'keys');
    await writeFiles(dir, { keys: 'Hello.\n' });
    expect(await exportAll('--secret-file', 'keys')).toMatchObject({ exported: 2 });
    expect(JSON.stringify(await readOut())).not.toContain('Hello.');
  });

  it('lists no page from which other secrets were taken out', async () => {
    await exportAll('--as', 'html', '--redact');
    await writeFiles(dir, { keys: 'orchard\n' });
    const one = ['--named', 'the*', '--secret-file', 'keys'];
    expect(await exportAll('--as', 'html', ...one)).toMatchObject({ exported: 1 });
    const index = await readFile(join(dir, 'out/index.html'), 'utf8');
    expect(index.match(/href="[^"]*\.html"/g)).toHaveLength(1);
  });
});

describe('the record of an export', () => {
  it('knows a file that was changed, and one that was replaced by another of its size', async () => {
    await exportAll();
    const path = await findOutput();
    const content = await readFile(path, 'utf8');
    await writeFile(path, 'shorter');
    expect(await exportAll()).toMatchObject({ exported: 1, unchanged: 1 });
    expect(await readFile(path, 'utf8')).toBe(content);
    await writeFile(`${path}.new`, content.replace('Hello.', 'Hullo!'));
    await rename(`${path}.new`, path);
    expect(await exportAll()).toMatchObject({ exported: 1, unchanged: 1 });
    expect(await readFile(path, 'utf8')).toBe(content);
  });

  it('knows a file again that was only touched or copied', async () => {
    await exportAll();
    await utimes(await findOutput(), 1_000_000_000, 1_000_000_000);
    expect(await exportAll()).toMatchObject({ exported: 0, unchanged: 2 });
  });

  it('of an older version is replaced, and all is made anew', async () => {
    await exportAll();
    const old = {
      indexVersion: 1,
      records: { x: { state: '', outputs: [], facts: { title: KEY } } },
    };
    await writeFiles(dir, { 'out/.coppice-export.json': JSON.stringify(old) });
    expect(await exportAll()).toMatchObject({ exported: 2, unchanged: 0 });
    expect(await readRecord()).not.toContain(KEY);
  });

  it.each(['md', 'html', 'parquet'])(
    'holds no title, path or id of a session, nor does any name beside it: %s',
    async (as) => {
      await writeFiles(dir, { [`in/${KEY}.jsonl`]: sampleSession({ id: 'c', text: 'Sow' }) });
      await exportAll('--as', as);
      await exportAll('--as', as, '--redact');
      const record = await readRecord();
      const names = Object.keys(await readOut()).join('\n');
      for (const told of [KEY, KEY.toLowerCase(), dir, 'my key is']) {
        expect(record.includes(told) || names.replaceAll(dir, '').includes(told)).toBe(false);
      }
    },
  );

  it('is not needed to replace an index that shows secrets', async () => {
    await exportAll('--as', 'html');
    await rm(join(dir, 'out/.coppice-export.json'));
    await writeFiles(dir, { 'in/c.jsonl': sampleSession({ id: 'c', text: 'Sow' }) });
    const argv = ['export', 'in/c.jsonl', '--as', 'html', '--redact', '--out', 'out'];
    await runTest(argv, { cwd: dir });
    expect(await readFile(join(dir, 'out/index.html'), 'utf8')).not.toContain(KEY);
  });

  it('lets an index show pages without secrets only, where they are taken out', async () => {
    await exportAll('--as', 'html');
    expect(JSON.stringify(await readOut())).toContain('the ghp_');
    await writeFiles(dir, { 'in/c.jsonl': sampleSession({ id: 'c', text: 'Sow' }) });
    const argv = ['export', 'in/c.jsonl', '--as', 'html', '--redact', '--out', 'out'];
    await runTest(argv, { cwd: dir });
    const index = await readFile(join(dir, 'out/index.html'), 'utf8');
    expect(index).toContain('>Sow</a>');
    expect(index).not.toContain(KEY);
  });
});

describe('an export of several branches that ends halfway', () => {
  /** Does something right after the first file of the run has been written. */
  function afterFirst(act: () => void): void {
    const directory = new OutputDirectory(join(dir, 'out'), 0);
    const write = directory.write.bind(directory);
    let count = 0;
    vi.spyOn(OutputDirectory.prototype, 'write').mockImplementation(async (...args) => {
      count += 1;
      const written = await write(...args);
      if (count === 1) act();
      return written;
    });
  }

  const ARGV = ['export', 'tree.jsonl', '--all-branches', '--out', 'out'];

  beforeEach(async () => {
    const [header, question, answer] = sampleSession();
    const lines = [header ?? {}, question ?? {}, answer ?? {}, { ...answer, id: 'bbbbbbb2' }];
    await writeFiles(dir, { 'tree.jsonl': toJsonl(lines) });
    onTestFinished(() => void vi.restoreAllMocks());
  });

  it('records what was written when it is stopped, and makes all of it the next time', async () => {
    const stop = new AbortController();
    afterFirst(() => stop.abort());
    await runTest(ARGV, { cwd: dir, signal: stop.signal });
    const [name = '', ...others] = Object.keys(await readOut());
    expect(others).toEqual([]);
    expect(await readRecord()).toContain(basename(name));
    await runTest(ARGV, { cwd: dir });
    expect(Object.keys(await readOut())).toHaveLength(2);
  });

  it('records what was written when the rest cannot be, and names the session', async () => {
    const full = new FileError(join(dir, 'out/x.md'), 'ENOSPC', 'cannot write: the disk is full');
    afterFirst(() => {
      vi.spyOn(OutputDirectory.prototype, 'write').mockRejectedValueOnce(full);
    });
    const { exitCode, err } = await runTest(ARGV, { cwd: dir });
    expect([exitCode, err]).toEqual([3, expect.stringContaining('the disk is full')]);
    expect(await readRecord()).toContain(basename(Object.keys(await readOut())[0] ?? ''));
  });
});

describe('shards that share a folder', () => {
  const SESSIONS = ['a', 'b', 'c', 'd', 'e', 'f'];
  const exportShard = (part: string): Promise<Summary> =>
    exportAll('--as', 'html', '--shard', part, '--quiet');
  const listPages = async (): Promise<readonly string[]> => {
    const index = await readFile(join(dir, 'out/index.html'), 'utf8');
    return [...index.matchAll(/href="([^"]+)"/g)].map(([, name = '']) => name).toSorted();
  };

  beforeEach(async () => {
    for (const id of SESSIONS) await writeFiles(dir, { [`in/${id}.jsonl`]: sampleSession({ id }) });
  });

  it('have one index of all their pages', async () => {
    for (const part of ['1/3', '2/3', '3/3']) await exportShard(part);
    const pages = Object.keys(await readOut()).map((path) => basename(path));
    expect(pages).toHaveLength(SESSIONS.length + 1);
    expect(await listPages()).toEqual(pages.filter((name) => name !== 'index.html'));
  });

  it('forget what another number of parts has made, which a name may give a secret away', async () => {
    const cwd = '/home/dev/DB_PASSWORD=kUx72LmQp9Vd3T';
    // So many that each part has some, wherever they are.
    for (const id of Array.from({ length: 40 }, (_, index) => `many-${index}`)) {
      await writeFiles(dir, { [`in/${id}.jsonl`]: toJsonl(sampleSession({ id, cwd })) });
    }
    await exportAll('--quiet');
    await exportAll('--quiet', '--shard', '1/3');
    for (const part of ['1/2', '2/2']) await exportAll('--redact', '--shard', part, '--quiet');
    const files = await readdir(join(dir, 'out'));
    expect(files.filter((name) => name.startsWith('.coppice'))).toHaveLength(4);
    for (const name of files) {
      const text = `${name} ${await readFile(join(dir, 'out', name), 'utf8')}`;
      expect(text).not.toMatch(/kUx72LmQp9Vd3T/i);
    }
    // All is as it was made.
    const { unchanged } = await exportAll('--redact', '--shard', '1/2', '--quiet');
    expect(unchanged).toBeGreaterThan(0);
  });

  it('report a record of another part that cannot be read, as it may name files', async () => {
    await exportShard('1/2');
    // A part may have no session, and then makes no directory.
    await mkdir(join(dir, 'out', '.coppice-export-1of3.json'), { recursive: true });
    const argv = ['export', '--store', 'in', '--as', 'html', '--out', 'out', '--shard', '2/2'];
    const { exitCode, err } = await runTest(argv, { cwd: dir });
    expect(exitCode).toBe(2);
    expect(err).toContain('out/.coppice-export-1of3.json: ');
  });
});
