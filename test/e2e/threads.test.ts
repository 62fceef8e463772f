import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { sampleSession } from '../sample-session.ts';
import { makeOld, makeTempDir, toJsonl, writeFiles } from '../temp-dir.ts';
import { type BinaryOptions, type BinaryRun, runBinary as runPlain } from './run-binary.ts';

const BYTES = 300_000;
/** As many threads as jobs are worth it for so few bytes. */
const THREADS = { COPPICE_THREAD_BYTES: '1000' };
const FILES = 9;
const FILE_NAMES = Array.from({ length: FILES }, (_, index) => `${index}.jsonl`);
const run = promisify(execFile);

let store: string;

beforeEach(async () => {
  store = join(await makeTempDir(), 'store');
  const files = Object.fromEntries(Array.from({ length: FILES }, createFile));
  await writeFiles(store, files);
  await makeOld(Object.keys(files).map((name) => join(store, name)));
});

/** Sessions of very unequal size, of two versions, and one that is torn. */
function createFile(_: unknown, index: number): readonly [string, string] {
  const size = index === 0 ? BYTES / 2 : BYTES / 2 / FILES;
  const text = 'The sap rises in spring. '.repeat(size / 25);
  const lines = toJsonl(sampleSession({ id: `tree-${index}`, text }));
  const old = lines.replace('"version":3,', '').replaceAll(/"id":"a+\d","parentId":[^,]+,/g, '');
  return [`grove/${index}.jsonl`, `${index % 2 === 0 ? lines : old}${index === 4 ? '{"torn' : ''}`];
}

/** Makes each thread of a run begin with this module. */
function toHook(module: string): Record<string, string> {
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(module)}` };
}

/** The binary, with threads as soon as there is work for two. */
function runBinary(args: readonly string[], options: BinaryOptions = {}): Promise<BinaryRun> {
  return runPlain(args, { ...options, env: { ...THREADS, ...options.env } });
}

/** The same without threads, in this process. */
async function runAlone(args: readonly string[]) {
  const world = { cwd: store, home: '/nonexistent', now: Date.now };
  const { exitCode: code, out, err } = await runTest([...args, '--jobs', '1'], world);
  return { code, out, err };
}

/** What is in each file, and when it says it was written, to the millisecond. */
async function digestAll(dir: string): Promise<readonly string[]> {
  const names = (await readdir(dir)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      const digest = createHash('sha256').update(await readFile(path));
      return `${name} ${digest.digest('hex')} ${Math.floor((await stat(path)).mtimeMs)}`;
    }),
  );
}

describe('with threads as without', () => {
  it.each([
    ['list', '--json'],
    ['list', '--json', '--usage', '--sort', 'size'],
    ['validate', '--format', 'ndjson'],
    ['migrate', '--json'],
    ['prune', '--json', '--larger-than', '100kB', '--keep-last', '2'],
  ])('%s %s answers the same', async (...args) => {
    const one = await runAlone([...args, '--store', store]);
    const many = await runBinary([...args, '--store', store, '--jobs', '2']);
    expect(many.code).toBe(one.code);
    // A difference in files of megabytes is nothing to print.
    expect(many.out === one.out && many.err === one.err).toBe(true);
    expect(one.out.includes('/4.jsonl')).toBe(true);
  });

  it('migrate --apply leaves the same files', async () => {
    const other = `${store}-2`;
    await run('cp', ['-a', store, other]);
    const apply = ['migrate', '--apply', '--grace', '0s'];
    const one = await runAlone([...apply, '--store', store]);
    const many = await runBinary([...apply, '--store', other, '--jobs', '3']);
    expect([one.code, many.code]).toEqual([0, 0]);
    expect(await digestAll(join(other, 'grove'))).toEqual(await digestAll(join(store, 'grove')));
    const check = await runAlone(['migrate', '--check', '--store', other]);
    expect(check.code).toBe(0);
  });
});

describe('an export on threads', () => {
  // Cost no time to tell, and are still to be read.
  const data = 'A'.repeat(BYTES / 2 / FILES);
  const content = [{ type: 'image', data, mimeType: 'image/png' }];
  const seen = { role: 'user', content, timestamp: Date.parse('2026-03-02T09:31:00.000Z') };
  const timestamp = '2026-03-02T09:31:00.000Z';
  const entry = { type: 'message', id: 'c0ffee00', parentId: 'aaaaaaa2', timestamp, message: seen };

  beforeEach(async () => {
    const files = FILE_NAMES.map((name) => {
      return [`grove/${name}`, toJsonl([...sampleSession({ id: name }), entry])];
    });
    await writeFiles(store, Object.fromEntries(files));
  });

  it.each(['html', 'json'])('as %s makes the same files, and knows them again', async (as) => {
    const options = ['--as', as, '--images', 'drop', '--store', store, '--json'];
    const exportTo = (out: string) => ['export', ...options, '--out', out];
    const [out, other] = [`${store}-one`, `${store}-many`];
    const one = await runAlone(exportTo(out));
    const many = await runBinary([...exportTo(other), '--jobs', '2']);
    expect([many.code, many.out.replaceAll(other, out) === one.out]).toEqual([0, true]);
    const names = (await readdir(out)).filter((name) => !name.startsWith('.'));
    expect(names.length).toBeGreaterThanOrEqual(FILES);
    for (const name of names) {
      const [a, b] = [await readFile(join(out, name)), await readFile(join(other, name))];
      expect([name, a.equals(b)]).toEqual([name, true]);
    }
    const again: { summary: object } = JSON.parse((await runAlone(exportTo(other))).out);
    expect(again.summary).toMatchObject({ exported: 0, unchanged: FILES });
  });
});

describe('tables on threads', () => {
  it('are the same, also where a fork has copied what counts for another session', async () => {
    const files = FILE_NAMES.map((name, index): readonly [string, string] => {
      const lines = toJsonl(sampleSession({ id: name })).replaceAll('2026-03', `2026-0${index}`);
      return [`grove/${name}`, lines];
    }).slice(1);
    const [, parent = ''] = files[0] ?? [];
    const named = `"type":"session","parentSession":"${store}/grove/1.jsonl"`;
    files.push(['grove/fork.jsonl', parent.replace('"type":"session"', named)]);
    await writeFiles(store, Object.fromEntries(files));
    const exportTo = (out: string) => {
      return ['export', '--as', 'parquet', '--store', store, '--json', '--out', out];
    };
    const [out, other] = [`${store}-one`, `${store}-many`];
    const one = await runAlone(exportTo(out));
    const many = await runBinary([...exportTo(other), '--jobs', '2']);
    expect([many.code, many.err, many.out.replaceAll(other, out)]).toEqual([0, '', one.out]);
    const names = (await readdir(out, { recursive: true })).filter((name) =>
      name.endsWith('.parquet'),
    );
    expect(names).toHaveLength(3 * (FILES - 1));
    for (const name of names) {
      const [a, b] = [await readFile(join(out, name)), await readFile(join(other, name))];
      expect([name, a.equals(b)]).toEqual([name, true]);
    }
    const usage = names.find((name) => /usage.*2026-01/.test(name)) ?? '';
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(join(out, usage)) });
    expect(rows.map(({ inherited }) => inherited)).toEqual([false, true]);
  });
});

describe('threads', () => {
  it('tell which file could not be read, and do the rest', async () => {
    await run('mkfifo', [join(store, 'grove/pipe.jsonl')]);
    const { code, out } = await runBinary(['migrate', '--json', '--store', store]);
    expect(code).toBe(3);
    expect(out.match(/"action":/g)).toHaveLength(FILES);
    expect(out).toContain('is not a regular file');
  });

  it('end when the run is stopped', async () => {
    // The run itself says when: as soon as there is a thread, which has read nothing yet.
    const hook = `import { threadId } from 'node:worker_threads';
      if (threadId === 1) process.kill(process.pid, 'SIGINT');`;
    const line = ['validate', '--store', store, '--jobs', '2'];
    const stopped = await runBinary(line, { env: toHook(hook) });
    expect(stopped).toMatchObject({ code: 130, out: '' });
    expect(stopped.err).toContain('stopped; every file is whole');
  });

  it('leave nothing behind when a migration is stopped', async () => {
    const grove = join(store, 'grove');
    // The run itself says when: as soon as there is a first temporary file.
    const hook = `import fs from 'node:fs';
      const { openSync } = fs;
      fs.openSync = (path, ...rest) => {
        const file = openSync(path, ...rest);
        if (path.endsWith('.coppice-tmp')) {
          fs.openSync = openSync;
          process.kill(process.pid, 'SIGINT');
        }
        return file;
      };`;
    const line = ['migrate', '--apply', '--grace', '0s', '--store', store, '--jobs', '1'];
    const stopped = await runBinary(line, { env: toHook(hook) });
    expect(stopped).toMatchObject({ code: 130, err: '' });
    expect(stopped.out).toMatch(/ Stopped: \d+ not reached\.$/m);
    expect((await readdir(grove)).toSorted()).toEqual(FILE_NAMES);
  });

  it('tell all that they have exported when the run is stopped', async () => {
    const text = 'The sap rises in spring. '.repeat(2000);
    const sessions = Array.from({ length: 40 }, (_, index) => {
      return [`${index}.jsonl`, toJsonl(sampleSession({ id: `tree-${index}`, text }))];
    });
    const [many, out] = [`${store}-many`, `${store}-out`];
    await writeFiles(many, Object.fromEntries(sessions));
    // The other thread says when: as soon as its third file is there. This one, too, makes three and waits for that,
    // and the other for the signal: either may be much faster.
    const [ready, seen] = [JSON.stringify(`${store}-ready`), JSON.stringify(`${store}-seen`)];
    const hook = `import fs from 'node:fs';
      import { isMainThread } from 'node:worker_threads';
      const { renameSync } = fs;
      const cell = new Int32Array(new SharedArrayBuffer(4));
      const waitFor = (path) => {
        while (!fs.existsSync(path)) Atomics.wait(cell, 0, 0, 1);
      };
      let made = 0;
      if (isMainThread) process.on('SIGINT', () => fs.writeFileSync(${seen}, ''));
      fs.renameSync = (...paths) => {
        renameSync(...paths);
        made += 1;
        if (made !== 3) return;
        if (isMainThread) return waitFor(${ready});
        fs.writeFileSync(${ready}, '');
        process.kill(process.pid, 'SIGINT');
        waitFor(${seen});
      };`;
    const line = ['export', '--as', 'md', '--store', many, '--out', out, '--jobs', '2'];
    const stopped = await runBinary(line, { env: toHook(hook) });
    expect(stopped.code).toBe(130);
    const record = await readFile(join(out, '.coppice-export.json'), 'utf8');
    const made = (await readdir(out)).filter((name) => !name.startsWith('.'));
    expect(made.length).toBeGreaterThanOrEqual(3);
    expect(made.length).toBeLessThan(sessions.length);
    expect(made.filter((name) => !record.includes(`"${name}"`))).toEqual([]);
  });
});
